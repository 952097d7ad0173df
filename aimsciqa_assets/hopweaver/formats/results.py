"""Results of bridge and comparison synthesis in the shapes of the authors (formats 2.2 and 2.3).

Their comparison export looks for the polished answer under the wrong name and writes an empty one; here it
comes from `refined_answer`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.hopweaver.formats.objects import Shape, part_of, text_of

_SHOWN: Final = 1000
CHANGED: Final = ("ADJUST", "REWORKED")
PASSED: Final = "PASS"


@dataclass(frozen=True, slots=True)
class Text:
    """A document: its id, title and text."""

    id: str
    title: str
    content: str


@dataclass(frozen=True, slots=True)
class PolishResult:
    """What the polisher said: PASS, ADJUST, REWORKED, REJECTED, ERROR or UNKNOWN, and what it wrote."""

    status: str
    question: str = ""
    answer: str = ""
    reasoning_path: str = ""
    fact_a: str = ""
    fact_b: str = ""
    reason: str = ""
    message: str = ""
    raw_response: str = ""


@dataclass(frozen=True, slots=True)
class Hop:
    """A sub-question with its answer, and the document that it is answered from."""

    question: str
    answer: str
    source: str


@dataclass(frozen=True, slots=True)
class BridgeResult:
    """A bridge question with all that led to it."""

    source: Text
    target: Text
    entity: str
    entity_type: str
    segments: tuple[str, ...]
    query: str
    connection: str
    segment_a: str
    segment_b: str
    analysis_path: str
    hops: tuple[Hop, ...]
    question: str
    answer: str
    reasoning_path: str
    sources: str
    polish: PolishResult | None = None


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """A comparison question with all that led to it."""

    source: Text
    target: Text
    entity_a: str
    entity_b: str
    attribute: str
    question: str
    answer: str
    fact_a: str
    fact_b: str
    paragraph_a: str
    paragraph_b: str
    polish: PolishResult | None = None


def bridge_shape(result: BridgeResult) -> Shape:
    """A bridge result as the authors write it, without those parts of a document that they cut off."""
    shape: Shape = {
        "source_doc": _shown(result.source),
        "target_doc": _shown(result.target),
        "bridge_entity": {
            "name": result.entity,
            "type": result.entity_type,
            "segments": list(result.segments),
            "query": result.query,
        },
        "sub_questions": {
            "analysis": {
                "bridge_connection": result.connection,
                "doc_a_seg": result.segment_a,
                "doc_b_seg": result.segment_b,
                "reasoning_path": result.analysis_path,
            },
            "sub_questions": [
                {"question": hop.question, "answer": hop.answer, "source": hop.source} for hop in result.hops
            ],
        },
        "multi_hop_question": {
            "multi_hop_question": result.question,
            "answer": result.answer,
            "reasoning_path": result.reasoning_path,
            "sources": result.sources,
        },
    }
    if result.polish:
        shape["polish_result"] = _bridge_polish_shape(result.polish)
    return shape


def bridge_result(shape: Mapping[str, Any]) -> BridgeResult:
    """A bridge result that was read; what is missing is empty."""
    entity, asked = part_of(shape, "bridge_entity"), part_of(shape, "sub_questions")
    analysis, question = part_of(asked, "analysis"), part_of(shape, "multi_hop_question")
    polish = part_of(shape, "polish_result", "polished_result")
    segments = entity.get("segments")
    return BridgeResult(
        source=_text(part_of(shape, "source_doc")),
        target=_text(part_of(shape, "target_doc")),
        entity=text_of(entity, "name"),
        entity_type=text_of(entity, "type"),
        segments=tuple(map(str, segments)) if isinstance(segments, list) else (),
        query=text_of(entity, "query"),
        connection=text_of(analysis, "bridge_connection"),
        segment_a=text_of(analysis, "doc_a_seg"),
        segment_b=text_of(analysis, "doc_b_seg"),
        analysis_path=text_of(analysis, "reasoning_path"),
        hops=tuple(
            Hop(text_of(one, "question"), text_of(one, "answer"), text_of(one, "source"))
            for one in asked.get("sub_questions") or ()
            if isinstance(one, dict)
        ),
        question=text_of(question, "multi_hop_question"),
        answer=text_of(question, "answer"),
        reasoning_path=text_of(question, "reasoning_path"),
        sources=text_of(question, "sources"),
        polish=_polish(polish),
    )


def comparison_shape(result: ComparisonResult) -> Shape:
    """A comparison result as the authors' synthesizer writes it."""
    shape: Shape = {
        "success": True,
        "entity_a": result.entity_a,
        "entity_b": result.entity_b,
        "attribute_compared": result.attribute,
        "multi_hop_question": result.question,
        "answer": result.answer,
        "fact_entity_a": result.fact_a,
        "fact_entity_b": result.fact_b,
        "relevant_paragraph_a": result.paragraph_a,
        "relevant_paragraph_b": result.paragraph_b,
        "document_a": _shown(result.source),
        "document_b": _shown(result.target),
    }
    if result.polish:
        shape["polished_result"] = _comparison_polish_shape(result.polish)
    return shape


def comparison_line(result: ComparisonResult) -> Shape:
    """A comparison result as the authors' command writes it: the facts in place of the documents."""
    polish = _comparison_polish_shape(result.polish) if result.polish else {}
    facts = {name: polish.pop(name) for name in ("refined_fact_a", "refined_fact_b") if name in polish}
    return {
        "source_doc": {"id": result.source.id, "title": result.source.title, "content": result.fact_a},
        "target_doc": {"id": result.target.id, "title": result.target.title, "content": result.fact_b},
        "comparison_question": {
            "question": result.question,
            "answer": result.answer,
            "entity_a": result.entity_a,
            "entity_b": result.entity_b,
            "attribute_compared": result.attribute,
        },
        "facts": {"fact_entity_a": result.fact_a, "fact_entity_b": result.fact_b},
        "relevant_paragraphs": {"paragraph_a": result.paragraph_a, "paragraph_b": result.paragraph_b},
        "polish_result": polish or None,
        "polish_facts": facts,
    }


def comparison_result(shape: Mapping[str, Any]) -> ComparisonResult:
    """A comparison result in either shape; what is missing is empty."""
    question = part_of(shape, "comparison_question")
    facts, paragraphs = part_of(shape, "facts"), part_of(shape, "relevant_paragraphs")
    polish = part_of(shape, "polished_result", "polish_result") | part_of(shape, "polish_facts")

    def first(*found: tuple[Mapping[str, Any], str]) -> str:
        return next((text for where, name in found if (text := text_of(where, name))), "")

    return ComparisonResult(
        source=_text(part_of(shape, "document_a", "source_doc")),
        target=_text(part_of(shape, "document_b", "target_doc")),
        entity_a=first((shape, "entity_a"), (question, "entity_a")),
        entity_b=first((shape, "entity_b"), (question, "entity_b")),
        attribute=first((shape, "attribute_compared"), (question, "attribute_compared")),
        question=first((shape, "multi_hop_question"), (question, "question")),
        answer=first((shape, "answer"), (question, "answer")),
        fact_a=first((shape, "fact_entity_a"), (facts, "fact_entity_a"), (facts, "fact_a")),
        fact_b=first((shape, "fact_entity_b"), (facts, "fact_entity_b"), (facts, "fact_b")),
        paragraph_a=first(
            (shape, "relevant_paragraph_a"),
            (paragraphs, "paragraph_a"),
            (paragraphs, "relevant_paragraph_a"),
        ),
        paragraph_b=first(
            (shape, "relevant_paragraph_b"),
            (paragraphs, "paragraph_b"),
            (paragraphs, "relevant_paragraph_b"),
        ),
        polish=_polish(polish),
    )


def comparison_results(shape: Mapping[str, Any]) -> list[ComparisonResult]:
    """The results of an object: one, or those of `all_comparison_questions.json`."""
    listed = next(
        (shape[name] for name in ("comparison_questions", "polished_questions") if name in shape), [shape]
    )
    return [comparison_result(one) for one in listed if isinstance(one, dict)]


def _shown(text: Text) -> Shape:
    """A document as results show it: its first 1,000 characters."""
    cut = f"{text.content[:_SHOWN]}..." if len(text.content) > _SHOWN else text.content
    return {"id": text.id, "title": text.title, "content": cut}


def _text(shape: Mapping[str, Any]) -> Text:
    """A document; the synthesizer's own objects hold it under other names."""
    document_id = text_of(shape, "id") or text_of(shape, "document_id")
    return Text(document_id, text_of(shape, "title"), text_of(shape, "content") or text_of(shape, "contents"))


def _polish(shape: Mapping[str, Any]) -> PolishResult | None:
    if not shape.get("status"):
        return None
    return PolishResult(
        status=text_of(shape, "status"),
        question=text_of(shape, "refined_question"),
        answer=text_of(shape, "refined_answer") or text_of(shape, "answer"),
        reasoning_path=text_of(shape, "refined_reasoning_path"),
        fact_a=text_of(shape, "refined_fact_a"),
        fact_b=text_of(shape, "refined_fact_b"),
        reason=text_of(shape, "reason"),
        message=text_of(shape, "message"),
        raw_response=text_of(shape, "raw_response"),
    )


def _bridge_polish_shape(polish: PolishResult) -> Shape:
    if polish.status in CHANGED:
        return {
            "status": polish.status,
            "refined_reasoning_path": polish.reasoning_path,
            "refined_question": polish.question,
            "answer": polish.answer,
        }
    return {"status": polish.status} | _given(reason=polish.reason, message=polish.message)


def _comparison_polish_shape(polish: PolishResult) -> Shape:
    return {"status": polish.status} | _given(
        refined_question=polish.question,
        refined_answer=polish.answer,
        refined_fact_a=polish.fact_a,
        refined_fact_b=polish.fact_b,
        reason=polish.reason,
        raw_response=polish.raw_response,
    )


def _given(**texts: str) -> Shape:
    return {name: text for name, text in texts.items() if text}
