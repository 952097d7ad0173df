"""Rows of the tables of HopWeaver, from syntheses of comparisons."""

from collections.abc import Iterable
from typing import Final, Literal

from aimsciqa_assets.hopweaver.comparison.queries import Queries, Recommendation
from aimsciqa_assets.hopweaver.comparison.steps import Candidate, Synthesis
from aimsciqa_assets.hopweaver.rows import (
    ATTEMPTS,
    CANDIDATES,
    REPLIES,
    MadeBy,
    Row,
    empty_row,
    evidence_columns,
    reply_rows,
)

COMPARISONS: Final = "hopweaver.comparisons"
ATTRIBUTES: Final = "hopweaver.attributes"
TABLES_OF_COMPARISONS: Final = (ATTEMPTS, COMPARISONS, ATTRIBUTES, CANDIDATES, REPLIES)


def comparison_rows(
    syntheses: Iterable[Synthesis], batch: str, made_by: MadeBy, scored_by: str
) -> dict[str, list[Row]]:
    """Rows of attempts, comparisons, attributes, candidates and replies, by table.

    `scored_by` is the model that scores, which may be another one than the model that made the rest.
    """
    rows: dict[str, list[Row]] = {table: [] for table in TABLES_OF_COMPARISONS}
    for made in syntheses:
        rows[ATTEMPTS].append(_attempt(made, batch) | dict(made_by))
        rows[COMPARISONS].append(_comparison(made, batch, scored_by))
        rows[ATTRIBUTES] += _attributes(made, batch)
        rows[CANDIDATES] += [
            _candidate(made, one, rank, batch) for rank, one in enumerate(made.candidates, start=1)
        ]
        rows[REPLIES] += reply_rows(made.attempt_id, batch, made.turns)
    return rows


def _attempt(made: Synthesis, batch: str) -> Row:
    found = made.grounded
    comparison, common = found and found.comparison, found and found.common
    return empty_row(ATTEMPTS) | {
        "attempt_id": made.attempt_id,
        "batch": batch,
        "kind": "comparison",
        "paper_id": made.source.document_id,
        "status": "drafted" if found else "rejected",
        "rejection_reason": made.reason,
        "documents_tried": made.tried,
        "second_paper_id": found and found.document_id,
        "entity_a": comparison.entity_a if comparison else made.subject and made.subject.name,
        "entity_b": comparison and comparison.entity_b,
        "attribute": comparison and comparison.attribute_compared,
        "question": comparison and comparison.multi_hop_question,
        "answer": comparison and comparison.answer,
        "first_passage": comparison and comparison.fact_entity_a,
        **evidence_columns("first", found.first if found else None),
        "second_passage": comparison and comparison.fact_entity_b,
        **evidence_columns("second", found.second if found else None),
        "in_common": comparison.in_common if comparison and common else None,
        **evidence_columns("first_common", common[0] if common else None),
        **evidence_columns("second_common", common[1] if common else None),
    }


def _comparison(made: Synthesis, batch: str, scored_by: str) -> Row:
    comparison = made.grounded and made.grounded.comparison
    suggested = made.queries if isinstance(made.queries, Recommendation) else None
    return {
        "attempt_id": made.attempt_id,
        "batch": batch,
        "paper_id": made.source.document_id,
        "subject": made.subject and made.subject.name,
        "subject_type": made.subject and made.subject.type,
        "without_subject": made.why or None,
        "concreteness": made.scores and made.scores.concreteness,
        "scored_by": made.scores and scored_by,
        "search": _form(made.queries),
        "queries": made.queries and list(made.queries.queries),
        "templated_because": made.query_fault,
        "suggested_entity": suggested and suggested.entity,
        "suggested_attribute": suggested and suggested.attribute,
        "first_paragraph": comparison and comparison.relevant_paragraph_a,
        "second_paragraph": comparison and comparison.relevant_paragraph_b,
        "status": "found" if made.queries else "rejected",
        "rejection_reason": None if made.queries else made.reason,
    }


def _form(queries: Queries | None) -> Literal["recommended", "diversified", "templated"] | None:
    if queries is None:
        return None
    if isinstance(queries, Recommendation):
        return "recommended"
    return "templated" if queries.templated else "diversified"


def _attributes(made: Synthesis, batch: str) -> list[Row]:
    """The attributes of the subject, each with the score that was joined to it."""
    attributes = made.subject.attributes if made.subject else ()
    scores = dict(reversed(made.joined))
    return [
        {
            "attempt_id": made.attempt_id,
            "batch": batch,
            "position": position,
            "name": attribute.name,
            "value": attribute.value,
            "comparability": scores.get(attribute),
            "kept": attribute in made.kept,
        }
        for position, attribute in enumerate(attributes, start=1)
    ]


def _candidate(made: Synthesis, candidate: Candidate, rank: int, batch: str) -> Row:
    found, comparison = candidate.found, candidate.comparison
    return empty_row(CANDIDATES) | {
        "attempt_id": made.attempt_id,
        "batch": batch,
        "kind": "comparison",
        "paper_id": found.document_id,
        "rank": rank,
        "score": found.score,
        "relevance": found.relevance,
        "source_similarity": found.source,
        "redundancy": found.redundancy,
        "queries": list(candidate.queries),
        "tried": candidate.outcome != "not_tried",
        "outcome": candidate.outcome,
        "rejection_reason": candidate.reason,
        "question": comparison and comparison.multi_hop_question,
        "answer": comparison and comparison.answer,
    }
