"""The items of SciDQA: a reviewer asks about a manuscript, which the reader has, and the authors answer."""

from typing import Final

from aimsciqa_assets.items.form import LIKERT, Criterion, ItemForm, Kind, SheetForm

_SHEET: Final = SheetForm(
    "Each row is a question that a reviewer asked about a manuscript, rewritten so that it stands by itself, "
    "with what the authors answered. The evidence, where there is any, was quoted from that manuscript.",
    (
        Criterion("fluency", "Is the question correct English, as a person would write it?", LIKERT),
        Criterion(
            "self_contained",
            "Can the question be understood without the review and the discussion?",
            {0.0: "no", 0.5: "partly", 1.0: "yes"},
        ),
        Criterion("completeness", "Does the answer say all that the question asks for?", LIKERT),
        Criterion(
            "document_necessity",
            "Does it take the manuscript to answer? Very poor: common knowledge is enough.",
            LIKERT,
        ),
    ),
)

SCIDQA: Final = ItemForm(
    "scidqa",
    kinds=(
        Kind(
            "review_question",
            "Question of a review",
            settings=("oracle", "closed_book", "title_abstract", "passages", "segments"),
            long_answers=True,
        ),
    ),
    sheet=_SHEET,
)
