"""The sentence patterns of a composed item, and which of them suits two given questions."""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.stand_in.composition import verdicts
from aimsciqa_assets.stand_in.composition.answers import Answer, comparison, directions
from aimsciqa_assets.stand_in.composition.questions import Question
from aimsciqa_assets.stand_in.composition.words import content, specific
from aimsciqa_assets.stand_in.forms import Kind
from aimsciqa_assets.stand_in.inversion import PREPOSITIONS, bare


@dataclass(frozen=True, slots=True)
class CorePair:
    """One paper's core pair: read, with the question as given too."""

    question: Question
    answer: Answer
    asked: str

    def as_given(self) -> tuple[Kind, str, str]:
        """Kind, question and answer, as the verdicts want them."""
        return self.question.kind, self.asked, self.answer.sentence

    def named(self, paper: str) -> str:
        """The paper with the subject that its question names."""
        return f"{paper} on {self.question.about}" if self.question.about else paper


# What a paper does with a finding of this kind; it reports the others.
_DOES: Final[dict[Kind, str]] = {
    "effect": "examines", "change": "examines", "difference": "examines", "manner": "explains",
    "reason": "explains", "definition": "explains", "whether": "investigates",
}  # fmt: skip
# Words of an answer that still reads well inside a question.
_SHORT: Final = 26
# Where the head of a phrase ends: its first preposition or relative clause.
_HEAD_ENDS: Final = re.compile(rf" (?:{'|'.join(sorted(PREPOSITIONS))}|that|who) ")
_DONE: Final = re.compile(r"\b(?:was|were|been)\b")
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_STANDING: Final = {
    "earlier": "; it is earlier in the source paper",
    "later": "; it is later in the source paper",
    "equal": "; the two values are equal",
    "overlap": "; the values of the two papers overlap",
    "higher": "; the value is higher in the source paper",
    "lower": "; the value is lower in the source paper",
    "same": "; the direction is the same in both papers",
    "opposite": "; the direction is not the same in both papers",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What a paper is searched by: its subject ("on Zika virus ", or nothing), and what it reports."""

    subject: str
    told: str

    @property
    def question(self) -> str:
        """Ask for the paper: "Which paper on Zika virus reports ...?"."""
        return f"Which paper {self.subject}{self.told}?"

    @property
    def paper(self) -> str:
        """Describe the paper: "the paper on Zika virus that reports ..."."""
        return f"the paper {self.subject}that {self.told}"


def finding(question: Question, answer: Answer | None, secrets: Iterable[Set[str]] = ()) -> Finding:
    """Turn a retrieval pair into what its paper is searched by.

    A question gives way to its answer where that tells the paper better from others, unless the answer gives
    one of the `secrets` away. These are sets of stems, such as the news of the core answers.
    """
    subject = f"on {question.about} " if question.about else ""
    asked = _told_question(question)
    told = _without_asides(answer.told) if answer else ""
    if 0 < len(told.split()) <= _SHORT:
        is_better = asked is None or verdicts.findability(told) > verdicts.findability(asked)
        if is_better and not any(verdicts.gives_away(told, secret) for secret in secrets):
            return Finding(subject, told)
    return Finding(subject, asked or f"addresses the question “{question.direct}”")


def _without_asides(told: str) -> str:
    """What is told, without what stands in parentheses where it is too long to stand inside a question."""
    return told if len(told.split()) <= _SHORT else re.sub(r" \([^()]*\)", "", told)


def _told_question(question: Question) -> str | None:
    by_clause = question.kind in {"manner", "reason", "definition"}
    told = question.clause if by_clause else question.phrase or question.clause
    if told is None:
        return None
    does = _DOES.get(question.kind, "reports")
    if question.kind == "thing" and question.phrase:
        does = "identifies"
    if question.kind == "manner" and _DONE.search(told):
        does = "describes"
    return re.sub(r"\bthe authors\b", "its authors", f"{does} {told}")


def inter_document_question(source: CorePair, target: CorePair) -> str:
    """One question that joins both core questions; the papers are called the source and the target paper."""
    one, other = source.question, target.question
    here, there = source.named("the source paper"), target.named("the target paper")
    if one.phrase and other.phrase:
        return _comparing(one, other, here, there)
    return f"According to {there}, {other.direct}, and {_and_how(one, here)}?"


def merged_question(source: CorePair, target: CorePair, found: Finding) -> str:
    """One question that needs the target paper to be found first, by what was `found` in it."""
    one, other = source.question, target.question
    here = source.named("the source paper")
    if one.phrase and other.phrase:
        does = f"how {_do(other.phrase)} {other.phrase} in that paper"
        return f"Considering {found.paper}, {does} compare with {one.phrase} in {here}?"
    return f"In {found.paper}, {other.direct}, and {_and_how(one, here)}?"


def _and_how(question: Question, paper: str) -> str:
    """Ask for the second fact."""
    told = question.phrase or question.clause
    if question.kind == "difference" or not told:
        return f"according to {paper}, {question.direct}"
    place = "according to" if bare(told.split()[-1]) in PREPOSITIONS else "in"
    return f"how does this compare with {told} {place} {paper}"


def inter_document_answer(source: CorePair, target: CorePair, standing: str | None) -> str:
    """Both core answers as reported speech, and how they stand to each other where that is sure."""
    return f"The source paper {source.answer.told}, {_second('target', target, standing)}"


def merged_answer(source: CorePair, target: CorePair, title: str, standing: str | None) -> str:
    """Both core answers, with the target paper named."""
    found = f"The paper in question is '{title}'."
    return f"{found} It {target.answer.told}, {_second('source', source, standing)}"


def _second(paper: str, pair: CorePair, standing: str | None) -> str:
    joint = "and" if standing in {"same", "equal"} else "whereas"
    return f"{joint} the {paper} paper {pair.answer.told}{_STANDING[standing] if standing else ''}."


def _comparing(one: Question, other: Question, here: str, there: str) -> str:
    first, second = one.phrase or "", other.phrase or ""
    own, others = specific(first).keys(), specific(second).keys()
    if content(first).keys() == content(second).keys():
        return f"How {_do(first)} {first} compare between {here} and {there}?"
    if own <= others or others <= own or one.about or other.about:
        return f"How {_do(first)} {first} in {here} compare with {second} in {there}?"
    begun, rest = _same_beginning(first, second)
    if begun:
        second = f"{'those' if _do(begun) == 'do' else 'that'} {rest}"
    return f"How {_do(first)} {first} compare with {second}?"


def _same_beginning(one: str, other: str) -> tuple[str, str]:
    """Split `other` after the words it shares with `one`, where both go on with a preposition."""
    here, there = one.split(), other.split()
    at = next((i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), 0)
    while at and not (here[at] in PREPOSITIONS and there[at] in PREPOSITIONS):
        at -= 1
    if at < 3 or here[at] == "of" or here[at : at + 2] == there[at : at + 2]:
        return "", ""
    return " ".join(there[:at]), " ".join(there[at:])


def standing(source: CorePair, target: CorePair) -> str | None:
    """How the facts stand to each other; empty where that is not sure, None where nothing follows."""
    here, there = source.answer.sentence, target.answer.sentence
    kinds = {source.question.kind, target.question.kind}
    if kinds == {"value"}:
        return comparison(here, there)
    if kinds <= {"effect", "change"}:
        return directions(here, there)
    when = [set(_YEAR.findall(text)) for text in (here, there)]
    if source.question.direct.startswith("when ") and [len(years) for years in when] == [1, 1]:
        (first,), (second,) = when
        return "" if first == second else "earlier" if first < second else "later"
    return ""


def _do(phrase: str) -> str:
    """Choose does or do, by the number of the phrase's head."""
    if phrase.startswith(("the way ", "the reason ", "the extent ", "the description ")):
        return "does"
    opening = _HEAD_ENDS.split(phrase, maxsplit=1)[0]
    last = opening.split()[-1].lower()
    plural = (last.endswith("s") and not last.endswith(("ss", "us", "is"))) or " and " in opening
    return "do" if plural else "does"
