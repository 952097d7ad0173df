"""Reads what a judge replied: mostly a JSON object, else any text with the dimensions and their words."""

import re
from collections.abc import Mapping
from typing import Any, Final

from aimsciqa_resources.language_model.thinking import reply_text

from aimsciqa_assets.asking.json_replies import fits_in
from aimsciqa_assets.judging.dimensions import DIMENSIONS, words_of

_INNER: Final = ("score", "rating", "value", "verdict")
_BETWEEN = r"""[\s"'*_`|]*[:=|–—-][\s"'*_`|(\[{]*(?:(?:score|rating)[\s"'*_]*:[\s"'*_]*)?"""


def read_scores(text: str | None) -> dict[str, int]:
    """The scores by dimension, as far as the reply has them; never raises.

    A score is a word or a number. It may be in a JSON object, whole or broken, fenced or not, or in the lines
    of a list or table, where the first mention of a dimension counts. A dimension has none where two objects
    of the reply differ about it.
    """
    reply = reply_text(text or "")
    objects = fits_in(reply, lambda value: _scores_in(value) or None)
    found: dict[str, set[int]] = {dimension: set() for dimension in DIMENSIONS}
    for dimension, score in (pair for scores in objects for pair in scores.items()):
        found[dimension].add(score)
    for dimension, score in _scores_in_lines(reply).items():
        found[dimension] = found[dimension] or {score}
    return {dimension: scores.pop() for dimension, scores in found.items() if len(scores) == 1}


def _scores_in(value: Mapping[str, Any]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, inner in value.items():
        dimension = re.sub(r"[\W_]+", "_", name.strip().casefold())
        if dimension in DIMENSIONS and (score := _score(dimension, inner)) is not None:
            found.setdefault(dimension, score)
    return found


def _score(dimension: str, value: Any) -> int | None:
    """What a value says: `"Very Good"`, `5`, `true`, `"5 (Very Good)"`, `{"score": 5}`; None for no score."""
    if isinstance(value, Mapping):
        value = next((value[name] for name in _INNER if name in value), None)
    if isinstance(value, bool):
        value = "Yes" if value else "No"
    said = re.match(rf"[\s'\"*_`(\[]*{_said(dimension)}", str(value), re.IGNORECASE)
    return _meant(dimension, said[1]) if said else None


def _scores_in_lines(text: str) -> dict[str, int]:
    found = {dimension: pattern.search(text) for dimension, pattern in _LINES.items()}
    return {dimension: _meant(dimension, line[1]) for dimension, line in found.items() if line}


def _said(dimension: str) -> str:
    """The pattern of a word for the dimension, or of its number; 4.5 does not match."""
    scores = words_of(dimension)
    # The longest first, so that "Very Good" is not read as "Good".
    words = sorted(scores, key=len, reverse=True)
    return rf"({'|'.join([*words, *map(str, scores.values())])})(?:\.0+)?(?!\w|[.,]\d)"


def _line(dimension: str) -> re.Pattern[str]:
    # `consistency` must not match within `answer_question_consistency`.
    name = r"(?<!question[ _-])\b" + dimension.replace("_", "[ _-]?")
    return re.compile(rf"{name}{_BETWEEN}{_said(dimension)}", re.IGNORECASE)


_LINES: Final = {dimension: _line(dimension) for dimension in DIMENSIONS}


def _meant(dimension: str, said: str) -> int:
    return int(said) if said.isdigit() else words_of(dimension)[said.title()]
