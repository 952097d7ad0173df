"""Every setting of Findings, with its meaning and its default."""

from aimsciqa_resources.section import Section
from pydantic import Field

_TYPES = (
    "value_comparison|direction_agreement|explained_conflict|replication|set_comparison|bridge|"
    "method_outcome|citation_fidelity"
)


class FindingsSettings(Section):
    """Questions across papers from their findings (docs/findings.md)."""

    findings_per_paper: int = Field(default=40, ge=1, le=200, description="findings of a paper at most")
    part_tokens: int = Field(
        default=24_000,
        ge=1_000,
        description="tokens of a paper in a request at most; a longer paper is read in parts",
    )
    measure_similarity: float = Field(
        default=0.6,
        gt=0,
        lt=1,
        description="cosine from which two terms may be one measure; a model then names them",
    )
    terms_per_request: int = Field(
        default=40, ge=2, description="terms that a request of the vocabulary names at most"
    )
    largest_neighbourhood: int = Field(
        default=16, ge=2, le=64, description="papers of a neighbourhood at most"
    )
    groups_per_request: int = Field(default=8, ge=1, description="groups in a drafting request at most")
    compared_findings: int = Field(
        default=60,
        ge=0,
        description="findings of neighbours shown beside all of a new paper at most; 0: no such group",
    )
    drafts_per_group: int = Field(default=3, ge=1, le=10, description="drafts of a group at most")
    types: str = Field(
        default=_TYPES.replace("|", " "),
        pattern=rf"^(({_TYPES})( |$))+$",
        description="the types of questions to draft, separated by spaces",
    )
    share_of_paper: float = Field(
        default=0.25, gt=0, le=1, description="share of a batch's questions that rest on one paper, at most"
    )
    passages: int = Field(
        default=12, ge=0, le=500, description="passages of other papers that a challenge shows at most"
    )
    text_tokens: int = Field(
        default=60_000,
        ge=0,
        description="tokens of whole papers that a challenge or a reading shows; if they have more: passages",
    )
    rounds: int = Field(default=3, ge=1, le=6, description="rounds of challenge and reading at most")
    readers: int = Field(
        default=2, ge=1, le=3, description="strict readers who have to call the same wording good"
    )
    relabelled_papers: int = Field(
        default=12, ge=0, description="papers whose cards a relabelling shows at most; 0: no relabelling"
    )
    question_words: int = Field(default=50, ge=10, description="words of a question at most")
