"""The sentence patterns of a composed item, and which of them suits two given questions."""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.composition import verdicts
from aimsciqa_assets.stand_in.composition.answers import Answer, comparison, directions
from aimsciqa_assets.stand_in.composition.questions import Question
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
_DOES: Final = lex.table("does")
# Words of an answer that still reads well inside a question.
_SHORT: Final = 26
# Where the head of a phrase ends: its first preposition or relative clause.
_HEAD_ENDS: Final = re.compile(rf" (?:{'|'.join(sorted(PREPOSITIONS))}|that|who) ")
_DONE: Final = re.compile(r"\b(?:was|were|been)\b")
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_STANDING: Final = lex.table("standings")


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
    (does,) = _DOES.get(question.kind, ("reports",))
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
        return f"How {_do(one.phrase)} {one.phrase} in {here} compare with {other.phrase} in {there}?"
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
    follows = "; " + " ".join(_STANDING[standing]) if standing else ""
    return f"{joint} the {paper} paper {pair.answer.told}{follows}."


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
