"""The fate of an extracted pair: accepted, or rejected with the first reason that holds."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.asking.task import Outcome
from aimsciqa_assets.scidqa.pairs.discussions import Discussion
from aimsciqa_assets.scidqa.pairs.editing import EDITING, Draft, Edit, Edits, draft_of, editing_variables
from aimsciqa_assets.scidqa.pairs.extraction import ExtractedPair
from aimsciqa_assets.scidqa.pairs.quotes import GroundedPair, ground_pair
from aimsciqa_assets.scidqa.pairs.references import cited, with_references
from aimsciqa_assets.scidqa.pairs.versions import Version, version_by_rule
from aimsciqa_assets.scidqa.pairs.wording import addresses_somebody, text_reason

_WORD: Final = re.compile(r"\w+")
_NOT_EDITED: Final = "not_edited"
_DUPLICATE: Final = "duplicate"


@dataclass(frozen=True, slots=True)
class Decided:
    """An extracted pair, what became of it on its way, and the `reason` why it is rejected; None: accepted.

    `draft` is there once its quotes were found, `edit` once the model has judged it.
    """

    discussion: Discussion
    position: int
    grounded: GroundedPair
    draft: Draft | None = None
    edit: Edit | None = None
    reason: str | None = None

    @property
    def question(self) -> str:
        """The question as far as it was edited, with the references that it cites."""
        return self._edited(self.edit.question if self.edit else None, self.grounded.pair.question)

    @property
    def answer(self) -> str:
        """The answer, likewise."""
        return self._edited(self.edit.answer if self.edit else None, self.grounded.pair.answer)

    @property
    def references(self) -> dict[str, str]:
        """What the edited question and answer cite, by uniform mark."""
        if self.draft is None or self.edit is None:
            return {}
        return cited(f"{self.edit.question}\n{self.edit.answer}", self.draft.references)

    @property
    def version_by_rule(self) -> Version | None:
        """The version that the words around the answer's quote tell of."""
        place = self.grounded.answer
        return version_by_rule(place.passage) if place else None

    @property
    def version(self) -> Version | None:
        """`revised` if the rule or the model says so."""
        if self.edit is None:
            return None
        return "revised" if "revised" in (self.edit.version, self.version_by_rule) else "initial"

    @property
    def multi_document(self) -> bool | None:
        """Whether it asks about other papers, too: the model says so, or the question cites one of a list."""
        if self.edit is None or self.draft is None:
            return None
        return self.edit.multi_document or bool(cited(self.edit.question, self.draft.references))

    def _edited(self, edited: str | None, extracted: str) -> str:
        if edited is None or self.draft is None:
            return extracted
        return with_references(edited.strip(), self.draft.references)


@dataclass(frozen=True, slots=True)
class Edited:
    """What came of a discussion: its pairs, and the reply about them; None where nothing was to be asked."""

    discussion: Discussion
    pairs: tuple[Decided, ...]
    outcome: Outcome[Edits] | None

    @property
    def failure(self) -> str | None:
        """Why the model gave no reply."""
        return self.outcome.failure if self.outcome else None


def edited(discussion: Discussion, extracted: Sequence[ExtractedPair]) -> Dialogue[Edited]:
    """Have the model judge and rewrite the pairs of a discussion that pass the rules, in one request."""
    pairs = [_checked(discussion, position, pair) for position, pair in enumerate(extracted)]
    drafts = [one.draft for one in pairs if one.reason is None and one.draft]
    if not drafts:
        return Edited(discussion, tuple(pairs), None)
    outcome = yield from EDITING.ask(discussion.discussion_id, **editing_variables(discussion, drafts))
    read = outcome.value if outcome.reason is None else None
    edits = {edit.pair: edit for edit in read.edits} if read else {}
    by_position = {draft.position: edits.get(number) for number, draft in enumerate(drafts, start=1)}
    missing = outcome.reason or _NOT_EDITED
    decided = [
        _judged(one, by_position[one.position], missing) if one.reason is None else one for one in pairs
    ]
    return Edited(discussion, tuple(decided), outcome)


def without_duplicates(pairs: Iterable[Decided]) -> list[Decided]:
    """The pairs of one forum; of accepted ones that ask the same, in words or at the same place, the first
    stays.
    """
    seen: set[tuple[object, ...]] = set()
    kept = []
    for one in pairs:
        marks = _marks(one) if one.reason is None else set()
        kept.append(replace(one, reason=_DUPLICATE) if marks & seen else one)
        seen |= marks
    return kept


def _checked(discussion: Discussion, position: int, pair: ExtractedPair) -> Decided:
    """The pair with its quotes found, or with the reason why the model is not asked about it."""
    grounded = ground_pair(pair, discussion)
    if grounded.reason:
        return Decided(discussion, position, grounded, reason=grounded.reason)
    draft = draft_of(position, grounded, discussion)
    return Decided(discussion, position, grounded, draft, reason=text_reason(draft.question, draft.answer))


def _judged(one: Decided, edit: Edit | None, missing: str) -> Decided:
    if edit is None:
        return replace(one, reason=missing)
    return replace(one, edit=edit, reason=_reason_of(edit))


def _reason_of(edit: Edit) -> str | None:
    if edit.relevance != "relevant":
        return edit.relevance
    texts: Mapping[str, str] = {"question": edit.question, "answer": edit.answer}
    for name, text in texts.items():
        if not text.strip():
            return f"empty_edited_{name}"
    for name, text in texts.items():
        if addresses_somebody(text):
            return f"{name}_addresses_somebody"
    return text_reason(edit.question, edit.answer)


def _marks(one: Decided) -> set[tuple[object, ...]]:
    """By what a pair is known: the words of its question, and the places of both quotes."""
    places = [
        place and (place.turn.note_id, place.start, place.end)
        for place in (one.grounded.question, one.grounded.answer)
    ]
    return {("words", *_WORD.findall(one.question.casefold())), ("places", *places)}
