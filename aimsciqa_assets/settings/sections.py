"""Every setting of the method by section, with its meaning and its default.

The classes are Dagster's pydantic models, so that the launchpad can show them (`launchpad.py`).
"""

from typing import Any, Literal

from aimsciqa_resources.encoder import PACKAGED
from aimsciqa_resources.language_model.named import read_named
from aimsciqa_resources.search_models import read_search_models, without_servers
from aimsciqa_resources.section import Section, readable_by, refuse_bad_address
from pydantic import Field, field_validator

from aimsciqa_assets.settings.rag import FOR_RAG, RagSettings


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


class RefinementSettings(Section):
    """What goes beyond the paper (docs/better-than-the-paper.md). Off in those of the paper."""

    rank_core_pairs: bool = Field(
        default=False,
        description="rank core QA pairs by the entity and the measured attribute that they share, results "
        "before methods, and refuse routine methods, permissions, reagents, definitions and the like "
        "(relations.core_pairs)",
    )
    nearest_papers: int = Field(
        default=0,
        ge=0,
        description="papers without a common keyword that are candidates of a source, too: so many whose "
        "questions are nearest on average; 0: none, as in the paper",
    )
    relations_examined: int = Field(
        default=100, ge=1, description="section pairs of a source whose core QA pairs are ranked, at most"
    )
    model_chooses: bool = Field(
        default=False,
        description="the model sees abstracts and the sentences around the evidence, chooses among several "
        "core pairs and retrieval questions, and names the link (prompts/multi_hop_choice.md)",
    )
    core_pairs_offered: int = Field(
        default=3, ge=1, description="core pairs of a relation that the model chooses from, at most"
    )
    retrieval_questions_offered: int = Field(
        default=5, ge=1, description="retrieval questions that the model chooses from, at most"
    )
    retrieval_specificity: float = Field(
        default=0.0,
        ge=0,
        description="weight of rare names and values, beside the mean distance, when the retrieval question "
        "is chosen; 0: distance alone, as in the paper",
    )
    selective_single_hop: bool = Field(
        default=False,
        description="ask for five pairs of a paragraph at most, best first, without yes/no questions, and "
        "not for closing sections, one-sentence paragraphs and lists of material "
        "(prompts/single_hop_selective.md)",
    )


class BenchmarkSettings(RagSettings):
    """The evaluation: retrieval (section 5.1), answering (5.2), judges and quality gates."""

    split: Literal["all", "test"] = Field(
        default="all", description="accepted items to evaluate: all of them, or the test split"
    )
    whole_variants: str = Field(
        default="",
        description="variants of which all accepted items are evaluated, whatever `split` says, separated by "
        "spaces: cim, as in Table 8 of the paper",
    )
    retrievers: str = Field(
        default=f"bm25 {PACKAGED}",
        description="retrievers, separated by spaces: bm25; a sentence-transformers model (folder or hub "
        "name); one of Table 6 (docs/benchmark.md); server:NAME, a model of the embedding server; A+B, two "
        "of them fused; A>NAME, the first papers of A reordered by the cross-encoder NAME",
    )
    retriever_models: str = Field(
        default="",
        description="further encoders by name, and what differs with those of Table 6, as JSON "
        '(docs/benchmark.md): {"my-e5": {"model": "intfloat/e5-large-v2", "query_prefix": "query: "}}',
    )
    retriever_precision: Literal["float32", "bfloat16"] = Field(
        default="float32",
        description="precision of retrievers that are loaded here; bfloat16 halves their memory (14 GB for "
        "7B parameters, not 28), and gives different vectors",
    )
    trust_remote_code: bool = Field(
        default=False,
        description="run the code that stands in the repositories of retrievers; two of Table 6 need it",
    )
    retrieval_items: int = Field(
        default=0,
        ge=0,
        description="items of each kind that are searched for, drawn at random by the seed; 0: all. What was "
        "not searched for is not answered in the realistic setting",
    )
    evidence_missing: Literal["zero", "skip"] = Field(
        default="zero",
        description="what becomes of queries without gold papers or without a result in "
        "benchmark.evidence_access: they count as 0, or are skipped, as in HopWeaver's code",
    )
    document_text: Literal["title_abstract", "chunks", "questions"] = Field(
        default="title_abstract",
        description="what represents a paper: title and abstract; its text in chunks, of which the best "
        "counts; its kept questions, of which the best counts",
    )
    chunk_words: int = Field(default=200, ge=20, description="words of a chunk at most")
    rerank_depth: int = Field(default=50, ge=1, description="papers that a cross-encoder reorders")
    embedding_base_url: str = Field(
        default="", description="address of the OpenAI-compatible embedding server, up to /v1"
    )
    embedding_api_key_variable: str = Field(
        default="OPENAI_API_KEY", description="environment variable that holds the key of that server"
    )
    answerers: str = Field(
        default="",
        description="models that answer, separated by spaces: extractive, NAME, NAME@ADDRESS of another "
        "server, recorded:NAME for replies that NAME gave, or human:NAME for answers of a person (`aimsciqa "
        "answers`); empty: the answering model alone",
    )
    answer_without_citation: bool = Field(
        default=False,
        description="citation setting: a model whose marker leads to no paper is still asked, with the "
        "source alone (`marker_fault` says so); otherwise its answer counts as wrong",
    )
    models: str = Field(
        default="",
        description="settings of single answerers and judges by name, as JSON, where they differ from those "
        'of the answering or judge model: {"gpt-5": {"api_key_variable": "OPENAI_API_KEY", "temperature": 1, '
        '"extra_body": {"reasoning_effort": "low"}}}; name says what the server calls it, if not this',
    )
    realistic_retriever: str = Field(
        default="",
        description="retriever whose first paper is read in the realistic setting; empty: the first one; "
        "best: the one with the highest Hit@1 in the clusters; best:MRR@5: by another measure",
    )
    answering_items: int = Field(
        default=0,
        ge=0,
        description="items of each kind that the models answer, drawn at random by the seed; 0: all",
    )
    answering_settings: str = Field(
        default="",
        pattern=r"^((oracle|realistic|citation|alone|closed_book)( |$))*$",
        description="settings in which they are answered, separated by spaces: oracle, realistic, citation, "
        "alone (each paper by itself), closed_book; empty: all. The gates need alone and closed_book",
    )
    judges: str = Field(
        default="",
        description="models that judge answers, written like answerers. Empty: the judge model, if it has a "
        "name; the lexical judge always judges too",
    )
    same_family: bool = Field(
        default=False,
        description="a judge also judges the answers of its own model family, as GPT-5 does in the paper",
    )
    bert_score_model: str = Field(
        default="",
        description="model of BERTScore, which the extra bertscore installs (the paper: "
        "microsoft/deberta-xlarge-mnli); empty: no BERTScore",
    )
    quality_judges: str = Field(
        default="", description="models that rate the items in HopWeaver's dimensions; empty: none"
    )
    quality_items: int = Field(
        default=50, ge=1, description="items that the quality judges rate, drawn at random"
    )
    quality_runs: int = Field(
        default=5, ge=1, description="how often each quality judge is asked about an item"
    )
    quality_shown: Literal["usual", "paragraphs", "segments", "facts", "documents"] = Field(
        default="usual",
        description="what a quality judge is shown of each document of an item: paragraphs, that of the "
        "first quote; segments, the passages that HopWeaver's items were made from (else that paragraph); "
        "facts, those that are compared (else the quotes); documents, whole texts; usual: segments of bridge "
        "questions and facts of comparisons, as the authors do, and paragraphs of all others",
    )
    quality_document_words: int = Field(
        default=2000,
        ge=50,
        description="words of a document at most where the quality judges are shown whole documents",
    )
    judges_chosen: int = Field(
        default=5,
        ge=1,
        description="quality judges that the rule chooses, at most: those with high alpha and kappa and a "
        "low spread over their runs, never of a family that wrote items",
    )
    judges_counting: Literal["all", "chosen"] = Field(
        default="all",
        description="whose ratings count in the scores of items and in their order: those of all quality "
        "judges, or of the chosen ones",
    )
    refusals: int = Field(
        default=0,
        ge=0,
        description="pairs refused by the multi-hop model that it judges again by the four criteria, drawn "
        "at random; 0: none. (The paper: about 70 % fail relational appropriateness or cross-reference "
        "necessity.)",
    )
    duplicate_similarity: float = Field(
        default=0.95, gt=0, le=1, description="lowest cosine at which questions are near-duplicates"
    )
    unusable: Literal["wrong", "left_out"] = Field(
        default="wrong",
        description="an answer that could not be given because a paper has no text, and one whose judge's "
        "reply cannot be read: wrong, so that all models rest on the same items; or left_out of the means",
    )
    resamples: int = Field(default=2000, ge=100, description="resamples for intervals and tests")
    resampled: Literal["facts", "items"] = Field(
        default="facts",
        description="what is drawn for intervals and tests: groups of items that share a core QA pair, which "
        "depend on each other, or single items",
    )
    seed: int = Field(default=20241, ge=0, description="seed of random clusters, resamples and draws")

    _address = field_validator("embedding_base_url")(readable_by(refuse_bad_address))
    _encoders_by_name = field_validator("retriever_models")(readable_by(read_search_models))
    _settings_by_name = field_validator("models")(readable_by(read_named))

    def determining(self, setting: str) -> Any:
        """Where a server is and how it knows us changes no ranking, and stays private.

        `rag_reading` is all that determines what RAG baselines read: nothing while there are none.
        """
        if setting == "rag_reading":
            return {name: self.determining(name) for name in FOR_RAG} if self.rag else {}
        value = super().determining(setting)
        return without_servers(value) if setting == "retriever_models" else value

    def named(self, name: str) -> dict[str, Any]:
        """The settings in which a listed model differs: those of NAME@ADDRESS are those of NAME."""
        return read_named(self.models).get(name.partition("@")[0], {})

    def called(self, name: str) -> str:
        """What the server calls a listed model."""
        return str(self.named(name).get("name", name))

    @property
    def retriever_names(self) -> list[str]:
        """The names of the retrievers, each once."""
        return list(dict.fromkeys(self.retrievers.split()))


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
        default="single_document closed_book no_duplicate",
        pattern=r"^((single_document|closed_book|unique_retrieval|no_duplicate|necessity)( |$))*$",
        description="quality gates that no released item may have failed, separated by spaces: "
        "single_document, closed_book, unique_retrieval, no_duplicate, necessity (docs/necessity.md); empty: "
        "none. unique_retrieval is off on purpose: items whose paper two retrievers rank first measure "
        "nothing of retrieval",
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
        description="release also papers whose licence is unknown, forbids derivatives, or allows only text "
        "mining",
    )
    retracted: bool = Field(default=False, description="release also papers that were retracted")


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
    """How files are put into paper batches, and who makes questions of them."""

    papers_per_batch: int = Field(default=500, ge=1, description="files in a paper batch at most")
    single_hop: bool = Field(
        default=True,
        description="AIM-SciQA asks about every paragraph, and makes its items of the replies; false: the "
        "documents are for HopWeaver alone, and AIM-SciQA asks and makes nothing",
    )
    document_bytes: int = Field(
        default=DOCUMENT_BYTES,
        ge=1000,
        description="bytes of a document, a line of JSON, at most; a longer one is not taken in",
    )

    def determining(self, setting: str) -> Any:
        """A switch that is as it always was determines nothing: earlier rows stay as they are."""
        value = super().determining(setting)
        return None if setting == "single_hop" and value else value
