"""Every setting of the method by section, with its meaning and its default.

The classes are Dagster's pydantic models, so that the launchpad can show them (`launchpad.py`).
"""

from typing import Annotated, Any, Final, Literal

from aimsciqa_resources.encoder import PACKAGED
from aimsciqa_resources.section import Section, readable_by
from pydantic import AfterValidator, Field

SYSTEMS: Final = ("aim-sciqa", "findings")


def _refuse_other_systems(names: str) -> None:
    if unknown := [name for name in names.split() if name not in SYSTEMS]:
        raise ValueError(
            f"there is no system {unknown[0]!r}; name {' or '.join(SYSTEMS)}, or both. HopWeaver, SciDQA and "
            "AirQA have settings of their own."
        )


class SystemsSettings(Section):
    """Which systems make items."""

    systems: Annotated[str, AfterValidator(readable_by(_refuse_other_systems))] = Field(
        default=" ".join(SYSTEMS),
        description="which systems make items of papers, separated by spaces: aim-sciqa, findings (needs a "
        "language model); empty: neither, as for HopWeaver alone",
    )

    @property
    def aim_sciqa(self) -> bool:
        """Return whether AIM-SciQA asks about paragraphs and makes its items of the replies."""
        return "aim-sciqa" in self.systems.split()

    @property
    def findings(self) -> bool:
        """Return whether items are to be made from findings."""
        return "findings" in self.systems.split()

    def determining(self, setting: str) -> Any:
        """Return None for a system that is on: earlier rows stay as they are."""
        value = super().determining(setting)
        return None if value is True else value


class SelectionSettings(Section):
    """Which papers may be sources (AIM-SciQA, section 4.1)."""

    min_accessible_citations: int = Field(
        default=3, ge=0, description="different papers in scope that a source must cite, at least"
    )
    scope: Literal["corpus", "pmc"] = Field(
        default="corpus",
        description="which cited papers are accessible: those of this corpus, or any article with a PMCID "
        "(`aimsciqa ids` finds more)",
    )
    corpus: Literal["all", "eligible"] = Field(
        default="all",
        description="which papers are asked about, may be targets and distractors, and are searched: all of "
        "them, or only those that may be sources, as in the paper",
    )


class SingleHopSettings(Section):
    """Single-hop QA and the alignment filter (section 4.2)."""

    alignment_fraction: float = Field(
        default=0.1,
        ge=0,
        lt=1,
        description="share of the pairs with the lowest Sim(Q,A) - Sim(Q,E) that is removed",
    )
    alignment_scope: Literal["batch", "corpus"] = Field(
        default="batch",
        description="where the lowest share is taken: in each paper batch, or over the corpus. Papers that "
        "come later give up so many of their own pairs that it stays the share of all",
    )
    tables: bool = Field(default=False, description="ask about tables, too, which the paper leaves out")


class RelationSettings(Section):
    """Section similarity, selection and clusters (section 4.3)."""

    tau: float = Field(
        default=0.3, gt=-1, le=1, description="lowest cosine at which questions count as similar (eq. 5)"
    )
    section_pairs_per_document_pair: int = Field(
        default=1, ge=1, description="Top-K section pairs of two papers"
    )
    relations_per_source: int = Field(default=3, ge=1, description="relations kept per source paper")
    cluster_size: int = Field(default=30, ge=2, description="papers in a cluster, the target included")
    min_cited_cluster: int = Field(
        default=2,
        ge=1,
        description="citation-guided: cited papers of a source that the corpus must hold, at least",
    )
    all_citations_in_corpus: bool = Field(
        default=False,
        description="citation-guided: only sources whose references all lead to admitted papers, as the 51 "
        "of the paper",
    )
    core_as_retrieval_question: bool = Field(
        default=False,
        description="the target's core QA may also be its retrieval QA, as in the paper; the item then asks "
        "the same question that it searches by",
    )
    keyword_origins: str = Field(
        default="author subject extracted",
        pattern=r"^((author|subject|extracted)( |$))+$",
        description="which keywords make two papers candidates of each other, separated by spaces: author; "
        "subject, where there are none; extracted from title and abstract, where there are neither",
    )
    keyword_order: Literal["rarity", "count"] = Field(
        default="rarity",
        description="which papers with common keywords are nearest, and so distractors: those that share the "
        "rarer keywords, or the more",
    )
    mirrors: Literal["stronger", "both"] = Field(
        default="stronger",
        description="what becomes of two relations of a variant, one from A to B and one from B to A, on the "
        "same core pair: an item is made of the stronger one, or of both, as the paper may have",
    )
    seed: int = Field(default=20241, ge=0, description="seed of the random distractors")
    refresh: bool = Field(
        default=True,
        description="redo a finished batch when papers ingested later could become its targets; "
        "`aimsciqa run` leaves finished batches alone unless it is told --refresh",
    )


class MultiHopSettings(Section):
    """The dev and test split (section 4.4)."""

    test_items: int = Field(default=300, ge=0, description="test items at most")
    test_fraction: float = Field(default=0.1, ge=0, le=1, description="share of the items in test at most")
    split_seed: int = Field(default=20241, ge=0, description="seed of the split")
    kept_apart: Literal["evidence", "facts"] = Field(
        default="evidence",
        description="what a dev and a test item never share: source, two papers and any sentence of "
        "evidence; or only source and two papers (and so a core pair), which leaves more to choose from",
    )


class AuditSettings(Section):
    """What people are given to rate (`aimsciqa audit sample`)."""

    split: Literal["all", "test"] = Field(
        default="all", description="accepted items that are drawn: of both splits, or of the test split"
    )
    pairs: Literal["kept", "both"] = Field(
        default="kept",
        description="QA pairs that are drawn: kept ones; or half kept and half taken out by the alignment "
        "filter, without saying which",
    )
    abstracts: bool = Field(
        default=True,
        description="show the abstracts of the papers among which the target is looked for, not their titles "
        "alone",
    )


class ReleaseSettings(Section):
    """Which papers and items may stand in a release."""

    name: str = Field(
        default="aimsciqa-release",
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$",
        description="name of the dataset and of its folder",
    )
    gates: str = Field(
        default="single_document closed_book no_duplicate relabelling",
        pattern=r"^((single_document|closed_book|unique_retrieval|no_duplicate|relabelling|necessity)"
        r"( |$))*$",
        description="quality gates that no released item may have failed, separated by spaces: "
        "single_document, closed_book, unique_retrieval, no_duplicate, relabelling (docs/findings.md), "
        "necessity (docs/necessity.md); empty: none. unique_retrieval is off on purpose: items whose "
        "paper two retrievers rank first measure nothing of retrieval",
    )
    reviews: Literal["unanimous", "majority"] = Field(
        default="unanimous",
        description="what happens to an item that some reviewers accept and others reject. unanimous: it is "
        "kept out until they agree; majority: the larger number decides, and a tie keeps it out",
    )
    reviewed_only: bool = Field(
        default=False, description="release only items that reviewers accepted (docs/review.md)"
    )
    report_items: int = Field(
        default=20_000, ge=1, description="so many items at most stand in the report, the best first"
    )
    any_licence: bool = Field(
        default=False,
        description="release also papers, and texts of reviews, whose licence is unknown, forbids "
        "derivatives, or allows only text mining",
    )
    retracted: bool = Field(
        default=False,
        description="release also papers that were retracted or withdrawn, or are under an expression of "
        "concern",
    )


class EncoderSettings(Section):
    """The sentence encoder. The paper uses MedEmbed-large-v0.1 (section 4.3)."""

    model: str = Field(
        default=PACKAGED, description="all-MiniLM-L6-v2 (packaged), a model folder, or a name on the hub"
    )
    revision: str = Field(default="", description="revision on the hub; empty for the newest")
    precision: Literal["float32", "bfloat16"] = Field(
        default="float32",
        description="precision of the encoder's numbers; bfloat16 is quicker on newer processors and GPUs, "
        "and gives different vectors",
    )


class ComputeSettings(Section):
    """How sections are compared, and in how much memory."""

    similarity_precision: Literal["float32", "bfloat16"] = Field(
        default="float32",
        description="precision of the cosines between questions; bfloat16 is quicker on some processors, and "
        "off by up to 0.01",
    )
    similarity_memory_mib: int = Field(
        default=128,
        ge=1,
        description="memory for the question vectors that a batch is compared with at a time, in MiB",
    )


class ReproductionSettings(Section):
    """Whether the models must be those that the paper names."""

    named_models: Literal["required", "any"] = Field(
        default="any",
        description="required: a run refuses to start while the encoder is not MedEmbed-large-v0.1, pairs "
        "are not by Qwen2.5-7B-Instruct, or items not by a language model; any: it takes what is set",
    )


DOCUMENT_BYTES = 16 * 2**20


class CorpusSettings(Section):
    """How files are put into paper batches."""

    papers_per_batch: int = Field(default=500, ge=1, description="files in a paper batch at most")
    document_bytes: int = Field(
        default=DOCUMENT_BYTES,
        ge=1000,
        description="bytes of a document, a line of JSON, at most; a longer one is not taken in",
    )
