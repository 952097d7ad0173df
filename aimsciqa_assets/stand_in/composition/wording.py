"""The sentence patterns of a composed item, and which of them suits two given questions."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.stand_in.composition import verdicts
from aimsciqa_assets.stand_in.composition.answers import Answer, comparison
from aimsciqa_assets.stand_in.composition.questions import Question
from aimsciqa_assets.stand_in.composition.relation import are_alike, are_comparable, head
from aimsciqa_assets.stand_in.composition.words import FIELD_STEMS, content, is_term, specific
from aimsciqa_assets.stand_in.forms import Kind
from aimsciqa_assets.stand_in.inversion import PREPOSITIONS


@dataclass(frozen=True, slots=True)
class CorePair:
    """One paper's core pair: read, with the question as given too, and what the paper is about if known."""

    question: Question
    answer: Answer
    asked: str
    topic: str = ""

    def news(self) -> frozenset[str]:
        """Stems of what the answer says and the question does not."""
        return frozenset(content(self.answer.sentence)) - frozenset(content(self.asked))

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
# Findability under which a question does not tell its paper from similar ones.
IDENTIFYING: Final = 3
# Words of an answer that still reads well inside a question.
_SHORT: Final = 24
_DONE: Final = re.compile(r"\b(?:was|were|been)\b")
_STANDING: Final = {
    "equal": "; the two values are equal",
    "higher": "; the value is higher in the source paper",
    "lower": "; the value is lower in the source paper",
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


def finding(question: Question, answer: Answer | None, secrets: Iterable[Collection[str]] = ()) -> Finding:
    """Turn a retrieval pair into what its paper is searched by.

    A question that names too little to find a paper by ("What could drought stress affect?"), or that cannot
    be told, gives way to its answer, unless that gives one of the `secrets` away. These are sets of stems,
    such as the news of the core answers.
    """
    subject = f"on {question.about} " if question.about else ""
    asked = _told_question(question)
    vague = (
        question.kind in {"definition", "statement"}
        or _findability(f"{question.direct} {question.about}") < IDENTIFYING
    )
    if answer and (asked is None or vague) and len(answer.reported.split()) <= _SHORT:
        is_better = asked is None or _findability(answer.told) > _findability(asked)
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


def _findability(text: str) -> int:
    """Words by which a paper can be told from others of its field; a term counts twice."""
    named = specific(text)
    return sum(1 + is_term(word) for stemmed, word in named.items() if stemmed not in FIELD_STEMS)


def inter_document_question(source: CorePair, target: CorePair) -> str:
    """One question that joins both core questions; the papers are called the source and the target paper."""
    one, other = source.question, target.question
    here, there = source.named("the source paper"), target.named("the target paper")
    if are_comparable(one, other):
        return _comparing(one, other, here, there)
    if one.direct == other.direct:
        return f"According to {here} and {there}, respectively, {one.direct}?"
    if are_alike(one, other) and not (one.about or other.about):
        begun, rest = _same_beginning(one.direct, other.direct)
        joined = f" and, by comparison, {rest}" if begun else f", and, by comparison, {other.direct}"
        return f"According to the two papers, {one.direct}{joined}?"
    if other.phrase:
        return f"According to {here}, {one.direct}, and how does this relate to {other.phrase} in {there}?"
    if one.phrase:
        return f"According to {there}, {other.direct}, and how does this relate to {one.phrase} in {here}?"
    return f"According to {_introduced(source)}, {one.direct}, and, according to {there}, {other.direct}?"


def merged_question(source: CorePair, target: CorePair, found: Finding) -> str:
    """One question that needs the target paper to be found first, by what was `found` in it."""
    one, other = source.question, target.question
    here = source.named("the source paper")
    if other.phrase and are_comparable(one, other):
        does = f"how {_do(other.phrase)} {other.phrase} in that paper"
        return f"Considering {found.paper}, {does} compare with {one.phrase} in {here}?"
    if one.direct == other.direct:
        linked = f" how does this compare with the answer in {here}"
    elif one.phrase:
        relation = "compare with" if are_alike(one, other) and one.kind != "value" else "relate to"
        linked = f" how does this {relation} {one.phrase} in {here}"
    else:
        linked = f", according to {_introduced(source)}, {one.direct}"
    return f"In {found.paper}, {other.direct}, and{linked}?"


def inter_document_answer(source: CorePair, target: CorePair) -> str:
    """Both core answers as reported speech, and how their values stand to each other where that is sure."""
    joint, standing = _joined(source, target)
    return f"The source paper {source.answer.told}, {joint} the target paper {target.answer.told}{standing}."


def merged_answer(source: CorePair, target: CorePair, title: str) -> str:
    """Both core answers, with the target paper named."""
    joint, standing = _joined(source, target)
    found = f"The paper in question is '{title}'."
    return f"{found} It {target.answer.told}, {joint} the source paper {source.answer.told}{standing}."


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


def _introduced(source: CorePair) -> str:
    """The source paper with its topic, for where nothing ties its question to the other."""
    about = source.question.about or source.topic
    return f"the source paper on {about}" if about else "the source paper"


def _joined(source: CorePair, target: CorePair) -> tuple[str, str]:
    """What joins the answers, and how their values stand to each other."""
    one, other = source.question, target.question
    are_values = one.kind == "value" and are_comparable(one, other)
    order = comparison(source.answer.sentence, target.answer.sentence) if are_values else None
    return "whereas" if are_alike(one, other) else "and", _STANDING[order] if order else ""


def _do(phrase: str) -> str:
    """Choose does or do, by the number of the phrase's head."""
    if phrase.startswith(("the way ", "the reason ", "the extent ", "the description ")):
        return "does"
    opening = head(phrase)
    last = opening.split()[-1].lower()
    plural = (last.endswith("s") and not last.endswith(("ss", "us", "is"))) or " and " in opening
    return "do" if plural else "does"
