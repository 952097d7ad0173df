"""From attempts to items: polished, decided by rules, with their evidence and the versions that go on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import polars as pl
from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.hopweaver.comparison.constraints import broken_polishing as broken_comparison
from aimsciqa_assets.hopweaver.constraints import broken_polishing
from aimsciqa_assets.hopweaver.documents import plain
from aimsciqa_assets.hopweaver.polishing import Draft, Polished, polished
from aimsciqa_assets.hopweaver.rows import empty_row
from aimsciqa_assets.hopweaver.wording import broken_rewording
from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.platform.splits import Divided, sentences_of

Row = dict[str, Any]
Fact = tuple[str, frozenset[str], str | frozenset[str]]
"""What two questions have in common that mirror each other: kind, documents, and what they ask by."""
Evaluated = Literal["polished", "original", "both"]

ITEMS: Final = "hopweaver.items"
EVIDENCE: Final = "hopweaver.evidence"
VERSIONS: Final = "hopweaver.versions"
SPLITS: Final = "hopweaver.splits"
REJECTED: Final = "rejected_by_polisher"
UNREADABLE: Final = "unreadable_polishing"
NOT_POLISHED: Final = "not_polished"
MIRRORED: Final = "mirrored"

_KEPT: Final = (
    *("batch", "kind", "attempt_id", "second_paper_id", "entity_a", "entity_b", "attribute"),
    *("documents_tried", "model", "model_revision", "prompt_version"),
)
_NAMES: Final = {"bridge": "segment", "comparison": "fact"}


def drafts_of(attempts: Iterable[Mapping[str, Any]]) -> Iterator[Draft]:
    """The questions that attempts gave."""
    return (_draft(row) for row in attempts if row["status"] == "drafted")


def drafts_by_pair(attempts: Iterable[Mapping[str, Any]]) -> list[list[tuple[Draft, frozenset[Fact]]]]:
    """The drafts of a kind and the same two documents, by item, each with what may mirror another."""
    pairs: dict[tuple[str, frozenset[str]], list[tuple[Draft, frozenset[Fact]]]] = {}
    for row in sorted(attempts, key=lambda row: item_id(row["attempt_id"])):
        if row["status"] == "drafted":
            pair = frozenset((row["paper_id"], row["second_paper_id"]))
            pairs.setdefault((row["kind"], pair), []).append((_draft(row), _facts(row)))
    return list(pairs.values())


@dataclass(frozen=True, slots=True)
class PolishedPair:
    """What became of the drafts on the same two documents."""

    polishings: tuple[Polished, ...]

    @property
    def failure(self) -> str | None:
        """Why the model gave no reply to one of them; None where it did."""
        return next((one.failure for one in self.polishings if one.failure), None)


def polished_once(drafts: Sequence[tuple[Draft, frozenset[Fact]]], tries: int) -> Dialogue[PolishedPair]:
    """Polish drafts on the same two documents; one that mirrors an accepted one goes on unasked.

    `item_rows` rejects it as `mirrored`.
    """
    kept: set[Fact] = set()
    done = []
    for draft, facts in drafts:
        one = unpolished(draft) if facts & kept else (yield from polished(draft, tries))
        if rejection_of(one) is None:
            kept |= facts
        done.append(one)
    return PolishedPair(tuple(done))


def _draft(row: Mapping[str, Any]) -> Draft:
    return Draft(
        row["attempt_id"],
        row["kind"],
        row["question"],
        row["answer"],
        row["reasoning_path"] or "",
        row["first_passage"],
        row["second_passage"],
        row["entity_a"],
        row["entity_b"] or "",
        row["attribute"] or "",
        tuple(row[name] or "" for name in ("question_1", "answer_1", "question_2", "answer_2")),
        row["first_evidence"],
        row["second_evidence"],
    )


def _facts(attempt: Mapping[str, Any]) -> frozenset[Fact]:
    """The attribute of a comparison or the entity of a bridge, and the two quotes."""
    pair = frozenset((attempt["paper_id"], attempt["second_paper_id"]))
    by = attempt["entity_a"] if attempt["kind"] == "bridge" else attempt["attribute"]
    quotes = frozenset((attempt["first_evidence"], attempt["second_evidence"]))
    return frozenset({(attempt["kind"], pair, plain(by or "")), (attempt["kind"], pair, quotes)})


def unpolished(draft: Draft) -> Polished:
    """A draft that goes on as it is."""
    return Polished(NOT_POLISHED, draft)


def item_id(attempt_id: str) -> str:
    """The item of an attempt."""
    return row_id("item", attempt_id)


def item_rows(
    attempts: Sequence[Mapping[str, Any]],
    polishings: Iterable[Polished],
    made_by: Mapping[str, Mapping[str, str]],
) -> list[Row]:
    """Rows of `hopweaver.items`, one for each attempt, by id; `made_by` is the polisher by kind."""
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
    facts = {item_id(one["attempt_id"]): _facts(one) for one in attempts if one["status"] == "drafted"}
    return _each_pair_once(sorted(rows, key=lambda row: row["item_id"]), facts)


def _each_pair_once(rows: list[Row], facts: Mapping[str, frozenset[Fact]]) -> list[Row]:
    """Of accepted items of a kind and the same two documents, the first one with a fact stays."""
    kept: set[Fact] = set()
    for row in rows:
        if row["status"] != "accepted":
            continue
        if facts[row["item_id"]] & kept:
            row |= {"status": "rejected", "rejection_reason": MIRRORED}
        else:
            kept |= facts[row["item_id"]]
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
        "first_passage": draft.first_passage,
        "second_passage": draft.second_passage,
        "original_question": attempt["question"],
        "original_answer": attempt["answer"],
        "original_reasoning_path": attempt["reasoning_path"],
        "polisher_status": result.status,
        "polisher_reason": result.reason if result.status == "rejected" else None,
        "polisher_reply": result.reply,
    }


def rejection_of(result: Polished) -> str | None:
    """Why a polished question is no item; None where it is one."""
    if result.status == "error":
        return result.failure or UNREADABLE
    if result.status == "rejected":
        return REJECTED
    draft = result.draft
    if result.status not in ("adjust", "reworked"):
        return None
    if draft.kind == "comparison":
        return broken_comparison(draft)
    broken = broken_polishing(draft.question, draft.answer, draft.entity_a)
    return broken or broken_rewording(draft)


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
