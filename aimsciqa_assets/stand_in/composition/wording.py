"""The sentences of a composed item."""

import re
from typing import Final

from aimsciqa_assets.stand_in.composition.clues import Clue
from aimsciqa_assets.stand_in.composition.relation import Comparison, CorePair
from aimsciqa_assets.stand_in.inversion import PREPOSITIONS

# Where the head of a phrase ends: its first preposition or relative clause.
_HEAD_ENDS: Final = re.compile(rf" (?:{'|'.join(sorted(PREPOSITIONS))}|that|who) ")
_FOLLOWS: Final = {
    "equal": "the {noun} is the same in both papers",
    "higher": "the {noun} is higher in the source paper",
    "lower": "the {noun} is lower in the source paper",
    "overlap": "the {noun}s of the two papers overlap",
    "same": "the {noun} has the same direction in both papers",
    "opposite": "the {noun}s have opposite directions",
}
_AGREEING: Final = frozenset({"equal", "same", "overlap"})


def inter_document_question(compared: Comparison) -> str:
    """One question that joins both core questions; the papers are called the source and the target paper."""
    one, other = compared.source, compared.target
    return (
        f"How {_do(_phrase(one))} {_phrase(one)} in {one.named('the source paper')} compare with "
        f"{_phrase(other)} in {other.named('the target paper')}?"
    )


def merged_question(compared: Comparison, found: Clue) -> str:
    """One question that needs the target paper to be found first, by the clue."""
    one, other = compared.source, compared.target
    return (
        f"Considering {found.paper}, how {_do(_phrase(other))} {_phrase(other)} in that paper compare with "
        f"{_phrase(one)} in {one.named('the source paper')}?"
    )


def inter_document_answer(compared: Comparison) -> str:
    """Both core answers as reported speech, and how they stand to each other."""
    return f"The source paper {compared.source.answer.told}, {_second('target', compared.target, compared)}"


def merged_answer(compared: Comparison, title: str) -> str:
    """Both core answers, with the target paper named."""
    found = f"The paper in question is '{title}'."
    return f"{found} It {compared.target.answer.told}, {_second('source', compared.source, compared)}"


def is_agreement(compared: Comparison) -> bool:
    """Whether the two facts agree."""
    return compared.standing in _AGREEING


def _second(paper: str, pair: CorePair, compared: Comparison) -> str:
    joint = "and" if is_agreement(compared) else "whereas"
    follows = _FOLLOWS[compared.standing].format(noun=compared.noun) if compared.standing else ""
    return f"{joint} the {paper} paper {pair.answer.told}{follows and f'; {follows}'}."


def _phrase(pair: CorePair) -> str:
    return pair.question.phrase or f"the answer to the question “{pair.question.direct}”"


def _do(phrase: str) -> str:
    """Choose does or do, by the number of the phrase's head."""
    opening = _HEAD_ENDS.split(phrase, maxsplit=1)[0]
    last = opening.split()[-1].lower()
    plural = (last.endswith("s") and not last.endswith(("ss", "us", "is"))) or " and " in opening
    return "do" if plural else "does"
