"""Step 2: how concrete the subject is, and how comparable each attribute (HopWeaver, appendix G)."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.json_replies import fits_in
from aimsciqa_assets.hopweaver.comparison.names import folded
from aimsciqa_assets.hopweaver.comparison.subjects import Attribute
from aimsciqa_assets.hopweaver.delimited import BETWEEN_FIELDS, bare, records, without_marks

NO_ENTITY_SCORE: Final = "no_entity_score"
NO_ATTRIBUTE_SCORES: Final = "no_attribute_scores"
LOWEST, HIGHEST = 1, 5

_NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:[.,]\d+)?")
_BARE = re.compile(r"\W*(\d+(?:[.,]\d+)?)\W*")


@dataclass(frozen=True, slots=True)
class AttributeScore:
    """The comparability of the attribute of this name, 1 to 5; `value` is what the model repeated."""

    name: str
    value: str
    comparability: float


@dataclass(frozen=True, slots=True)
class Scores:
    """The concreteness of the subject, 1 to 5, and the scores of its attributes in the model's order."""

    concreteness: float
    attributes: tuple[AttributeScore, ...]


Joined = tuple[tuple[Attribute, float], ...]
"""Attributes with their comparability."""


def read_scores(text: str) -> Scores | Fault[Scores]:
    """Read the reply to the second step.

    Scores may be quoted, or have decimals ("4.5"); the subject's may stand alone ("5 ## ...", "5|4|3"); the
    whole may be JSON. Scores outside the scale are none.
    """
    concreteness, attributes = _in_records(text)
    if concreteness is None and not attributes:
        concreteness, attributes = _in_json(text)
    if concreteness is None:
        return Fault(NO_ENTITY_SCORE, 'it has no record ("entity_score"<|>number from 1 to 5)')
    scores = Scores(concreteness, tuple(attributes))
    if not attributes:
        return Fault(NO_ATTRIBUTE_SCORES, "it scores no attribute from 1 to 5", partial=scores)
    return scores


def joined(attributes: Iterable[Attribute], scores: Scores) -> Joined:
    """The attributes that have a score, in the order of the scores, each once.

    They are joined by name. Where several have the same name, the value that the model repeated decides.
    """
    left = list(attributes)
    found = []
    for score in scores.attributes:
        same = [one for one in left if folded(one.name) == folded(score.name)]
        if same:
            attribute = next((one for one in same if folded(one.value) == folded(score.value)), same[0])
            left.remove(attribute)
            found.append((attribute, score.comparability))
    return tuple(found)


def score_in(text: str) -> float | None:
    """The score that somebody wrote: 5, "4.5", 4/5; None when it is none of the scale."""
    number = _NUMBER.search(text)
    score = float(number[0].replace(",", ".")) if number else 0.0
    return score if LOWEST <= score <= HIGHEST else None


def _in_records(text: str) -> tuple[float | None, list[AttributeScore]]:
    found = records(text, ("entity_score", "attribute_score"))
    if not found:
        return _without_tags(without_marks(text))
    entity = (score_in(one.fields[-1]) for one in found if one.tag == "entity_score")
    named = (one.fields for one in found if one.tag == "attribute_score")
    return next((one for one in entity if one is not None), None), list(_attribute_scores(named))


def _without_tags(written: str) -> tuple[float | None, list[AttributeScore]]:
    """`5 ## ("name"<|>"value"<|>5) ## ...`, or the subject's score before a bar: `5|4|3`."""
    first, *others = re.split(r"##|\n|(?<!<)\|(?!>)", written)
    bare_number = _BARE.fullmatch(first)
    if bare_number is None:
        return None, []
    fields = (tuple(map(bare, one.strip("[() ]").split(BETWEEN_FIELDS))) for one in others)
    return score_in(bare_number[1]), list(_attribute_scores(fields))


def _attribute_scores(found: Iterable[tuple[str, ...]]) -> Iterator[AttributeScore]:
    for name, *value, written in (fields for fields in found if len(fields) > 1):
        score = score_in(written)
        if name and score is not None:
            yield AttributeScore(name, BETWEEN_FIELDS.join(value), score)


def _in_json(text: str) -> tuple[float | None, list[AttributeScore]]:
    fitting = fits_in(without_marks(text), _scores_of)
    return fitting[0] if len(fitting) == 1 else (None, [])


def _scores_of(value: Mapping[str, Any]) -> tuple[float, list[AttributeScore]] | None:
    within = value.get("entity_score")
    entity = within if isinstance(within, dict) else value
    score = score_in(_text(entity.get("concreteness_score")))
    if score is None:
        return None
    scored = value.get("attribute_scores")
    objects = [one for one in scored if isinstance(one, dict)] if isinstance(scored, list) else []
    return score, list(_attribute_scores(map(_fields, objects)))


def _fields(scored: dict[str, Any]) -> tuple[str, str, str]:
    name = scored.get("attribute_name", scored.get("name"))
    value = scored.get("attribute_value", scored.get("value"))
    return _text(name), _text(value), _text(scored.get("comparability_score"))


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)
