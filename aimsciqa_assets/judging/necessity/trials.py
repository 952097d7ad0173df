"""What a model is asked about an item: the same question with other documents, other names, another value."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Final

from aimsciqa_resources.language_model import Dialogue

from aimsciqa.measures.answers import declines
from aimsciqa_assets.judging.necessity.items import Item
from aimsciqa_assets.judging.necessity.reading import Text
from aimsciqa_assets.judging.necessity.rules import Texts, masked, of_last, others, with_answer
from aimsciqa_assets.judging.necessity.searching import Nearest
from aimsciqa_assets.judging.necessity.tasks import ANSWER, COUNTERFACTUAL
from aimsciqa_assets.judging.necessity.words import terms
from aimsciqa_assets.platform.identity import row_id

Row = dict[str, Any]

NO_TEXT: Final = "no_text"
NO_VALUE: Final = "value_not_in_quote"
_SYLLABLES: Final = (
    *("ba", "dro", "fen", "gal", "hir", "jun", "kel", "lom", "mir", "nov", "pru", "quin"),
    *("ros", "sel", "tav", "ull", "ven", "wex", "yor", "zan"),
)


@dataclass(frozen=True, slots=True)
class Trial:
    """A question to a model: by which reading, with which papers, and what is right.

    `swap` puts other words in the place of some, in documents, question and answer; `by` is the quote whose
    value the model itself is to change first.
    """

    key: str
    item: Item
    reading: str
    role: str | None
    papers: tuple[str, ...]
    question: str
    answer: str
    swap: tuple[str, str] | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class Tried:
    """What a model answered, or why it did not."""

    trial: Trial
    prediction: str | None
    reason: str | None
    text: str | None
    failure: str | None

    @property
    def key(self) -> str:
        """The key of the trial."""
        return self.trial.key


@dataclass(frozen=True, slots=True)
class Readings:
    """Makes the trials of items; `nearest` are the papers near to them, `twins` those by item."""

    nearest: Nearest
    twins: Mapping[str, str]
    tests: Container[str]
    top_k: int

    def of(self, item: Item, model: str, answered: Container[str]) -> Iterator[Trial]:
        """The trials of an item; settings of the benchmark that are `answered` are not asked again."""
        own = tuple(source.paper_id for source in item.sources)
        several = len(own) > 1

        def trial(reading: str, papers: Iterable[str], role: str | None = None, **changed: Any) -> Trial:
            key = row_id(model, item.item_id, reading, role or "")
            plain = Trial(key, item, reading, role, tuple(papers), item.question, item.answer)
            return replace(plain, **changed)

        if "closed_book" not in answered and ("answerability" in self.tests or "guessing" in self.tests):
            yield trial("none", ())
        if "answerability" in self.tests:
            if "oracle" not in answered:
                yield trial("all", own)
            if several:
                for source in item.sources:
                    if f"{source.role}_only" not in answered:
                        yield trial("alone", [source.paper_id], source.role)
            yield trial("negatives", (*own, *self._near(item, of_last(item))))
        bridges = masked(item)
        if bridges and "bridge_masked" in self.tests:
            hop, question = bridges[-1]
            paper = next(source.paper_id for source in item.sources if source.role == hop.role)
            near = self._near(item, of_last(item))
            yield trial("masked", (paper, *near), hop.role, question=question, answer=hop.answer)
        if bridges and "renamed" in self.tests:
            bridge = bridges[-1][0].bridge
            yield trial("renamed", own, swap=(bridge, made_up_name(bridge)))
        if "counterfactual" in self.tests and (quotes := item.quotes.get(item.last.role)):
            yield trial("counterfactual", own, item.last.role, by=quotes[0])
        if "shortcut" in self.tests and (third := self._near(item, with_answer(item))):
            yield trial("third", third)
        if "twin" in self.tests and (twin := self.twins.get(item.item_id)):
            replaced = item.last.paper_id
            yield trial("twin", [twin if paper == replaced else paper for paper in own], item.last.role)

    def _near(self, item: Item, query: str) -> list[str]:
        return [one.paper_id for one in others(item, self.nearest.get(query, []), self.top_k)]


def dialogues(trials: Iterable[Trial], texts: Texts, words: int) -> Iterator[Dialogue[Tried]]:
    """One dialogue for each trial whose papers have a text."""
    for trial in trials:
        if has_texts(trial, texts):
            yield _dialogue(trial, texts, words)


def has_texts(trial: Trial, texts: Texts) -> bool:
    """Whether all papers of a trial have a text."""
    return all(texts(trial.item, paper) is not None for paper in trial.papers)


def without_text(trials: Iterable[Trial], texts: Texts) -> list[Tried]:
    """What came of the trials that nobody is asked, because a paper has no text."""
    return [Tried(one, None, NO_TEXT, None, None) for one in trials if not has_texts(one, texts)]


def _dialogue(trial: Trial, texts: Texts, words: int) -> Dialogue[Tried]:
    if trial.by:
        told: dict[str, Any] = {
            "question": trial.question,
            "answer": trial.answer,
            "evidence": trial.by,
        }
        changed = yield from COUNTERFACTUAL.ask(trial.key, **told)
        value = changed.value
        if value is None or value.old == value.new or not value.old.strip() or value.old not in trial.by:
            reason = changed.reason if value is None else NO_VALUE
            return Tried(trial, None, reason, changed.text, changed.failure)
        trial = replace(trial, answer=value.answer, swap=(value.old, value.new))
    documents = [
        shown(text, trial.question, trial.item, words)
        for paper in trial.papers
        if (text := texts(trial.item, paper))
    ]
    question = trial.question
    if trial.swap:
        old, new = trial.swap
        # Another value is put into the document that states it, and a new name everywhere.
        where = {trial.item.last.title} if trial.by else {document["title"] for document in documents}
        documents = [
            {name: swapped(said, old, new) for name, said in document.items()}
            if document["title"] in where
            else document
            for document in documents
        ]
        if not trial.by:
            question = swapped(question, old, new)
            trial = replace(trial, question=question, answer=swapped(trial.answer, old, new))
    outcome = yield from ANSWER.ask(trial.key, documents=documents, question=question)
    said = outcome.value.answer.strip() if outcome.value else None
    prediction = None if not said or declines(said) else said
    return Tried(trial, prediction, outcome.reason, outcome.text, outcome.failure)


def shown(text: Text, question: str, item: Item, words: int) -> dict[str, str]:
    """Title and paragraphs of a document as a model reads them, `words` words at most, in their order.

    Paragraphs with a quote of the item come first, then those that share most with the question.
    """
    asked = terms(question)
    quotes = [quote for of_role in item.quotes.values() for quote in of_role]
    order = sorted(
        range(len(text.paragraphs)),
        key=lambda place: (
            not any(quote in text.paragraphs[place] for quote in quotes),
            -len(asked & terms(text.paragraphs[place])),
            place,
        ),
    )
    kept: list[int] = []
    room = words
    for place in order:
        length = len(text.paragraphs[place].split())
        if kept and length > room:
            continue
        kept.append(place)
        room -= length
    return {"title": text.title, "text": "\n".join(text.paragraphs[place] for place in sorted(kept))}


def swapped(text: str, old: str, new: str) -> str:
    """A text with one word or phrase in the place of another, whatever its capitals; not inside of words."""
    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, text, flags=re.IGNORECASE)


def made_up_name(name: str) -> str:
    """A name that nothing has, the same one for a name every time."""
    digest = blake2b(name.casefold().encode(), digest_size=3).digest()
    return "".join(_SYLLABLES[byte % len(_SYLLABLES)] for byte in digest).capitalize()


def trial_rows(tried: Sequence[Tried], model: str, revision: str, version: str) -> list[Row]:
    """Rows of `quality.trials`, not marked yet."""
    return [
        {
            "trial_id": one.key,
            "model": model,
            "model_revision": revision,
            "prompt_version": version,
            "item_id": one.trial.item.item_id,
            "variant": one.trial.item.variant,
            "reading": one.trial.reading,
            "role": one.trial.role,
            "documents": list(one.trial.papers),
            "question": one.trial.question,
            "expected": one.trial.answer,
            "changed": " → ".join(one.trial.swap) if one.trial.swap else None,
            "prediction": one.prediction,
            "score": None,
            "judge": "",
            "rejection_reason": one.reason,
            "reply": one.text,
        }
        for one in tried
    ]
