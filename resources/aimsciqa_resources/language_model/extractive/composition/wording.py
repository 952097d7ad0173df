"""The sentence patterns of a composed item, and which of them suits two given questions."""

import re
from dataclasses import dataclass
from typing import Final

from aimsciqa_resources.language_model.extractive.composition.answers import Answer, comparison
from aimsciqa_resources.language_model.extractive.composition.questions import PREPOSITIONS, Kind, Question
from aimsciqa_resources.language_model.extractive.composition.words import content, specific, stem


@dataclass(frozen=True, slots=True)
class CorePair:
    """One paper's core pair: read, and as given."""

    question: Question
    answer: Answer
    asked: str
    answered: str


# What a paper does with a finding of this kind.
_DOES: Final[dict[Kind, str]] = {
    "value": "reports",
    "effect": "examines",
    "change": "examines",
    "difference": "examines",
    "manner": "explains",
    "reason": "explains",
    "whether": "investigates",
    "thing": "reports",
    "definition": "explains",
    "statement": "reports",
}
_COMPARED_WHATEVER: Final = frozenset({"effect", "change", "difference", "manner", "definition"})
_PROCEDURE: Final = re.compile(
    r"\b(?:measured|determined|assessed|calculated|collected|prepared|extracted|isolated|quantified|analy[sz]ed"
    r"|conducted|performed|estimated|recruited|randomi[sz]ed|sequenced|tested|evaluated|stored|grown|identified"
    r"|constructed|amplified|carried|removed|milled|diluted|adjusted|defined)\b"
)
_HEAD_ENDS: Final = re.compile(rf" (?:{'|'.join(sorted(PREPOSITIONS))}|that|who) ")
_MEASURES: Final = frozenset(stem(word) for word in ("mean", "average", "main", "major", "number", "percentage"))


def finding(question: Question) -> str:
    """What follows "which paper": " on Zika virus reports the mean age of ..."."""
    about = f"on {question.about} " if question.about else ""
    by_clause = question.kind in {"manner", "reason", "definition"}
    told = question.clause if by_clause else question.phrase or question.clause
    if told is None:
        return f"{about}addresses the question “{question.direct}”"
    verb = "identifies" if question.kind == "thing" and question.phrase else _DOES[question.kind]
    if question.kind == "manner" and _PROCEDURE.search(told):
        verb = "describes"
    told = re.sub(r"\bthe authors\b", "its authors", told)
    return f"{about}{verb} {told}"


def are_comparable(one: Question, other: Question) -> bool:
    """Whether the phrases of two questions name the same sort of thing."""
    if one.kind != other.kind or one.phrase is None or other.phrase is None:
        return False
    if one.kind == "reason":
        return False
    return one.kind in _COMPARED_WHATEVER or bool(_head(one.phrase) & _head(other.phrase))


def are_alike(one: Question, other: Question) -> bool:
    """Whether two questions ask in the same way."""
    return one.kind == other.kind and one.direct.split()[0] == other.direct.split()[0]


def inter_document_question(source: CorePair, target: CorePair) -> str:
    """One question over both core questions; the papers are called the source and the target paper."""
    one, other = source.question, target.question
    here, there = _named("the source paper", one), _named("the target paper", other)
    if one.phrase and other.phrase and are_comparable(one, other):
        return _comparing(one, other, here, there)
    if are_alike(one, other) and not (one.about or other.about):
        begun, rest = _same_beginning(one.direct, other.direct)
        joined = f" and, by comparison, {rest}" if begun else f", and, by comparison, {other.direct}"
        return f"According to the two papers, {one.direct}{joined}?"
    if other.phrase:
        return f"According to {here}, {one.direct}, and how does this relate to {other.phrase} in {there}?"
    if one.phrase:
        return f"According to {there}, {other.direct}, and how does this relate to {one.phrase} in {here}?"
    return f"According to {here}, {one.direct}, and, according to {there}, {other.direct}?"


def merged_question(source: CorePair, target: CorePair, found: str) -> str:
    """The question that needs the target paper to be found first, by its `finding`."""
    one, other = source.question, target.question
    here = _named("the source paper", one)
    if one.phrase and other.phrase and are_comparable(one, other):
        return (
            f"Considering the paper {_that(found)}, how {_do(other.phrase)} {other.phrase} in that paper"
            f" compare with {one.phrase} in {here}?"
        )
    if one.phrase:
        relation = "compare with" if one.kind == other.kind else "relate to"
        return f"In the paper {_that(found)}, {other.direct}, and how does this {relation} {one.phrase} in {here}?"
    return f"In the paper {_that(found)}, {other.direct}, and, according to {here}, {one.direct}?"


def inter_document_answer(source: CorePair, target: CorePair) -> str:
    """Both core answers as reported speech, and how their values stand to each other where that is sure."""
    return (
        f"The source paper {source.answer.verb} that {source.answer.reported}, {_joint(source, target)}"
        f" the target paper {target.answer.verb} that {target.answer.reported}{_standing(source, target)}."
    )


def merged_answer(source: CorePair, target: CorePair, title: str) -> str:
    """The same, with the target paper named."""
    return (
        f"The paper in question is '{title}'. It {target.answer.verb} that {target.answer.reported},"
        f" {_joint(source, target)} the source paper {source.answer.verb} that {source.answer.reported}"
        f"{_standing(source, target)}."
    )


def _comparing(one: Question, other: Question, here: str, there: str) -> str:
    first, second = one.phrase or "", other.phrase or ""
    own, others = specific(first).keys() - specific(second).keys(), specific(second).keys() - specific(first).keys()
    if content(first).keys() == content(second).keys():
        return f"How {_do(first)} {first} compare between {here} and {there}?"
    if not own or not others or one.about or other.about:
        return f"How {_do(first)} {first} in {here} compare with {second} in {there}?"
    begun, rest = _same_beginning(first, second)
    if begun:
        second = f"{'those' if _do(begun) == 'do' else 'that'} {rest}"
    return f"How {_do(first)} {first} compare with {second}?"


def _same_beginning(one: str, other: str) -> tuple[str, str]:
    """The words both begin with and the rest of `other`, where both go on with a preposition; else nothing."""
    here, there = one.split(), other.split()
    at = next((i for i, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), 0)
    while at and not (here[at] in PREPOSITIONS and there[at] in PREPOSITIONS):
        at -= 1
    if at < 3 or here[at] == "of":
        return "", ""
    return " ".join(there[:at]), " ".join(there[at:])


def _named(paper: str, question: Question) -> str:
    return f"{paper} on {question.about}" if question.about else paper


def _that(found: str) -> str:
    """Turn "on X reports Y" into "on X that reports Y"."""
    about, verb, told = re.fullmatch(
        rf"(on .+? )??({'|'.join({*_DOES.values(), 'identifies', 'describes', 'addresses'})})( .+)", found
    ).groups("")  # type: ignore[union-attr]
    return f"{about}that {verb}{told}"


def _joint(source: CorePair, target: CorePair) -> str:
    return "whereas" if are_alike(source.question, target.question) else "and"


def _standing(source: CorePair, target: CorePair) -> str:
    one, other = source.question, target.question
    if one.kind != "value" or not are_comparable(one, other):
        return ""
    order = comparison(source.answer.sentence, target.answer.sentence)
    if order is None:
        return ""
    return "; the two values are equal" if order == "equal" else f"; the value is {order} in the source paper"


def _head(phrase: str) -> set[str]:
    """Stems of the head noun and what stands before it; of "the number of villages" those of villages too."""
    head = _HEAD_ENDS.split(phrase, maxsplit=1)[0]
    if head.endswith(("number", "amount", "percentage", "proportion", "share")):
        head = " ".join(phrase.split()[: len(head.split()) + 3])
    return set(content(head)) - _MEASURES


def _do(phrase: str) -> str:
    """Choose does or do, by the number of the phrase's head."""
    if phrase.startswith(("the way ", "the reason ", "the extent ", "the description ")):
        return "does"
    head = _HEAD_ENDS.split(phrase, maxsplit=1)[0]
    last = head.split()[-1].lower()
    plural = (last.endswith("s") and not last.endswith(("ss", "us", "is"))) or " and " in head
    return "do" if plural else "does"
