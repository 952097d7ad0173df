"""A sheet for Label Studio: tasks and a labelling interface to import, and the JSON that it exports.

The interface was checked with the parser of label-studio-sdk; its documentation gives the form of an export
(format JSON, not JSON-MIN).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from aimsciqa.files import json_text
from aimsciqa_assets.items.form import Criterion, written
from aimsciqa_assets.judging.audit.returned import Returned
from aimsciqa_assets.judging.audit.sheet import COMMENT, Sheet

Value = Mapping[str, Any]


def label_studio_files(sheet: Sheet) -> dict[str, str]:
    """The files by name: tasks, and the labelling interface."""
    tasks = [{"data": {**cells, **sheet.identity(subject)}} for subject, cells in sheet.subjects.items()]
    return {"tasks.json": json_text(tasks, indent=1), "interface.xml": _interface(sheet)}


def label_studio_ratings(number: int, task: Value) -> Iterator[Returned]:
    """What each person chose in a task; what was skipped is left out."""
    identity = {name: str(value) for name, value in task["data"].items()}
    for annotation in task["annotations"]:
        if annotation.get("was_cancelled"):
            continue
        cells = {chosen["from_name"]: _said(chosen["value"]) for chosen in annotation["result"]}
        yield Returned(f"task {number}", _person(annotation.get("completed_by")), {**identity, **cells})


def _said(value: Value) -> str:
    """What was chosen or typed."""
    for name in ("choices", "text"):
        if name in value:
            said: str | Sequence[str] = value[name]
            return said if isinstance(said, str) else "\n".join(said)
    return str(value.get("rating", ""))


def _person(completed_by: Any) -> str:
    """An export names the person by a number, or with the e-mail address."""
    if isinstance(completed_by, Mapping):
        return str(completed_by.get("email") or completed_by.get("id"))
    return f"user {completed_by}"


def _interface(sheet: Sheet) -> str:
    texts = [
        f'  <Header value={quoteattr(name.replace("_", " "))} size="5"/>\n'
        f'  <Text name="{name}" value="${name}"/>'
        for name in sheet.shown
    ]
    choices = [_choices(criterion, sheet.shown[0]) for criterion in sheet.criteria]
    comment = (
        f'  <Header value="{COMMENT}" size="5"/>\n'
        f'  <TextArea name="{COMMENT}" toName="{sheet.shown[0]}" rows="2" maxSubmissions="1"/>'
    )
    return "\n".join(["<View>", *texts, *choices, comment, "</View>", ""])


def _choices(criterion: Criterion, about: str) -> str:
    options = "".join(
        f'\n    <Choice value="{written(score)}" hint={quoteattr(meaning)}/>'
        for score, meaning in criterion.scores.items()
    )
    said = "; ".join(f"{written(score)} {meaning}" for score, meaning in criterion.scores.items())
    return (
        f'  <Header value={quoteattr(f"{criterion.decides} {said}")} size="5"/>\n'
        f'  <Choices name="{criterion.name}" toName="{about}" choice="single-radio" showInline="true">'
        f"{options}\n  </Choices>"
    )
