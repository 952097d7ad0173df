"""The dialogue that makes a bridge question: an entity of the source leads to a second document.

An entity with its segment and a query; a search; then, candidate by candidate, two sub-questions and their
fusion, until one gives a question. Whatever fails leads to the next candidate. What it asks depends on the
replies alone.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.constraints import fault_of_entity, first_evidence
from aimsciqa_assets.hopweaver.dialogues import Turn, asked_until
from aimsciqa_assets.hopweaver.documents import Document, Place, mentions, names
from aimsciqa_assets.hopweaver.hops import (
    LISTED_ONLY,
    NO_AIDS,
    NOT_MENTIONED,
    Aids,
    Rules,
    Start,
    Tried,
    candidate_tried,
)
from aimsciqa_assets.hopweaver.listings import only_listed
from aimsciqa_assets.hopweaver.replies import NO_BRIDGE, BridgeEntity, Declined
from aimsciqa_assets.hopweaver.searching import Found
from aimsciqa_assets.hopweaver.tasks import ENTITY
from aimsciqa_assets.platform.identity import row_id

Candidates = Callable[[str, str, str, int, Sequence[str]], list[Found]]
"""Query, source, its segment, how many, holders of the entity: what `Searching.candidates` gives."""

NO_BRIDGE_ENTITY: Final = "no_bridge_entity"
NO_CANDIDATES: Final = "no_candidates"
EVERY_DOCUMENT_FAILED: Final = "every_document_failed"


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
    aids: Aids = NO_AIDS,
) -> Dialogue[Bridge]:
    """Make a bridge question that starts from a source.

    With names of `aids`, an entity that no candidate names goes back once, with those that others hold.
    """
    made = Bridge(attempt_id("bridge", source.document_id), source)
    shared = list(aids.names(source)) if aids.names else []
    told: dict[str, Any] = {"title": source.title, "text": source.body}
    if aids.offered:
        told |= {"names": shared} if shared else {"none_shared": True}
    check = partial(fault_of_entity, source=source, fewest_words=rules.segment_words, widely=rules.by_quote)
    asked = yield from asked_until(ENTITY, made.attempt_id, told, check, rules.tries)
    entity, found = asked.value, _found(asked.value, source, candidates, rules, aids)
    if isinstance(entity, BridgeEntity) and not _naming(
        (documents[one.document_id] for one in found), entity
    ):
        fault = _unshared(entity, shared)
        if fault and (reply := asked.turns[-1].reply):
            made = replace(made, turns=(*asked.turns[:-1], replace(asked.turns[-1], reason=fault.reason)))
            asked = yield from asked_until(
                ENTITY, made.attempt_id, told, check, rules.tries, after=(reply, fault)
            )
            entity, found = asked.value, _found(asked.value, source, candidates, rules, aids)
    made = replace(made, turns=(*made.turns, *asked.turns))
    if not isinstance(entity, BridgeEntity):
        reason = NO_BRIDGE_ENTITY if entity else asked.reason
        return replace(made, reason=reason, entity_reason=reason, failure=asked.failure)
    made = replace(made, entity=entity, place=first_evidence(source, entity, widely=rules.by_quote))
    start = Start(made.attempt_id, entity, source, made.place)
    return (
        yield from _through(made, start, [(one, documents[one.document_id]) for one in found], rules, aids)
    )


def _found(
    entity: BridgeEntity | Declined | None,
    source: Document,
    candidates: Candidates,
    rules: Rules,
    aids: Aids,
) -> list[Found]:
    """The candidates for an entity: those that hold its name, then what the search finds."""
    if not isinstance(entity, BridgeEntity):
        return []
    holders = aids.holders(entity.name, source.document_id, rules.top_k) if aids.holders else ()
    return candidates(entity.query, source.document_id, entity.segment, rules.top_k, holders)


def _naming(found: Iterable[Document], entity: BridgeEntity) -> frozenset[str]:
    """The candidates that hold the entity's name in full."""
    return frozenset(one.document_id for one in found if names(one.text, entity.name))


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
    made: Bridge, start: Start, found: Sequence[tuple[Found, Document]], rules: Rules, aids: Aids
) -> Dialogue[Bridge]:
    """Try the candidates in their order until one gives a question."""
    entity = start.entity
    tried: list[Tried] = []
    failure = ended = None
    in_full = _naming([second for _, second in found], entity)
    for one, second in found:
        # Part of the name is enough only where no candidate has all of it: "rice" is not Golden Rice.
        held = one.document_id in in_full if in_full else mentions(second.text, entity.name)
        if rules.unmentioned == "passed_over" and not held:
            tried.append(Tried(one, "rejected", NOT_MENTIONED))
            continue
        if rules.listed_only == "passed_over" and only_listed(second, entity.name):
            tried.append(Tried(one, "rejected", LISTED_ONLY))
            continue
        result, turns, failure = yield from candidate_tried(start, one, second, rules, aids)
        tried.append(result)
        made = replace(made, turns=(*made.turns, *turns), failure=failure)
        if result.said is not None and rules.failure == "code":
            ended = result.reason
        if result.outcome == "chosen" or failure or ended:
            break
    left = [Tried(one) for one, _ in found[len(tried) :]]
    return replace(made, tried=(*tried, *left), reason=failure or ended or _reason(tried))


def _reason(tried: list[Tried]) -> str | None:
    """Why no candidate gave a question: what all failed by, else that they failed; None where one did."""
    if any(one.outcome == "chosen" for one in tried):
        return None
    reasons = {one.reason for one in tried}
    if not reasons:
        return NO_CANDIDATES
    return reasons.pop() if len(reasons) == 1 else EVERY_DOCUMENT_FAILED
