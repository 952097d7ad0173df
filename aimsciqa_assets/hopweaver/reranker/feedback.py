"""Simulated feedback: which candidates of a query a question can be made with (HopWeaver, reranker training).

For each candidate the sub-questions are asked for, as on the way to a bridge question. A candidate that gives
them is a positive, one that does not is a negative, and one to which the model gave no reply is neither.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.hopweaver.dialogues import Asked
from aimsciqa_assets.hopweaver.documents import Document
from aimsciqa_assets.hopweaver.hops import INVALID_CONNECTION, Rules, Start, sub_questions_of
from aimsciqa_assets.hopweaver.replies import BridgeEntity, Declined, SubQuestions
from aimsciqa_assets.retrieval.reranker_training import Group

Label = Literal["positive", "negative", "neither"]
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Lead:
    """The first step of an attempt: an entity with its query, and the candidates in their order."""

    attempt_id: str
    entity: BridgeEntity
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate, and whether it served; `reason` says why not."""

    paper_id: str
    label: Label
    reason: str | None


@dataclass(frozen=True, slots=True)
class Feedback:
    """What was found out about the candidates of a lead; `failure` says why the model gave no reply."""

    lead: Lead
    judged: tuple[Judged, ...]
    failure: str | None = None


def leads(bridges: Iterable[Row], candidates: Iterable[Row]) -> list[Lead]:
    """A lead for each row of `hopweaver.bridges` that has candidates; those of `candidates` are by rank."""
    found: dict[str, list[str]] = {}
    for row in candidates:
        found.setdefault(row["attempt_id"], []).append(row["paper_id"])
    return [
        Lead(row["attempt_id"], _entity(row), tuple(found[row["attempt_id"]]))
        for row in bridges
        if row["attempt_id"] in found
    ]


def _entity(row: Row) -> BridgeEntity:
    return BridgeEntity(
        row["entity"], row["entity_type"], row["segment"], row["segment_evidence"], row["query"]
    )


def feedback(lead: Lead, documents: Mapping[str, Document], rules: Rules) -> Dialogue[Feedback]:
    """Ask about the candidates in their order, until there is a positive and a negative."""
    judged: list[Judged] = []
    failure = None
    for paper_id in lead.candidates:
        asked = yield from sub_questions_of(Start(lead.attempt_id, lead.entity), documents[paper_id], rules)
        failure = failure or asked.failure
        judged.append(_judged(paper_id, asked))
        if {"positive", "negative"} <= {one.label for one in judged}:
            break
    return Feedback(lead, tuple(judged), failure)


def _judged(paper_id: str, asked: Asked[SubQuestions | Declined]) -> Judged:
    if asked.failure:
        return Judged(paper_id, "neither", asked.failure)
    if isinstance(asked.value, SubQuestions):
        return Judged(paper_id, "positive", None)
    return Judged(paper_id, "negative", asked.reason or INVALID_CONNECTION)


def feedback_rows(found: Iterable[Feedback], batch: str) -> list[dict[str, Any]]:
    """Rows of `hopweaver.feedback`."""
    return [
        {
            "attempt_id": one.lead.attempt_id,
            "batch": batch,
            "query": one.lead.entity.query,
            "paper_id": judged.paper_id,
            "position": position,
            "label": judged.label,
            "rejection_reason": judged.reason,
        }
        for one in found
        for position, judged in enumerate(one.judged, start=1)
    ]


def groups_of(rows: Iterable[Row], texts: Mapping[str, str]) -> list[Group]:
    """A group for each query with a positive and a negative, in the order of the rows.

    Documents that are gone are left out. What served a query once is no negative of it.
    """
    by_query: dict[str, dict[str, dict[str, None]]] = {}
    for row in rows:
        if row["paper_id"] in texts:
            labels = by_query.setdefault(row["query"], {"positive": {}, "negative": {}, "neither": {}})
            labels[row["label"]][texts[row["paper_id"]]] = None
    groups = [
        Group(
            query,
            tuple(labels["positive"]),
            tuple(text for text in labels["negative"] if text not in labels["positive"]),
        )
        for query, labels in by_query.items()
    ]
    return [group for group in groups if group.positives and group.negatives]
