"""A sheet for Argilla 2, as a folder that `rg.Dataset.from_disk` reads, and the records that come back.

Checked against the package argilla 2.8.0: its classes read these settings and records, and what
`Dataset.to_disk` and `records.to_json` write has the form that is read here.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from aimsciqa.files import json_text
from aimsciqa_assets.items.form import Criterion, written
from aimsciqa_assets.judging.audit.guidelines import guidelines
from aimsciqa_assets.judging.audit.returned import Returned
from aimsciqa_assets.judging.audit.sheet import COMMENT, KIND, SHEET, SUBJECT, Sheet

Value = Mapping[str, Any]


def argilla_files(sheet: Sheet) -> dict[str, str]:
    """The files of the folder by name: records, and the settings of the dataset."""
    records = [
        {
            "id": subject,
            "fields": dict(cells),
            "metadata": {SHEET: sheet.name, KIND: sheet.kind},
            "suggestions": {},
            "responses": {},
            "vectors": {},
        }
        for subject, cells in sheet.subjects.items()
    ]
    return {
        ".argilla/dataset.json": _json({"name": sheet.name, "allow_extra_metadata": True}),
        ".argilla/settings.json": _json(_settings(sheet)),
        "records.json": _json(records),
    }


def argilla_ratings(number: int, record: Value) -> Iterator[Returned]:
    """What each person answered to a record."""
    metadata, responses = record["metadata"], record["responses"]
    answers: dict[str, dict[str, str]] = {}
    for question, given in responses.items():
        for response in given:
            answers.setdefault(str(response["user_id"]), {})[question] = str(response["value"])
    for person, cells in answers.items():
        identity = {SHEET: metadata.get(SHEET, ""), KIND: metadata.get(KIND, ""), SUBJECT: record["id"]}
        yield Returned(f"record {number}", person, {**cells, **identity})


def _settings(sheet: Sheet) -> dict[str, Any]:
    first = sheet.shown[0]
    fields = [_field(name, required=name == first) for name in sheet.shown]
    # Argilla requires one mandatory question; the others may be left open.
    choices = [_choice(one, required=one is sheet.criteria[0]) for one in sheet.criteria]
    return {
        "guidelines": guidelines(sheet),
        "allow_extra_metadata": True,
        "distribution": {"strategy": "overlap", "min_submitted": 1},
        "fields": fields,
        "questions": [*choices, _comment()],
        "metadata": [_term(SHEET), _term(KIND)],
        "vectors": [],
    }


def _field(name: str, *, required: bool) -> dict[str, Any]:
    settings = {"type": "text", "use_markdown": False}
    return {"name": name, "title": _title(name), "required": required, "settings": settings}


def _choice(criterion: Criterion, *, required: bool) -> dict[str, Any]:
    options = [
        {"value": written(score), "text": f"{written(score)} {meaning}"}
        for score, meaning in criterion.scores.items()
    ]
    return {
        "name": criterion.name,
        "title": _title(criterion.name),
        "description": criterion.decides,
        "required": required,
        "settings": {"type": "label_selection", "options": options},
    }


def _comment() -> dict[str, Any]:
    settings = {"type": "text", "use_markdown": False}
    return {"name": COMMENT, "title": _title(COMMENT), "required": False, "settings": settings}


def _term(name: str) -> dict[str, Any]:
    settings = {"type": "terms", "values": None}
    return {"name": name, "title": _title(name), "visible_for_annotators": True, "settings": settings}


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _json(value: Any) -> str:
    return json_text(value, indent=1)
