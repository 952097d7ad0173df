"""The reference cases, where `../shared` is at hand: of the method's formulas, HopWeaver's, AirQA's."""

import json
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).parents[2] / "shared"


def cases(kind: str) -> list[Any]:
    """Parameters for a test over all cases of a kind; one skipped parameter where there are none."""
    rows = _rows("aim-formulas.jsonl")
    if rows is None:
        return _skipped(kind)
    return [pytest.param(row, id=row["id"]) for row in rows if row["kind"] == kind]


def all_cases(name: str) -> list[Any]:
    """Parameters for a test over all cases of a file; one skipped parameter where it is not there."""
    rows = _rows(f"{name}.jsonl")
    if rows is None:
        return _skipped(name)
    return [pytest.param(row, id=row.get("id", str(number))) for number, row in enumerate(rows)]


def _rows(file: str) -> list[dict[str, Any]] | None:
    path = SHARED / "reference-cases" / file
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else None


def _skipped(what: str) -> list[Any]:
    return [pytest.param(None, marks=pytest.mark.skip(reason=f"{what}: needs ../shared/reference-cases"))]
