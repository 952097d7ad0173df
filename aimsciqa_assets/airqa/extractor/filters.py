"""What an example must be: it gives nothing away, and its evaluator tells right from wrong.

Each filter has one or several reasons; the first one that an example fails is the reason of its rejection.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.airqa.evaluation.judged import NoReplyError
from aimsciqa_assets.airqa.evaluation.scoring import PASSES, scored
from aimsciqa_assets.airqa.extractor.tracking import Tracked

FAILED: Final[Mapping[str, str]] = {
    "evidence_not_found": "evidence_is_exact",
    "answer_in_question": "keeps_the_answer",
    "title_in_question": "keeps_the_title",
    "fails_its_answer": "accepts_its_answer",
    "accepts_empty": "rejects_others",
    "accepts_changed_number": "rejects_others",
    "accepts_other_answer": "rejects_others",
    "near_duplicate": "is_no_duplicate",
}
"""The filter that a reason means."""
ORDER: Final = tuple(dict.fromkeys(FAILED.values()))
NO_VERDICT: Final = "no_verdict"
"""The reason where the judge of an evaluator gave no reply; what it is about is why."""

_WORD: Final = re.compile(r"[^\W_]+")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_SHORTEST_NAME: Final = 3
_LONG_ANSWER: Final = 4
"""Words of an answer that a question cannot have by chance; a shorter one may be one of its alternatives."""
_EMPTY_WORDS: Final = frozenset(
    "a an and are as at be by do does for from has have how in is it its of on or paper that the their this "
    "to was were what when where which who whose why with".split()
)

Failure = tuple[str, str]
"""A reason, and what it is about."""


def words(text: str) -> list[str]:
    """The words of a text in small letters."""
    return _WORD.findall(text.casefold())


def gives_answer(tracked: Tracked) -> Failure | None:
    """Whether the answer stands in the question or in the answer format.

    A question may name a short answer among others ("a or b?"); a format that names it alone gives it away.
    """
    answer = words(tracked.answer) if isinstance(tracked.answer, str) else []
    question, form = words(tracked.question), words(tracked.answer_format)
    if len(answer) >= _LONG_ANSWER and _stands_in(answer, question):
        return "answer_in_question", "the answer stands in the question"
    telling = len("".join(answer)) > _SHORTEST_NAME and not _stands_in(answer, question)
    if telling and _stands_in(answer, form):
        return "answer_in_question", "the answer stands in the answer format"
    return None


def gives_title(question: str, title: str, share: float) -> Failure | None:
    """Whether a question gives a paper away: by so much of its title in a row, or by the name in front of it.

    `share` is that of the words of the title.
    """
    asked, of_title = words(question), words(title)
    longest = max(1, round(share * len(of_title)))
    for start in range(len(of_title) - longest + 1):
        run = of_title[start : start + longest]
        if _stands_in(run, asked):
            return "title_in_question", f"it has {' '.join(run)!r} of the title"
    name, colon, _ = title.partition(":")
    named = words(name)
    if colon and len(named) == 1 and len(named[0]) >= _SHORTEST_NAME and _stands_in(named, asked):
        return "title_in_question", f"it has the name {name.strip()!r}"
    return None


def wrong_answers(answer: Any) -> Iterator[tuple[str, Any]]:
    """Answers that no evaluator may take for this one, each with the reason why it is bad if it does."""
    yield "accepts_empty", ""
    if isinstance(answer, list):
        yield "accepts_empty", []
    written = json.dumps(answer, ensure_ascii=False)
    changed = _NUMBER.sub(_other_number, written, count=1)
    if changed != written and not isinstance(answer, bool):
        yield "accepts_changed_number", json.loads(changed)


def judged(
    tracked: Tracked, wrong: Iterable[tuple[str, Any]], key: str, *, accepts: bool = True
) -> Dialogue[Failure | None]:
    """What is wrong with an evaluator: it fails its own answer (`accepts`), or passes a wrong one.

    Most evaluators need no model for that; those with a judge ask it.
    """
    try:
        if accepts and not (yield from _passes(tracked, tracked.answer, key)):
            return "fails_its_answer", _told(tracked.answer)
        for reason, answer in wrong:
            if (yield from _passes(tracked, answer, key)):
                return reason, _told(answer)
    except NoReplyError as error:
        return NO_VERDICT, error.failure or NO_VERDICT
    return None


def content_words(text: str) -> frozenset[str]:
    """The words that say what a question is about."""
    return frozenset(words(text)) - _EMPTY_WORDS


def in_common(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of their words that two questions have in common (Jaccard)."""
    return len(one & other) / max(1, len(one | other))


def _passes(tracked: Tracked, answer: Any, key: str) -> Dialogue[bool]:
    return (yield from scored(tracked.evaluator, answer, key)) >= PASSES


def _told(answer: Any) -> str:
    return json.dumps(answer, ensure_ascii=False)[:200]


def _stands_in(some: list[str], others: list[str]) -> bool:
    return bool(some) and f" {' '.join(some)} " in f" {' '.join(others)} "


def _other_number(found: re.Match[str]) -> str:
    """A number that is neither near nor a multiple of ten."""
    whole, point, digits = found[0].partition(".")
    return f"{int(whole) * 2 + 3}{point}{digits}"
