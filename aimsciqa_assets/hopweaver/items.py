"""From attempts to items: polished, decided by rules, with their evidence and the versions that go on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import polars as pl

from aimsciqa_assets.hopweaver.deciding import NOT_POLISHED, rejection_of
from aimsciqa_assets.hopweaver.drafts import Draft, Fact, facts_of, item_id, subjects_of
from aimsciqa_assets.hopweaver.polishing import Polished
from aimsciqa_assets.hopweaver.rows import empty_row
from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.platform.splits import Divided, sentences_of

Row = dict[str, Any]
Evaluated = Literal["polished", "original", "both"]

ITEMS: Final = "hopweaver.items"
READINGS: Final = "hopweaver.readings"
EVIDENCE: Final = "hopweaver.evidence"
VERSIONS: Final = "hopweaver.versions"
SPLITS: Final = "hopweaver.splits"
MIRRORED: Final = "mirrored"
ENTITY_USED: Final = "entity_used"

_KEPT: Final = (
    *("batch", "kind", "attempt_id", "second_paper_id", "entity_a", "entity_b", "attribute", "in_common"),
    *("documents_tried", "model", "model_revision", "prompt_version"),
)
_NAMES: Final = {"bridge": "segment", "comparison": "fact"}


def item_rows(
    attempts: Sequence[Mapping[str, Any]],
    polishings: Iterable[Polished],
    made_by: Mapping[str, Mapping[str, str]],
    *,
    entities_once: bool = False,
) -> list[Row]:
    """Rows of `hopweaver.items`, one for each attempt, by id; `made_by` is the polisher by kind.

    With `entities_once` accepted comparisons share neither an entity nor a document.
    """
    by_attempt = {one.draft.attempt_id: one for one in polishings}
    rows = []
    for attempt in attempts:
        row = empty_row(ITEMS) | {name: attempt[name] for name in _KEPT}
        row |= {"item_id": item_id(attempt["attempt_id"]), "first_paper_id": attempt["paper_id"]}
        row |= {"status": "rejected", "rejection_reason": attempt["rejection_reason"]}
        if (one := by_attempt.get(attempt["attempt_id"])) is not None:
            by = {} if one.status == NOT_POLISHED else made_by[attempt["kind"]]
            row |= _decided(attempt, one) | {f"polisher_{name}": value for name, value in by.items()}
        rows.append(row)
    drafts = {item_id(attempt): one.draft for attempt, one in by_attempt.items()}
    once = _each_pair_once(sorted(rows, key=lambda row: row["item_id"]), drafts)
    return _each_entity_once(once, drafts) if entities_once else once


def reading_rows(
    polishings: Iterable[Polished], batch: str, made_by: Mapping[str, Mapping[str, str]]
) -> list[Row]:
    """Rows of `hopweaver.readings`: what the strict reader said of each question that came to it."""
    return [
        {
            "item_id": item_id(one.draft.attempt_id),
            "batch": batch,
            "kind": one.draft.kind,
            "status": one.reading.status,
            "rejection_reason": one.reading.failure or one.reading.reason,
            "failed": list(one.reading.failed),
            "solution": one.reading.solution or None,
            "reply": one.reading.reply,
            **made_by[one.draft.kind],
        }
        for one in polishings
        if one.reading
    ]


def _each_pair_once(rows: list[Row], drafts: Mapping[str, Draft]) -> list[Row]:
    """Of accepted items of a kind and the same two documents, the first one with a fact stays."""
    kept: set[Fact] = set()
    for row in rows:
        if row["status"] != "accepted":
            continue
        facts = facts_of(drafts[row["item_id"]])
        if facts & kept:
            row |= {"status": "rejected", "rejection_reason": MIRRORED}
        else:
            kept |= facts
    return rows


def _each_entity_once(rows: list[Row], drafts: Mapping[str, Draft]) -> list[Row]:
    """Of accepted comparisons with a common entity or document, the first one stays."""
    kept: set[str] = set()
    for row in rows:
        if row["status"] != "accepted" or row["kind"] != "comparison":
            continue
        subjects = subjects_of(drafts[row["item_id"]])
        if subjects & kept:
            row |= {"status": "rejected", "rejection_reason": ENTITY_USED}
        else:
            kept |= subjects
    return rows


def _decided(attempt: Mapping[str, Any], result: Polished) -> Row:
    """What became of a question."""
    draft, reason = result.draft, rejection_of(result)
    return {
        "status": "rejected" if reason else "accepted",
        "rejection_reason": reason,
        "question": draft.question,
        "answer": draft.answer,
        "reasoning_path": draft.reasoning_path or None,
        "attribute": draft.attribute or None,
        "first_passage": draft.first_passage,
        "second_passage": draft.second_passage,
        "original_question": attempt["question"],
        "original_answer": attempt["answer"],
        "original_reasoning_path": attempt["reasoning_path"],
        "polisher_status": result.status,
        "polisher_reason": result.reason if result.status == "rejected" else None,
        "polisher_reply": result.reply,
    }


def evidence_rows(attempts: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Rows of `hopweaver.evidence`: a quote of each document of every question."""
    rows = []
    for attempt in attempts:
        if attempt["status"] != "drafted":
            continue
        papers = (attempt["paper_id"], attempt["second_paper_id"])
        for position, (role, paper) in enumerate(zip(("first", "second"), papers, strict=True), start=1):
            rows.append(
                {
                    "item_id": item_id(attempt["attempt_id"]),
                    "batch": attempt["batch"],
                    "position": position,
                    "role": role,
                    "paper_id": paper,
                    "name": _NAMES[attempt["kind"]],
                    "question": attempt[f"question_{position}"],
                    "answer": attempt[f"answer_{position}"],
                    "paragraph_id": attempt[f"{role}_paragraph_id"],
                    "evidence": attempt[f"{role}_evidence"],
                    "evidence_start": attempt[f"{role}_start"],
                    "evidence_end": attempt[f"{role}_end"],
                }
            )
    return sorted(rows, key=lambda row: (row["item_id"], row["position"]))


def version_rows(items: Iterable[Mapping[str, Any]], evaluated: Evaluated) -> list[Row]:
    """Rows of `hopweaver.versions`: the versions of accepted items that go on."""
    versions = ("polished", "original") if evaluated == "both" else (evaluated,)
    rows = [
        {
            "version_id": row["item_id"] if len(versions) == 1 or version == "polished" else _original(row),
            "batch": row["batch"],
            "item_id": row["item_id"],
            "kind": row["kind"],
            "version": version,
            "question": row["question"] if version == "polished" else row["original_question"],
            "answer": row["answer"] if version == "polished" else row["original_answer"],
        }
        for row in items
        if row["status"] == "accepted"
        for version in versions
    ]
    return sorted(rows, key=lambda row: row["version_id"])


def _original(row: Mapping[str, Any]) -> str:
    return row_id(row["item_id"], "original")


def divided_versions(
    versions: Iterable[Mapping[str, Any]], items: Iterable[Mapping[str, Any]], evidence: pl.DataFrame
) -> Iterator[Divided]:
    """The versions with what they rest on, to be put into dev and test."""
    places = ("item_id", "position", "paragraph_id", "evidence_start", "evidence_end")
    quotes = {
        f"{item} {position}": (paragraph, start, end)
        for item, position, paragraph, start, end in evidence.select(places).iter_rows()
    }
    sentences = sentences_of(quotes)
    by_id = {row["item_id"]: row for row in items}
    for row in versions:
        item = by_id[row["item_id"]]
        used = tuple(sentences[f"{row['item_id']} {position}"] for position in (1, 2))
        kind = f"{row['kind']} {row['version']}"
        yield Divided(row["version_id"], kind, item["first_paper_id"], item["second_paper_id"], used)
