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
from aimsciqa_assets.stand_in.inversion import PREPOSITIONS


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
_SHORT: Final = 24
# Where the head of a phrase ends: its first preposition or relative clause.
_HEAD_ENDS: Final = re.compile(rf" (?:{'|'.join(sorted(PREPOSITIONS))}|that|who) ")
_DONE: Final = re.compile(r"\b(?:was|were|been)\b")
_STANDING: Final = {
    "equal": "; the two values are equal",
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
    if answer and len(answer.reported.split()) <= _SHORT:
        is_better = asked is None or verdicts.findability(answer.told) > verdicts.findability(asked)
        if is_better and not any(verdicts.gives_away(answer.told, secret) for secret in secrets):
            return Finding(subject, answer.told)
    return Finding(subject, asked or f"addresses the question “{question.direct}”")


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
    return f"According to {there}, {other.direct}, and how does this compare with {_told(one)} in {here}?"


def merged_question(source: CorePair, target: CorePair, found: Finding) -> str:
    """One question that needs the target paper to be found first, by what was `found` in it."""
    one, other = source.question, target.question
    here = source.named("the source paper")
    if one.phrase and other.phrase:
        does = f"how {_do(other.phrase)} {other.phrase} in that paper"
        return f"Considering {found.paper}, {does} compare with {one.phrase} in {here}?"
    return f"In {found.paper}, {other.direct}, and how does this compare with {_told(one)} in {here}?"


def _told(question: Question) -> str:
    return question.phrase or question.clause or f"the answer to “{question.direct}”"


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
    return directions(here, there) if kinds <= {"effect", "change"} else ""


def _do(phrase: str) -> str:
    """Choose does or do, by the number of the phrase's head."""
    if phrase.startswith(("the way ", "the reason ", "the extent ", "the description ")):
        return "does"
    opening = _HEAD_ENDS.split(phrase, maxsplit=1)[0]
    last = opening.split()[-1].lower()
    plural = (last.endswith("s") and not last.endswith(("ss", "us", "is"))) or " and " in opening
    return "do" if plural else "does"
