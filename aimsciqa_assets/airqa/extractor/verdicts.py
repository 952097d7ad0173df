"""What each filter found of an example, as rows: of its making by its reason, of its trajectory by scores."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from aimsciqa_assets.airqa.extractor.acting import Acted
from aimsciqa_assets.airqa.extractor.filters import FAILED, NO_VERDICT, ORDER
from aimsciqa_assets.airqa.extractor.making import MERGED, SURPLUS
from aimsciqa_assets.airqa.extractor.quotas import MULTIPLE, RETRIEVAL, SINGLE
from aimsciqa_assets.airqa.extractor.rows import RULES

VERDICTS: Final = "extractor.verdicts"

_PASSED_BEFORE: Final = {
    None: len(ORDER),
    MERGED: len(ORDER),
    SURPLUS: len(ORDER),
    RULES: ORDER.index("is_no_duplicate"),
    NO_VERDICT: ORDER.index("accepts_its_answer"),
} | {reason: ORDER.index(name) for reason, name in FAILED.items()}
"""How many filters an example passed before it was rejected for a reason."""
_NOTHING_TO_SEE: Final = {
    ("keeps_the_title", SINGLE): "the paper is named",
    ("keeps_the_answer", RETRIEVAL): "the answer is the title",
}

Row = dict[str, Any]


def verdicts_of_making(example: Mapping[str, Any]) -> Iterator[Row]:
    """The verdicts on a row of `extractor.examples`, as far as it came."""
    reason, kind = example["rejection_reason"], example["kind"]
    if kind == MULTIPLE:
        yield from (_row(example, name, "none", "its parts were looked at") for name in ORDER)
        return
    # A try that ended with a reply that could not be used has evidence at most.
    passed = _PASSED_BEFORE.get(reason, 1 if example["evidence_table"] else 0)
    for name in ORDER[:passed]:
        nothing = _NOTHING_TO_SEE.get((name, kind))
        yield _row(example, name, "none" if nothing else "passed", nothing)
    if reason in FAILED:
        yield _row(example, FAILED[reason], "failed", example["detail"])


def verdicts_of_acting(acted: Acted) -> Iterator[Row]:
    """The verdicts on a trajectory."""
    for name, verdict in acted.verdicts.items():
        said = "none" if verdict is None else "passed" if verdict else "failed"
        yield _row(acted.example, name, said, None)


def _row(example: Mapping[str, Any], name: str, verdict: str, detail: str | None) -> Row:
    return {
        "example_id": example["example_id"],
        "batch": example["batch"],
        "filter": name,
        "verdict": verdict,
        "detail": detail,
    }
