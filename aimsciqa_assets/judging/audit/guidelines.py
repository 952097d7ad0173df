"""What a rater is told, beside the sheet."""

from typing import Final

from aimsciqa_assets.items import FORMS
from aimsciqa_assets.items.form import Criterion, written
from aimsciqa_assets.judging.audit.criteria import SINGLE_HOP
from aimsciqa_assets.judging.audit.sheet import Sheet

_ABOUT_PAIRS: Final = (
    "Each row is a question about one paragraph of a paper, with an answer and the evidence, a quote "
    "that is to prove it. The column `paragraph` has the evidence between `[[` and `]]`; the paragraphs "
    "before and after it are there for the context."
)


def guidelines(sheet: Sheet) -> str:
    """The rater's instructions as Markdown."""
    about = _ABOUT_PAIRS if sheet.kind == SINGLE_HOP else FORMS[sheet.kind].sheet.about
    criteria = "\n\n".join(map(_described, sheet.criteria))
    return f"""# {sheet.name}

{about}

Rate each row by itself, without asking other raters. Rely on what is shown; the link leads to the paper.
Leave a rating empty where you cannot decide. What you want to say goes into the column `comment`.

{criteria}

The last columns, `sheet`, `kind` and `subject_id`, say which row of which sheet this is: leave them as they
are. Rows may be sorted. Save the file as CSV (UTF-8) and give it back.
"""


def _described(criterion: Criterion) -> str:
    scores = "\n".join(f"- {written(score)}: {meaning}" for score, meaning in criterion.scores.items())
    return f"## {criterion.name}\n\n{criterion.decides}\n\n{scores}"
