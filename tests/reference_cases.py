"""The reference cases of the method's formulas, where `../shared` is at hand."""

import json
from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "shared"


def cases(kind: str) -> list[object]:
    """Parameters for a test over all cases of a kind; one skipped parameter where there are none."""
    path = SHARED / "reference-cases" / "aim-formulas.jsonl"
    if not path.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"{kind}: needs ../shared/reference-cases"))]
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [pytest.param(row, id=row["id"]) for row in rows if row["kind"] == kind]
