"""Rows of the tables of HopWeaver, from documents and attempts. Those of items are made in `items.py`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import polars as pl

from aimsciqa_assets.hopweaver.bridges import Bridge
from aimsciqa_assets.hopweaver.dialogues import Turn
from aimsciqa_assets.hopweaver.documents import Document, Limits, Place, standing, words_in
from aimsciqa_assets.hopweaver.hops import Tried
from aimsciqa_assets.hopweaver.replies import SubQuestions
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.tables import TABLES

Row = dict[str, Any]
MadeBy = Mapping[str, str]
"""Model, its revision and the version of the prompts."""

ATTEMPTS: Final = "hopweaver.attempts"
BRIDGES: Final = "hopweaver.bridges"
CANDIDATES: Final = "hopweaver.candidates"
REPLIES: Final = "hopweaver.replies"
DOCUMENTS: Final = "hopweaver.documents"
_HOPS: Final = ("question_1", "answer_1", "question_2", "answer_2")


def document_frame(
    documents: Sequence[Document], tokens: Sequence[int], batch: str, limits: Limits
) -> pl.DataFrame:
    """Rows of `hopweaver.documents`: whether questions may start from a document."""
    rows = []
    for document, count in zip(documents, tokens, strict=True):
        found = standing(document, count, limits)
        rows.append(
            {
                "paper_id": document.document_id,
                "batch": batch,
                "characters": len(document.text),
                "words": words_in(document.text),
                "tokens": count,
                "status": found.status,
                "rejection_reason": found.reason,
            }
        )
    return frame_of(DOCUMENTS, rows).sort("paper_id")


def bridge_rows(bridges: Iterable[Bridge], batch: str, made_by: MadeBy) -> dict[str, list[Row]]:
    """Rows of attempts, bridges, candidates and replies, by table."""
    rows: dict[str, list[Row]] = {ATTEMPTS: [], BRIDGES: [], CANDIDATES: [], REPLIES: []}
    for made in bridges:
        rows[ATTEMPTS].append(_attempt(made, batch) | dict(made_by))
        rows[BRIDGES].append(_bridge(made, batch))
        rows[CANDIDATES] += [
            _candidate(made, one, rank, batch) for rank, one in enumerate(made.tried, start=1)
        ]
        rows[REPLIES] += reply_rows(made.attempt_id, batch, made.turns)
    return rows


def reply_rows(attempt_id: str, batch: str, turns: Iterable[Turn]) -> list[Row]:
    """Rows of `hopweaver.replies`, for an attempt of either kind."""
    return [
        {
            "attempt_id": attempt_id,
            "batch": batch,
            "position": position,
            "step": turn.task,
            "paper_id": turn.paper_id,
            "reply": turn.reply,
            "rejection_reason": turn.reason,
        }
        for position, turn in enumerate(turns, start=1)
    ]


def evidence_columns(column: str, place: Place | None) -> Row:
    """A place in the columns of a table."""
    return {
        f"{column}_paragraph_id": place and place.paragraph_id,
        f"{column}_start": place and place.start,
        f"{column}_end": place and place.end,
        f"{column}_evidence": place and place.text,
    }


def empty_row(table: str) -> Row:
    """A row in which every column is null."""
    return {column.name: None for column in TABLES[table].columns}


def _attempt(made: Bridge, batch: str) -> Row:
    chosen = made.chosen
    said, fusion = (chosen.said, chosen.fusion) if chosen else (None, None)
    return empty_row(ATTEMPTS) | {
        "attempt_id": made.attempt_id,
        "batch": batch,
        "kind": "bridge",
        "paper_id": made.source.document_id,
        "status": "drafted" if chosen else "rejected",
        "rejection_reason": made.reason,
        "documents_tried": sum(one.was_asked_about for one in made.tried),
        "second_paper_id": chosen and chosen.found.document_id,
        "entity_a": made.entity and made.entity.name,
        "question": fusion and fusion.question,
        "answer": fusion and fusion.answer,
        "reasoning_path": fusion and said and (fusion.reasoning_path or said.reasoning_path),
        **_hops(said),
        "first_passage": made.entity.segment if chosen and made.entity else None,
        **evidence_columns("first", made.place if chosen else None),
        "second_passage": said and said.segment_b,
        **evidence_columns("second", chosen.place if chosen else None),
    }


def _bridge(made: Bridge, batch: str) -> Row:
    entity = made.entity
    return {
        "attempt_id": made.attempt_id,
        "batch": batch,
        "paper_id": made.source.document_id,
        "entity": entity and entity.name,
        "entity_type": entity and entity.type,
        "segment": entity and entity.segment,
        "query": entity and entity.query,
        **evidence_columns("segment", made.place),
        "status": "found" if entity else "rejected",
        "rejection_reason": made.entity_reason,
    }


def _candidate(made: Bridge, tried: Tried, rank: int, batch: str) -> Row:
    selected, said, fusion = tried.found.selected, tried.said, tried.fusion
    return {
        "attempt_id": made.attempt_id,
        "batch": batch,
        "kind": "bridge",
        "paper_id": selected.document_id,
        "rank": rank,
        "score": selected.score,
        "relevance": selected.relevance,
        "source_similarity": selected.source,
        "redundancy": selected.redundancy,
        "reranker_score": tried.found.reranker_score,
        "queries": list(tried.found.queries),
        "tried": tried.was_asked_about,
        "outcome": tried.outcome,
        "rejection_reason": tried.reason,
        "connection": said and said.connection,
        **_hops(said),
        "question": fusion and fusion.question,
        "answer": fusion and fusion.answer,
        "reasoning_path": fusion and fusion.reasoning_path,
    }


def _hops(said: SubQuestions | None) -> Row:
    return {name: said and getattr(said, name) for name in _HOPS}
