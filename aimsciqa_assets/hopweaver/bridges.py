"""The dialogue that makes a bridge question: an entity of the source leads to a second document.

An entity with its segment and a query; a search; then, candidate by candidate, two sub-questions and their
fusion, until one gives a question. Whatever fails leads to the next candidate. What it asks depends on the
replies alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Literal

from aimsciqa_resources.language_model import PROMPT_TOO_LONG, Dialogue

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.constraints import (
    Shortcuts,
    broken_distribution,
    broken_fusion,
    fault_of_entity,
    fault_of_sub_questions,
    first_evidence,
    second_evidence,
)
from aimsciqa_assets.hopweaver.dialogues import Asked, Turn, asked_until
from aimsciqa_assets.hopweaver.documents import Document, Place, mentions, names
from aimsciqa_assets.hopweaver.replies import NO_BRIDGE, BridgeEntity, Declined, Fusion, SubQuestions
from aimsciqa_assets.hopweaver.searching import Found
from aimsciqa_assets.hopweaver.tasks import ENTITY, FUSION, SUB_QUESTIONS
from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.settings.hopweaver import HopWeaverSettings

Outcome = Literal["chosen", "rejected", "not_tried"]
Candidates = Callable[[str, str, str, int], list[Found]]
"""Query, source, its segment, how many: what `Searching.candidates` gives."""
Shared = Callable[[Document], Sequence[str]]
"""The names of a document that others hold, too: what `SharedNames.of` gives."""

NO_BRIDGE_ENTITY: Final = "no_bridge_entity"
NO_CANDIDATES: Final = "no_candidates"
NOT_MENTIONED: Final = "entity_not_mentioned"
EVERY_DOCUMENT_FAILED: Final = "every_document_failed"
INVALID_CONNECTION: Final = "invalid_connection"
FUSION_DECLINED: Final = "fusion_declined"
_FUSION_TRIES: Final = 1


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings that a bridge question is made by."""

    top_k: int
    tries: int
    segment_words: int
    failure: Literal["paper", "code"]
    shortcuts: Shortcuts
    unmentioned: Literal["asked", "passed_over"] = "asked"

    @classmethod
    def of(cls, settings: HopWeaverSettings) -> "Rules":
        """The rules that the settings give."""
        return cls(
            settings.top_k,
            settings.tries,
            settings.segment_words,
            settings.failure,
            settings.shortcuts,
            settings.unmentioned,
        )


@dataclass(frozen=True, slots=True)
class Tried:
    """A candidate, and how far the model came with it; `place` is where its evidence stands."""

    found: Found
    outcome: Outcome = "not_tried"
    reason: str | None = None
    said: SubQuestions | None = None
    place: Place | None = None
    fusion: Fusion | None = None

    @property
    def was_asked_about(self) -> bool:
        """Whether the model was asked about it."""
        return self.outcome != "not_tried" and self.reason != NOT_MENTIONED


@dataclass(frozen=True, slots=True)
class Bridge:
    """An attempt at a bridge question; without a `reason` it gave one.

    `entity_reason` says why the first step failed. `failure` says why the model gave no reply.
    """

    attempt_id: str
    source: Document
    entity: BridgeEntity | None = None
    place: Place | None = None
    entity_reason: str | None = None
    tried: tuple[Tried, ...] = ()
    turns: tuple[Turn, ...] = ()
    reason: str | None = None
    failure: str | None = None

    @property
    def chosen(self) -> Tried | None:
        """The candidate with which the question was made."""
        return next((one for one in self.tried if one.outcome == "chosen"), None)


def attempt_id(kind: str, document_id: str) -> str:
    """The id of the attempt at a question of this kind that starts from a document."""
    return row_id("hopweaver", kind, document_id)


def bridge(
    source: Document,
    candidates: Candidates,
    documents: Mapping[str, Document],
    rules: Rules,
    shared: Shared | None = None,
) -> Dialogue[Bridge]:
    """Make a bridge question that starts from a source.

    With `shared`, an entity that no candidate names goes back once, with names that other documents hold.
    """
    made = Bridge(attempt_id("bridge", source.document_id), source)
    check = partial(fault_of_entity, source=source, fewest_words=rules.segment_words)
    told = {"title": source.title, "text": _body(source)}
    asked = yield from asked_until(ENTITY, made.attempt_id, told, check, rules.tries)
    entity, found = asked.value, _found(asked.value, source, candidates, rules)
    if isinstance(entity, BridgeEntity) and shared is not None:
        held = _naming(found, entity, documents)
        fault = None if held else _unshared(entity, shared(source))
        if fault and (reply := asked.turns[-1].reply):
            made = replace(made, turns=(*asked.turns[:-1], replace(asked.turns[-1], reason=fault.reason)))
            asked = yield from asked_until(
                ENTITY, made.attempt_id, told, check, rules.tries, after=(reply, fault)
            )
            entity, found = asked.value, _found(asked.value, source, candidates, rules)
    made = replace(made, turns=(*made.turns, *asked.turns))
    if not isinstance(entity, BridgeEntity):
        reason = NO_BRIDGE_ENTITY if entity else asked.reason
        return replace(made, reason=reason, entity_reason=reason, failure=asked.failure)
    made = replace(made, entity=entity, place=first_evidence(source, entity))
    return (yield from _through(made, entity, found, documents, rules))


def _found(
    entity: BridgeEntity | Declined | None, source: Document, candidates: Candidates, rules: Rules
) -> list[Found]:
    """The candidates that the search finds for an entity."""
    if not isinstance(entity, BridgeEntity):
        return []
    return candidates(entity.query, source.document_id, entity.segment, rules.top_k)


def _naming(
    found: Sequence[Found], entity: BridgeEntity, documents: Mapping[str, Document]
) -> frozenset[str]:
    """The candidates that hold the entity's name in full."""
    return frozenset(one.document_id for one in found if names(documents[one.document_id].text, entity.name))


def _unshared(entity: BridgeEntity, others: Sequence[str]) -> Fault[BridgeEntity | Declined] | None:
    """What the model is told of an entity that leads nowhere; nothing where no name leads anywhere."""
    if not others:
        return None
    complaint = (
        f'no other document that was found names "{entity.name}". Names of this document that others hold, '
        f"too: {'; '.join(others)}. Choose the one of them that fits the rules best, or reply with "
        f"{NO_BRIDGE} if none does"
    )
    return Fault(NOT_MENTIONED, complaint, entity)


def _through(
    made: Bridge,
    entity: BridgeEntity,
    found: list[Found],
    documents: Mapping[str, Document],
    rules: Rules,
) -> Dialogue[Bridge]:
    """Try the candidates in their order until one gives a question."""
    tried: list[Tried] = []
    failure = ended = None
    in_full = _naming(found, entity, documents)
    for one in found:
        second = documents[one.document_id]
        # Part of the name is enough only where no candidate has all of it: "rice" is not Golden Rice.
        held = one.document_id in in_full if in_full else mentions(second.text, entity.name)
        if rules.unmentioned == "passed_over" and not held:
            tried.append(Tried(one, "rejected", NOT_MENTIONED))
            continue
        result, turns, failure = yield from _try(made, entity, one, second, rules)
        tried.append(result)
        made = replace(made, turns=(*made.turns, *turns), failure=failure)
        if result.said is not None and rules.failure == "code":
            ended = result.reason
        if result.outcome == "chosen" or failure or ended:
            break
    left = [Tried(one) for one in found[len(tried) :]]
    return replace(made, tried=(*tried, *left), reason=failure or ended or _reason(tried))


def _try(
    made: Bridge, entity: BridgeEntity, found: Found, second: Document, rules: Rules
) -> Dialogue[tuple[Tried, tuple[Turn, ...], str | None]]:
    """A candidate with the model's replies about it, and why it gave none."""
    asked = yield from sub_questions_of(made.attempt_id, entity, second, rules.tries, rules.segment_words)
    said = asked.value
    if said is None:
        return Tried(found, "rejected", asked.reason), asked.turns, _passing(asked.failure)
    if isinstance(said, Declined):
        return Tried(found, "rejected", INVALID_CONNECTION), asked.turns, None
    place = second_evidence(second, said, entity.name)
    result = Tried(found, "rejected", None, said, place)
    if made.place and place:
        quotes = (entity.quote, made.place.text), (said.quote, place.text)
        broken = broken_distribution(
            said, made.source, second, quotes, segment=entity.segment, shortcuts=rules.shortcuts
        )
        if broken:
            return replace(result, reason=broken), asked.turns, None
    fused = yield from asked_until(
        FUSION,
        made.attempt_id,
        _to_fuse(entity, said),
        _any_fusion,
        _FUSION_TRIES,
        paper_id=second.document_id,
    )
    turns = (*asked.turns, *fused.turns)
    return _fused(result, entity, said, fused.value, fused.reason), turns, _passing(fused.failure)


def sub_questions_of(
    attempt_id: str, entity: BridgeEntity, second: Document, tries: int, fewest_words: int
) -> Dialogue[Asked[SubQuestions | Declined]]:
    """The two sub-questions that a candidate gives, or why it gives none."""
    check = partial(fault_of_sub_questions, entity=entity.name, second=second, fewest_words=fewest_words)
    told = {"entity": entity.name, "type": entity.type, "segment": entity.segment}
    about = {"title": second.title, "text": _body(second)}
    asked = yield from asked_until(
        SUB_QUESTIONS, attempt_id, told | about, check, tries, paper_id=second.document_id
    )
    return asked


def _fused(
    result: Tried,
    entity: BridgeEntity,
    said: SubQuestions,
    fused: Fusion | Declined | None,
    reason: str | None,
) -> Tried:
    if fused is None:
        return replace(result, reason=reason)
    if isinstance(fused, Declined):
        return replace(result, reason=FUSION_DECLINED)
    broken = broken_fusion(fused.question, fused.answer, entity.name, said.answer_2)
    return replace(result, outcome="rejected" if broken else "chosen", reason=broken, fusion=fused)


def _any_fusion(_said: Fusion | Declined) -> Fault[Fusion | Declined] | None:
    """There is one try only: nothing goes back to the model."""
    return None


def _to_fuse(entity: BridgeEntity, said: SubQuestions) -> dict[str, str]:
    return {
        "entity": entity.name,
        "type": entity.type,
        "connection": said.connection,
        "segment_a": said.segment_a or entity.segment,
        "segment_b": said.segment_b,
        "question_1": said.question_1,
        "answer_1": said.answer_1,
        "question_2": said.question_2,
        "answer_2": said.answer_2,
    }


def _body(document: Document) -> str:
    return "\n\n".join(text for _, text in document.paragraphs)


def _passing(failure: str | None) -> str | None:
    """Why the model gave no reply, unless that is for the document's length: then the next one may do."""
    return None if failure == PROMPT_TOO_LONG else failure


def _reason(tried: list[Tried]) -> str | None:
    """Why no candidate gave a question: what all failed by, else that they failed; None where one did."""
    if any(one.outcome == "chosen" for one in tried):
        return None
    reasons = {one.reason for one in tried}
    if not reasons:
        return NO_CANDIDATES
    return reasons.pop() if len(reasons) == 1 else EVERY_DOCUMENT_FAILED
