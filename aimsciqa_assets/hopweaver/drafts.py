"""Questions as attempts gave them, before they are polished."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from aimsciqa_assets.hopweaver.documents import plain
from aimsciqa_assets.platform.identity import row_id

Kind = Literal["bridge", "comparison"]
Fact = tuple[str, frozenset[str], str | frozenset[str]]
"""What two questions have in common that mirror each other: kind, documents, and what they ask by."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A question as it was made: for a comparison, the passages are its facts."""

    attempt_id: str
    kind: Kind
    question: str
    answer: str
    reasoning_path: str
    first_passage: str
    second_passage: str
    entity_a: str
    entity_b: str = ""
    attribute: str = ""
    hops: tuple[str, ...] = ("", "", "", "")
    first_evidence: str = ""
    second_evidence: str = ""
    first_paper_id: str = ""
    second_paper_id: str = ""


def drafts_of(attempts: Iterable[Mapping[str, Any]]) -> Iterator[Draft]:
    """The questions that attempts gave."""
    return (_draft(row) for row in attempts if row["status"] == "drafted")


def drafts_by_pair(attempts: Iterable[Mapping[str, Any]]) -> list[list[tuple[Draft, frozenset[Fact]]]]:
    """The drafts of a kind and the same two documents, by item, each with what may mirror another."""
    pairs: dict[tuple[str, frozenset[str]], list[tuple[Draft, frozenset[Fact]]]] = {}
    for row in sorted(attempts, key=lambda row: item_id(row["attempt_id"])):
        if row["status"] == "drafted":
            pair = frozenset((row["paper_id"], row["second_paper_id"]))
            pairs.setdefault((row["kind"], pair), []).append((_draft(row), facts_of(row)))
    return list(pairs.values())


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
        row["paper_id"],
        row["second_paper_id"],
    )


def facts_of(attempt: Mapping[str, Any]) -> frozenset[Fact]:
    """The attribute of a comparison or the entity of a bridge, and the two quotes."""
    pair = frozenset((attempt["paper_id"], attempt["second_paper_id"]))
    by = attempt["entity_a"] if attempt["kind"] == "bridge" else attempt["attribute"]
    quotes = frozenset((attempt["first_evidence"], attempt["second_evidence"]))
    return frozenset({(attempt["kind"], pair, plain(by or "")), (attempt["kind"], pair, quotes)})


def item_id(attempt_id: str) -> str:
    """The item of an attempt."""
    return row_id("item", attempt_id)
