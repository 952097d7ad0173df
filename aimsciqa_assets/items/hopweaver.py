"""The items of HopWeaver: two documents, of which the reader has neither."""

from typing import Final

from aimsciqa_assets.items.form import LIKERT, Criterion, ItemForm, Kind, SheetForm

_SHEET: Final = SheetForm(
    "Each row is a question that needs two documents. A bridge question describes something that the first "
    "document singles out, and asks what the second one tells of it; a comparison sets a fact of one "
    "document beside a fact of the other. The evidence is to carry the answer.",
    (
        Criterion("fluency", "Is the question correct English, as a person would write it?", LIKERT),
        Criterion(
            "completeness", "Do the two pieces of evidence hold everything that the answer says?", LIKERT
        ),
        Criterion(
            "document_necessity",
            "Are both documents needed? Very poor: one of them alone gives the answer.",
            LIKERT,
        ),
        Criterion(
            "unambiguous",
            "Does the question, without the documents, mean one thing and have one right answer?",
            {0.0: "no", 0.5: "partly", 1.0: "yes"},
        ),
    ),
)

HOPWEAVER: Final = ItemForm(
    "hopweaver",
    kinds=(
        Kind("bridge", "Bridge question", shown="segments"),
        Kind("comparison", "Comparison question", shown="facts", compares=True),
        Kind(
            "bridge_original",
            "Bridge question before it was polished",
            shown="segments",
            is_earlier_version=True,
        ),
        Kind(
            "comparison_original",
            "Comparison question before it was polished",
            shown="facts",
            compares=True,
            is_earlier_version=True,
        ),
    ),
    sheet=_SHEET,
)
