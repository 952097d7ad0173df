"""Rows of `extractor.examples` and `extractor.quotas`."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from aimsciqa_assets.airqa.examples.checks import problems_of
from aimsciqa_assets.airqa.examples.example import WITHOUT_PAPER, Evaluator, Example
from aimsciqa_assets.airqa.extractor.trying import Tried
from aimsciqa_assets.tables import TABLES

EXAMPLES: Final = "extractor.examples"
QUOTAS: Final = "extractor.quotas"
ANNOTATOR: Final = "aimsciqa"
ACCEPTED: Final = "accepted"
REJECTED: Final = "rejected"
RULES: Final = "breaks_a_rule"
"""The reason of an example that AirQA's own rules refuse."""

Row = dict[str, Any]

_TAGS: Final = {"sections": "text", None: "text"}
_UNCATEGORIZED: Final = "uncategorized"
_LISTS: Final = ("tags", "anchor_pdf", "conference", "papers", "parts")


def row_of(tried: Tried, batch: str, models: Mapping[str, str]) -> Row:
    """The row of a try; `models` are explorer, tracker and the version of their prompts."""
    quota, example, evidence = tried.seed.quota, tried.example, tried.evidence
    asked_tracker = quota.element is not None and example is not None
    row = _empty() | {
        "example_id": tried.example_id,
        "kind": quota.kind,
        "element": quota.element,
        "batch": batch,
        "try_number": tried.seed.number,
        "papers": [tried.seed.paper],
        "explored": tried.explored,
        "tracked": tried.tracked,
        "explorer": models["explorer"],
        "tracker": models["tracker"] if asked_tracker or tried.tracked else None,
        "prompt_version": models["prompt_version"],
        "status": REJECTED if tried.reason else ACCEPTED,
        "rejection_reason": tried.reason,
        "detail": tried.detail,
    }
    if evidence:
        row |= {
            "evidence": evidence.text,
            "evidence_table": evidence.table,
            "evidence_key": evidence.key,
            "evidence_page": evidence.page,
        }
    if example is None:
        return row
    finds = quota.kind in WITHOUT_PAPER
    row |= {
        "question": example.question,
        "answer": json.dumps(example.answer, ensure_ascii=False),
        "answer_format": example.answer_format,
        "eval_func": example.evaluator["eval_func"],
        "evaluator": json.dumps(example.evaluator, ensure_ascii=False),
        "tags": [
            quota.kind,
            _TAGS.get(quota.element) or str(quota.element),
            "subjective" if example.is_subjective else "objective",
        ],
        "anchor_pdf": [] if finds else [tried.seed.paper],
        "conference": [conference_of(tried.venue)] if finds else [],
    }
    return with_shape(row)


def merged_row(merged: Row) -> Row:
    """The row of a multiple example."""
    return with_shape(_empty() | merged | {"try_number": 1, "status": ACCEPTED})


def with_shape(row: Row) -> Row:
    """The row with the example as AirQA writes it, rejected where AirQA's rules refuse that."""
    example = Example(
        uuid=row["example_id"],
        question=row["question"],
        answer_format=row["answer_format"],
        tags=row["tags"],
        anchor_pdf=row["anchor_pdf"],
        reference_pdf=[],
        conference=row["conference"],
        evaluator=Evaluator.model_validate_json(row["evaluator"]),
        annotator=ANNOTATOR,
    )
    row = row | {"shape": json.dumps(example.shape(), ensure_ascii=False)}
    problems = problems_of([example]) if row["rejection_reason"] is None else []
    return rejected(row, RULES, problems[0].told) if problems else row


def rejected(row: Row, reason: str, detail: str | None) -> Row:
    """The row with the reason why the example is not kept."""
    return row | {"status": REJECTED, "rejection_reason": reason, "detail": detail}


def conference_of(venue: str) -> str:
    """Conference and year as one word in small letters, as examples name it."""
    letters = "".join(one for one in venue.lower() if one.isascii() and one.isalpha())
    year = re.search(r"[12][0-9]{3}\Z", venue)
    return f"{letters}{year[0]}" if letters not in ("", _UNCATEGORIZED) and year else _UNCATEGORIZED


def quota_row(of: Sequence[str], wanted: int, tries: int, accepted: int, **more: Any) -> Row:
    """The row of a quota; `of` are its kind, element and evaluator."""
    kind, element, evaluator = of
    return {
        "kind": kind,
        "element": element,
        "evaluator": evaluator,
        "wanted": wanted,
        "seeds": None,
        "tries": tries,
        "accepted": accepted,
        "merged": 0,
        "missing": 0,
        "why": None,
    } | more


def _empty() -> Row:
    names = [column.name for column in TABLES[EXAMPLES].columns]
    return dict.fromkeys(names) | {name: [] for name in _LISTS}
