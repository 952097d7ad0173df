"""The tests that words and a search can decide, without a model."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.judging.necessity.guessing import Guess, chosen, guess, is_right, names_in
from aimsciqa_assets.judging.necessity.items import Hop, Item, Source
from aimsciqa_assets.judging.necessity.reading import Text
from aimsciqa_assets.judging.necessity.searching import Found, Nearest
from aimsciqa_assets.judging.necessity.words import NOTHING, terms

Row = dict[str, Any]

Texts = Callable[[Item, str], Text | None]
"""The text of a paper as an item shows it, by the paper's id."""
RULES: Final = "rules"
NO_BRIDGE: Final = "no hop builds on an earlier one"
ONE_DOCUMENT: Final = "it has one document"
_TELLING: Final = 3
"""Content words that a question without its bridge must share with a document to be about it."""
_OF_WHOLE_QUESTION: Final = 0.75
"""Share of the item's own question that a document must hold to answer it without its hops."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What the rules look at: the `texts` of papers, and what settings.necessity says."""

    texts: Texts
    question_share: float
    lead: float
    top_k: int

    def suffices(self, item: Item, text: Text, role: str = "") -> str:
        """Why a document alone answers an item; "" where it does not.

        It does when it supports every hop that other documents answer (`role` is its own one), or the
        item's answer together with most of its question.
        """
        others = [hop for hop in item.hops if hop.role != role]
        if others and all(self._supports(text, item, hop) for hop in others):
            return "it holds what the others say"
        given_away = item.is_yes_no or chosen(item, names_in(item)) is not None
        if not given_away and text.supports(item.question, item.answer, _OF_WHOLE_QUESTION):
            return "it holds question and answer"
        return ""

    def _supports(self, text: Text, item: Item, hop: Hop) -> bool:
        of_others = NOTHING.union(*(terms(one.question) for one in item.hops if one is not hop))
        own = terms(hop.question) - of_others
        return text.supports(hop.question, hop.answer, self.question_share, hop.bridge, own)

    def _is_about(self, item: Item, paper: str, question: str) -> bool:
        """Whether a question has enough words in common with a paper to tell it from others.

        In a small corpus the one paper that says "founded" would be first for "When was it founded?".
        """
        text = self.texts(item, paper)
        held = terms(" ".join(text.passages)) if text else NOTHING
        return len(terms(question) & held) >= _TELLING

    def answerability(self, item: Item) -> Row:
        """An item fails when one of its documents alone suffices."""
        if len(item.sources) == 1:
            return row(item, "answerability", RULES, "not_applicable", ONE_DOCUMENT)
        texts = {source: self.texts(item, source.paper_id) for source in item.sources}
        if missing := [source.role for source, text in texts.items() if text is None]:
            return row(item, "answerability", RULES, "unknown", f"no text: {', '.join(missing)}")
        alone = {
            source.role: why
            for source, text in texts.items()
            if text and (why := self.suffices(item, text, source.role))
        }
        said = "; ".join(f"{role} alone: {why}" for role, why in alone.items())
        return row(item, "answerability", RULES, _failed(alone), said or "no document alone suffices")

    def shortcut(self, item: Item, found: Sequence[Found]) -> Row:
        """An item fails when a third document among those found by question and answer suffices."""
        third = others(item, found, self.top_k)
        for one in third:
            text = self.texts(item, one.paper_id)
            if text and (why := self.suffices(item, text)):
                return row(item, "shortcut", RULES, "fail", f"{one.paper_id}, place {one.rank}: {why}")
        return row(item, "shortcut", RULES, "pass", f"none of {len(third)} other papers suffices")

    def bridge_masked(self, item: Item, nearest: Nearest) -> Row:
        """An item fails when a later hop finds its document first, and far ahead, without its bridge."""
        asked = masked(item)
        if not asked:
            return row(item, "bridge_masked", RULES, "not_applicable", NO_BRIDGE)
        places = []
        for hop, question in asked:
            found = nearest.get(question, [])
            paper = _source(item, hop.role).paper_id
            place = next((one for one in found if one.paper_id == paper), None)
            places.append(f"{hop.role}: place {place.rank if place else f'below {len(found)}'}")
            ahead = place and place.rank == 1 and place.score >= self.lead * _second(found)
            if ahead and self._is_about(item, paper, question):
                said = f"“{question}” finds the {hop.role} first"
                return row(item, "bridge_masked", RULES, "fail", said)
        return row(item, "bridge_masked", RULES, "pass", "; ".join(places))

    def twin(self, item: Item, found: Sequence[Found]) -> Row | None:
        """The row of `quality.twins`: the nearest paper without the last hop's fact; None where none is."""
        if len(item.sources) == 1:
            return None
        facts = [hop for hop in item.hops if hop.role == item.last.role]
        for one in others(item, found, self.top_k):
            text = self.texts(item, one.paper_id)
            if text is None or self.suffices(item, text):
                continue
            # Stricter than for shortcuts: it may not even hold the words of the answer.
            if not any(text.supports("", hop.answer, 0) for hop in facts):
                return {
                    "item_id": item.item_id,
                    "variant": item.variant,
                    "role": item.last.role,
                    "paper_id": item.last.paper_id,
                    "twin_paper_id": one.paper_id,
                    "rank": one.rank,
                }
        return None


def guessing(item: Item, habit: Guess | None) -> Row:
    """An item fails when what can be guessed from its question, or from the habit of its kind, is right."""
    guessed = guess(item)
    if guessed and is_right(item, guessed):
        return row(item, "guessing", RULES, "fail", guessed.why)
    if habit:
        return row(item, "guessing", RULES, "fail", habit.why)
    said = f"a guess would be wrong: {guessed.why}" if guessed else "nothing can be guessed"
    return row(item, "guessing", RULES, "pass", said)


def masked(item: Item) -> list[tuple[Hop, str]]:
    """The hops that build on an earlier one, with their question without what they take from it."""
    return [
        (hop, _cut(hop))
        for hop in item.hops
        if hop.bridge and hop.bridge.casefold() in hop.question.casefold()
    ]


def others(item: Item, found: Iterable[Found], most: int) -> list[Found]:
    """The first papers that are none of the item's own."""
    return [one for one in found if one.paper_id not in item.papers][:most]


def row(item: Item, test: str, model: str, verdict: str, detail: str) -> Row:
    """A row of the ledger."""
    return {
        "item_id": item.item_id,
        "variant": item.variant,
        "test": test,
        "model": model,
        "verdict": verdict,
        "detail": detail,
    }


def queries_of(item: Item) -> Iterator[str]:
    """What is searched for: question and answer, the question, masked hops, and the document to replace."""
    yield with_answer(item)
    yield item.question
    yield from (question for _, question in masked(item))
    yield of_last(item)


def with_answer(item: Item) -> str:
    """Question and answer, as a search for a third document asks them."""
    return f"{item.question} {item.answer}"


def of_last(item: Item) -> str:
    """What papers near to the last document hold: its title and its quotes."""
    return " ".join([item.last.title, *item.quotes.get(item.last.role, ())]).strip() or item.question


def _source(item: Item, role: str) -> Source:
    return next(source for source in item.sources if source.role == role)


def _second(found: Sequence[Found]) -> float:
    return found[1].score if len(found) > 1 else 0.0


def _failed(reasons: Mapping[str, str]) -> str:
    return "fail" if reasons else "pass"


def _cut(hop: Hop) -> str:
    place = hop.question.casefold().find(hop.bridge.casefold())
    return hop.question[:place] + "[…]" + hop.question[place + len(hop.bridge) :]
