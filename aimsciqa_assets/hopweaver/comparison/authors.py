"""Replies about comparisons in the shapes in which HopWeaver's authors keep them, by the name of the step.

What a polisher says is in `hopweaver/authors.py`. Replies are read as the authors read them, unless another
reading is named.
"""

from collections.abc import Mapping
from typing import Any

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.comparison.queries import (
    DIVERSIFIED,
    RECOMMENDED,
    Recommendation,
    templates,
)
from aimsciqa_assets.hopweaver.comparison.questions import FIELDS, Comparison
from aimsciqa_assets.hopweaver.comparison.scores import AttributeScore, Scores
from aimsciqa_assets.hopweaver.comparison.subjects import Attribute, Subject
from aimsciqa_assets.hopweaver.comparison.tasks import READINGS, Reading

Shape = dict[str, Any]


def compare_entity(text: str, reading: Reading = "released") -> Shape:
    """The subject and its attributes; nothing for a reply without a subject."""
    read = READINGS[reading].subject.read(text)
    subject = read.partial if isinstance(read, Fault) else read
    if not isinstance(subject, Subject):
        return {}
    attributes = [{"name": one.name, "value": one.value} for one in subject.attributes]
    shape: Shape = {"subject_entity": {"name": subject.name, "type": subject.type}}
    return shape | ({"attributes": attributes} if attributes else {})


def entity_filter(text: str, document_id: str, reading: Reading = "released") -> Shape:
    """The scores; 0 for a subject without one. Name and type of the subject are no part of a reply."""
    read = READINGS[reading].scores.read(text)
    scores = (read.partial if isinstance(read, Fault) else read) or Scores(0, ())
    return {
        "entity_score": {
            "document_id": document_id,
            "entity_name": "unknown",
            "entity_type": "unknown",
            "concreteness_score": scores.concreteness,
        },
        "attribute_scores": [
            {"name": one.name, "value": one.value, "comparability_score": one.comparability}
            for one in scores.attributes
        ],
    }


def threshold_filter(
    scored: Mapping[str, Any],
    entity: Mapping[str, Any],
    entity_threshold: float = 4,
    attribute_threshold: float = 4,
    *,
    reading: Reading = "released",
) -> Shape | None:
    """An entity with the attributes that are scored high enough; None where it, or none of them, is."""
    concreteness = scored["entity_score"]["concreteness_score"]
    scores = tuple(
        AttributeScore(one["name"], one.get("value", ""), one["comparability_score"])
        for one in scored["attribute_scores"]
    )
    attributes = [Attribute(one["name"], one["value"]) for one in entity.get("attributes", ())]
    joined = READINGS[reading].joined(attributes, Scores(concreteness, scores))
    kept = [
        {"name": attribute.name, "value": attribute.value}
        for attribute, score in joined
        if score >= attribute_threshold
    ]
    if concreteness < entity_threshold or not kept:
        return None
    return {
        "document_id": entity.get("document_id", "unknown"),
        "contents": entity.get("contents", ""),
        "title": entity.get("title", ""),
        "subject_entity": entity.get("subject_entity", {}),
        "attributes": kept,
        "entity_score": scored["entity_score"],
        "attribute_scores": scored["attribute_scores"],
    }


def compare_query(text: str, entity: Mapping[str, Any], reading: Reading = "released") -> Shape | None:
    """A recommendation, or three queries; None for a form that is begun and not complete."""
    named = entity.get("subject_entity", {})
    subject = Subject(named.get("name", ""), named.get("type", ""), ())
    read = READINGS[reading].queries(subject).read(text)
    if isinstance(read, Fault):
        if reading == "released":
            return None
        read = templates(subject)
    about = {"name": subject.name, "type": subject.type, "document_id": entity.get("document_id", "")}
    if isinstance(read, Recommendation):
        return {
            "entity_a": about,
            "query_type": RECOMMENDED,
            "entity_b_name": read.entity,
            "attribute_x": read.attribute,
            "verification_query": read.query,
        }
    return {"entity_a": about, "query_type": DIVERSIFIED, "search_queries": list(read.queries)}


def compare_question(text: str, reading: Reading = "released") -> Shape | None:
    """The nine fields of a comparison; None for FAIL, and where one is missing."""
    read = READINGS[reading].question.read(text)
    if not isinstance(read, Comparison):
        return None
    return {"success": True} | {name: getattr(read, name) for name in FIELDS}
