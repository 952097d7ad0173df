"""What people rate, and on which scale (section 4.2 and figure 5 of the paper)."""

from typing import Final

from aimsciqa_assets.items import FORMS
from aimsciqa_assets.items.form import Criterion

Kind = str
"""What a sheet is drawn from: `single_hop`, or the name of a form of items."""

SINGLE_HOP: Final = "single_hop"

_OF_PAIRS: Final = (
    Criterion(
        "score",
        "Can the question be understood by itself, does the answer answer it, and does the evidence, "
        "read in its paragraph, prove the answer?",
        {
            0.0: "no: question, answer and evidence do not belong together, or one of them is wrong",
            0.5: "partly: something is missing, vague or more than the evidence says",
            1.0: "yes, all of it",
        },
    ),
)


def sheet_kinds() -> tuple[Kind, ...]:
    """The kinds of sheets that there are."""
    return (SINGLE_HOP, *FORMS)


def criteria_of(kind: Kind) -> tuple[Criterion, ...]:
    """The criteria of a kind of sheet, in the order of its columns."""
    return _OF_PAIRS if kind == SINGLE_HOP else FORMS[kind].sheet.criteria
