"""What becomes of a question: polished, searched for, held against rules, and read strictly."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.hopweaver.comparison.polished import broken_polishing as broken_comparison
from aimsciqa_assets.hopweaver.comparison.polished import polished_guess
from aimsciqa_assets.hopweaver.constraints import broken_polishing
from aimsciqa_assets.hopweaver.drafts import Draft, Fact, facts_of
from aimsciqa_assets.hopweaver.polishing import UNREADABLE, Polished, polished
from aimsciqa_assets.hopweaver.strict_reading import read_strictly
from aimsciqa_assets.hopweaver.wording import broken_rewording

REJECTED: Final = "rejected_by_polisher"
NOT_POLISHED: Final = "not_polished"
POLISHED_FOUND: Final = "polished_found_by_question"
_CHANGED: Final = ("adjust", "reworked")


@dataclass(frozen=True, slots=True)
class LastSteps:
    """What a question passes before it is an item.

    `finds` says whether a search for a bridge question finds its second document; None: no such search.
    `titles` are those of documents, by id; the strict reader, which reads if `read`, is shown them. `ordered`
    and `most_years` say which answers of comparisons are guesses, also after polishing.
    """

    tries: int
    polish: bool = True
    read: bool = False
    finds: Callable[[Draft], bool] | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    ordered: bool = False
    most_years: int = 0


@dataclass(frozen=True, slots=True)
class PolishedPair:
    """What became of the drafts on the same two documents."""

    polishings: tuple[Polished, ...]

    @property
    def failure(self) -> str | None:
        """Why the model gave no reply to one of them; None where it did."""
        said = [(one.failure, one.reading and one.reading.failure) for one in self.polishings]
        return next((failure for pair in said for failure in pair if failure), None)


def polished_once(drafts: Sequence[Draft], steps: LastSteps) -> Dialogue[PolishedPair]:
    """Decide drafts on the same two documents; one that mirrors an accepted one goes on unasked.

    `item_rows` rejects it as `mirrored`.
    """
    kept: set[Fact] = set()
    done = []
    for draft in drafts:
        one = unpolished(draft) if facts_of(draft) & kept else (yield from decided(draft, steps))
        if rejection_of(one) is None:
            kept |= facts_of(one.draft)
        done.append(one)
    return PolishedPair(tuple(done))


def decided(draft: Draft, steps: LastSteps) -> Dialogue[Polished]:
    """Polish a draft, search for the question if it changed, and have the final version read strictly."""
    one = unpolished(draft)
    if steps.polish:
        one = yield from polished(draft, steps.tries, steps.most_years)
    if draft.kind == "comparison" and one.status in _CHANGED:
        guess = polished_guess(one.draft, ordered=steps.ordered, most_years=steps.most_years)
        one = replace(one, guess=guess)
    if steps.finds and draft.kind == "bridge" and one.draft.question != draft.question:
        one = replace(one, found=rejection_of(one) is None and steps.finds(one.draft))
    if steps.read and rejection_of(one) is None:
        one = replace(one, reading=(yield from read_strictly(one.draft, steps.titles)))
    return one


def unpolished(draft: Draft) -> Polished:
    """A draft that goes on as it is."""
    return Polished(NOT_POLISHED, draft)


def rejection_of(result: Polished) -> str | None:
    """Why a polished question is no item; None where it is one."""
    if result.status == "error":
        return result.failure or UNREADABLE
    if result.status == "rejected":
        return REJECTED
    broken = _broken_by_polishing(result) if result.status in _CHANGED else None
    if broken or result.guess or result.found:
        return broken or result.guess or POLISHED_FOUND
    reading = result.reading
    return (reading.failure or reading.reason) if reading else None


def _broken_by_polishing(result: Polished) -> str | None:
    draft = result.draft
    if draft.kind == "comparison":
        return broken_comparison(result.before or draft, draft)
    broken = broken_polishing(draft.question, draft.answer, draft.entity_a)
    return broken or broken_rewording(draft)
