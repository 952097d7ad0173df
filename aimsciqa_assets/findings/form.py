"""The items of Findings: two to six documents, of which the reader has none."""

from pathlib import Path
from typing import Final

from aimsciqa_assets.items.form import LIKERT, PLAIN_SETTINGS, Criterion, ItemForm, Kind, SheetForm
from aimsciqa_assets.tables.findings import QUESTION_TYPES

_SHEET: Final = SheetForm(
    "Each row is a question that needs the findings of several papers. The answer states a fact of each "
    "paper, with its quote, and what follows from these facts together.",
    (
        Criterion("fluency", "Is the question correct English, as a person would write it?", LIKERT),
        Criterion(
            "interest", "Would a researcher of the field ask it, and learn something from the answer?", LIKERT
        ),
        Criterion("completeness", "Do the quotes hold everything that the answer says?", LIKERT),
        Criterion(
            "document_necessity",
            "Are all papers needed? Very poor: one of them alone gives the answer.",
            LIKERT,
        ),
        Criterion(
            "comparable",
            "Is what the answer compares the same construct, as the question asks for it?",
            {0.0: "no", 0.5: "partly", 1.0: "yes"},
        ),
    ),
)
_COMPARE: Final = (
    "value_comparison",
    "direction_agreement",
    "explained_conflict",
    "replication",
    "set_comparison",
)

FINDINGS: Final = ItemForm(
    "findings",
    kinds=tuple(
        Kind(
            f"findings_{name}",
            f"Findings: {name.replace('_', ' ')}",
            (*PLAIN_SETTINGS, "realistic"),
            compares=name in _COMPARE,
            tables=True,
        )
        for name in QUESTION_TYPES
    ),
    sheet=_SHEET,
    folder=Path(__file__).parent / "item_form",
)
