"""Every setting of SciDQA, with its meaning and its default."""

from aimsciqa_resources.section import Section
from pydantic import Field


class ScidqaSettings(Section):
    """Review threads (docs/reviews.md), the questions and answers in them (docs/scidqa.md), and what
    manuscripts say of them (docs/scidqa-manuscripts.md).
    """

    @property
    def asks(self) -> bool:
        """Whether its model is asked anything."""
        return self.extraction or bool(self.versions)

    @property
    def versions(self) -> list[str]:
        """The versions in which evidence is looked for."""
        return list(dict.fromkeys(self.evidence_versions.split()))

    forums_per_batch: int = Field(
        default=500, ge=1, description="forums in a paper batch at most; a forum stays in its batch"
    )
    extraction: bool = Field(
        default=False,
        description="have the model of the section scidqa_model find pairs of question and answer in the "
        "discussions of reviews, and judge and rewrite them; two requests for a discussion",
    )
    perplexity_model: str = Field(
        default="",
        description="folder of a causal language model (the paper: GPT-2) by which the perplexity of pairs "
        "is measured before and after they are rewritten; empty: it is not measured",
    )
    evidence_versions: str = Field(
        default="",
        pattern=r"^((initial|final)( |$))*$",
        description="versions of manuscripts in which the model of the section scidqa_model looks for "
        "evidence, separated by spaces: initial, final; a request for each accepted pair and version; empty: "
        "none",
    )
    evidence_paragraphs: int = Field(
        default=12, ge=1, description="paragraphs of a version that it is shown for a pair, at most"
    )
    evidence_retriever: str = Field(
        default="bm25",
        min_length=1,
        description="retriever that chooses them by question and answer, written like those of the benchmark",
    )
