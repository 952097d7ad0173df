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
    """A question as it was made: for a comparison, the passages are its facts.

    `in_common` is what the two subjects of a comparison share, `first_common` and `second_common` the quotes
    that say so.
    """

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
    in_common: str = ""
    first_common: str = ""
    second_common: str = ""


def drafts_of(attempts: Iterable[Mapping[str, Any]]) -> Iterator[Draft]:
    """The questions that attempts gave."""
    return (_draft(row) for row in attempts if row["status"] == "drafted")


def drafts_by_pair(attempts: Iterable[Mapping[str, Any]]) -> list[list[Draft]]:
    """The drafts of a kind and the same two documents, by item."""
    pairs: dict[tuple[str, frozenset[str]], list[Draft]] = {}
    for row in sorted(attempts, key=lambda row: item_id(row["attempt_id"])):
        if row["status"] == "drafted":
            pair = frozenset((row["paper_id"], row["second_paper_id"]))
            pairs.setdefault((row["kind"], pair), []).append(_draft(row))
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
        *(row[name] or "" for name in ("in_common", "first_common_evidence", "second_common_evidence")),
    )


def facts_of(draft: Draft) -> frozenset[Fact]:
    """The attribute of a comparison or the entity of a bridge, and the two quotes."""
    pair = frozenset((draft.first_paper_id, draft.second_paper_id))
    by = draft.entity_a if draft.kind == "bridge" else draft.attribute
    quotes = frozenset((draft.first_evidence, draft.second_evidence))
    return frozenset({(draft.kind, pair, plain(by)), (draft.kind, pair, quotes)})


def common_of(draft: Draft) -> dict[str, str]:
    """The variables of a prompt that tell what two subjects share; none where that was not asked for."""
    if not draft.in_common:
        return {}
    quotes = {"common_a": draft.first_common, "common_b": draft.second_common}
    return {"in_common": draft.in_common} | quotes


def subjects_of(draft: Draft) -> frozenset[str]:
    """The two entities of a comparison, and the documents on them."""
    entities = plain(draft.entity_a), plain(draft.entity_b)
    return frozenset({*entities, draft.first_paper_id, draft.second_paper_id})


def item_id(attempt_id: str) -> str:
    """The item of an attempt."""
    return row_id("item", attempt_id)
