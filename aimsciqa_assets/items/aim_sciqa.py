"""The items of AIM-SciQA: two papers, of which one is in hand and the other is found first."""

from typing import TYPE_CHECKING, Final

from aimsciqa_assets.items.form import LIKERT, PLAIN_SETTINGS, Criterion, ItemForm, Kind, SheetForm

if TYPE_CHECKING:
    from aimsciqa_assets.items.published import Published


def _published() -> "Published":
    from aimsciqa_assets.items.aim_sciqa_published import PUBLISHED

    return PUBLISHED


_SHEET: Final = SheetForm(
    "Each row is a question that needs two papers: the source, which the reader has in hand, and the target, "
    "which has to be found first. It was made from a fact of each (`source_question`, `source_answer`, "
    "`source_evidence`, and likewise of the target). The retrieval question is to lead to the target among "
    "the papers listed under `other_papers`.",
    (
        Criterion("fluency", "Is the question correct English, as a person would write it?", LIKERT),
        Criterion(
            "completeness", "Do the two pieces of evidence hold everything that the answer says?", LIKERT
        ),
        Criterion(
            "cross_reference_necessity",
            "Are both papers needed? Very poor: one of them alone gives the answer.",
            LIKERT,
        ),
        Criterion(
            "relational_appropriateness",
            "Does it make scientific sense to treat these two papers in one question?",
            LIKERT,
        ),
        Criterion(
            "retrieval_question_unique",
            "Is the target the only paper that the retrieval question fits, as far as the titles under "
            "other_papers, and the abstracts in the columns after them, tell?",
            {0.0: "no: another paper fits it, too, or the target does not", 1.0: "yes"},
        ),
    ),
    first=(
        *("question", "answer", "source_paper", "source_evidence", "target_paper", "target_evidence"),
        *("fluency", "completeness", "cross_reference_necessity", "relational_appropriateness"),
        *("retrieval_question", "other_papers", "retrieval_question_unique"),
    ),
)

MULTI_HOP: Final = ItemForm(
    "multi_hop",
    kinds=(
        Kind("im", "IM: implicit similarity", (*PLAIN_SETTINGS, "realistic")),
        Kind("cim", "CIM: citation", (*PLAIN_SETTINGS, "realistic", "citation")),
    ),
    sheet=_SHEET,
    published=_published,
)
