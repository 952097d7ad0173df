"""A candidate of a bridge: two sub-questions, one for each document, and their fusion."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from aimsciqa_resources.language_model import PROMPT_TOO_LONG, Dialogue

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.constraints import (
    Shortcuts,
    broken_distribution,
    broken_fusion,
    fault_of_sub_questions,
    second_evidence,
)
from aimsciqa_assets.hopweaver.dialogues import Asked, Turn, asked_until
from aimsciqa_assets.hopweaver.documents import Document, Place
from aimsciqa_assets.hopweaver.replies import BridgeEntity, Declined, Fusion, SubQuestions
from aimsciqa_assets.hopweaver.searching import Found
from aimsciqa_assets.hopweaver.tasks import FUSION, SUB_QUESTIONS
from aimsciqa_assets.hopweaver.wording import (
    fault_of_fusion,
    fault_of_hops,
    masked,
    skipped_bridge,
    unneeded_bridge,
)
from aimsciqa_assets.settings.hopweaver import HopWeaverSettings

Outcome = Literal["chosen", "rejected", "not_tried"]

NOT_MENTIONED: Final = "entity_not_mentioned"
LISTED_ONLY: Final = "listed_only"
INVALID_CONNECTION: Final = "invalid_connection"
FUSION_DECLINED: Final = "fusion_declined"


@dataclass(frozen=True, slots=True)
class Aids:
    """What a dialogue may ask of the corpus beside candidates; None where the settings do not want it.

    `names`: those of a document that others hold, too (`SharedNames`); they are `offered` with the first
    request, and returned with an entity that leads nowhere. `holders`: documents that hold a name
    (`Holders.of`). `finds`: whether a search for a question finds a document among so many when the source is
    left out (`Searching.finds`).
    """

    names: Callable[[Document], Sequence[str]] | None = None
    offered: bool = False
    holders: Callable[[str, str, int], Sequence[str]] | None = None
    finds: Callable[[str, str, str, int], bool] | None = None


NO_AIDS: Final = Aids()


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings that a bridge question is made by."""

    top_k: int
    tries: int
    segment_words: int
    failure: Literal["paper", "code"]
    shortcuts: Shortcuts
    unmentioned: Literal["asked", "passed_over"] = "asked"
    first_hop: Literal["quote", "segment"] = "segment"
    masked_rank: int = 0
    question_rank: int = 0
    listed_only: Literal["asked", "passed_over"] = "asked"

    @property
    def by_quote(self) -> bool:
        """Whether the first hop rests on the exact quote, which the prompts show and rules check."""
        return self.first_hop == "quote"

    @property
    def reach(self) -> int:
        """How many sentences before it a quote may begin, so that it names what it speaks of."""
        return 3 if self.by_quote else 1

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
            settings.first_hop,
            settings.masked_rank,
            settings.question_rank,
            settings.listed_only,
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
        return self.outcome != "not_tried" and self.reason not in (NOT_MENTIONED, LISTED_ONLY)


@dataclass(frozen=True, slots=True)
class Start:
    """Where a bridge begins: the entity, the source, and the place of its quote there."""

    attempt_id: str
    entity: BridgeEntity
    source: Document | None = None
    place: Place | None = None

    @property
    def quote(self) -> str:
        """What the source says, word for word."""
        return self.place.text if self.place else self.entity.quote


def candidate_tried(
    start: Start, found: Found, second: Document, rules: Rules, aids: Aids
) -> Dialogue[tuple[Tried, tuple[Turn, ...], str | None]]:
    """A candidate with the model's replies about it, and why it gave none."""
    attempt_id, entity, source = start.attempt_id, start.entity, start.source

    def is_found(question: str, within: int) -> bool:
        if aids.finds is None or not within:
            return False
        return aids.finds(question, second.document_id, source.document_id if source else "", within)

    asked = yield from sub_questions_of(
        start, second, rules, lambda question: is_found(question, rules.masked_rank)
    )
    said = asked.value
    if said is None:
        return Tried(found, "rejected", asked.reason), asked.turns, _passing(asked.failure)
    if isinstance(said, Declined):
        return Tried(found, "rejected", INVALID_CONNECTION), asked.turns, None
    place = second_evidence(second, said, entity.name, reach=rules.reach)
    result = Tried(found, "rejected", None, said, place)
    if source and start.place and place:
        quotes = (entity.quote, start.quote), (said.quote, place.text)
        broken = broken_distribution(
            said, source, second, quotes, segment=entity.segment, shortcuts=rules.shortcuts
        )
        if broken:
            return replace(result, reason=broken), asked.turns, None
    told = _to_fuse(entity, said)
    if rules.by_quote:
        told |= {"quote_a": start.quote, "quote_b": place.text if place else said.quote}

    def check(fused: Fusion | Declined) -> Fault[Fusion | Declined] | None:
        fault = fault_of_fusion(fused, said, entity.name, start.quote, second) if rules.by_quote else None
        if fault or isinstance(fused, Declined):
            return fault
        return skipped_bridge(fused) if is_found(fused.question, rules.question_rank) else None

    # In the paper there is one try only: nothing goes back to the model.
    tries = 2 if rules.by_quote else 1
    fused = yield from asked_until(FUSION, attempt_id, told, check, tries, paper_id=second.document_id)
    turns = (*asked.turns, *fused.turns)
    return _fused(result, entity, said, fused.value, fused.reason), turns, _passing(fused.failure)


def sub_questions_of(
    start: Start,
    second: Document,
    rules: Rules,
    leads_by_itself: Callable[[str], bool] = lambda _question: False,
) -> Dialogue[Asked[SubQuestions | Declined]]:
    """The two sub-questions that a candidate gives, or why it gives none.

    `leads_by_itself` says whether a search for a question without the entity's name finds the candidate.
    """
    entity = start.entity

    def check(said: SubQuestions | Declined) -> Fault[SubQuestions | Declined] | None:
        fault = fault_of_sub_questions(said, entity.name, second, rules.segment_words, reach=rules.reach)
        if fault or isinstance(said, Declined):
            return fault
        place = second_evidence(second, said, entity.name, reach=rules.reach)
        if rules.by_quote and place:
            fault = fault_of_hops(said, entity.name, (start.quote, place.text))
        if fault is None and leads_by_itself(masked(said.question_2, entity.name)):
            fault = unneeded_bridge(said, entity.name)
        return fault

    told: dict[str, Any] = {"entity": entity.name, "type": entity.type, "segment": entity.segment}
    told |= {"title": second.title, "text": second.body}
    if rules.by_quote:
        told["quote"] = start.quote
    return (
        yield from asked_until(
            SUB_QUESTIONS, start.attempt_id, told, check, rules.tries, paper_id=second.document_id
        )
    )


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


def _passing(failure: str | None) -> str | None:
    """Why the model gave no reply, unless that is for the document's length: then the next one may do."""
    return None if failure == PROMPT_TOO_LONG else failure
