"""Reads the small JSON objects that models reply: an answer, a citation marker, a judge's score.

Text around the object does not matter. No function here raises.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from aimsciqa_resources.language_model.thinking import reply_text

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.json_replies import (
    AMBIGUOUS,
    MALFORMED,
    T,
    fits_in,
    is_storable,
    two_different,
)

SCORES: Final = (0.0, 0.5, 1.0)

_LOOSE_SCORE = re.compile(r"\{[^{}]*?selection\W{1,8}(0?\.5|[01](?:\.0)?)(?![\d.]*\d)[^{}]*\}", re.IGNORECASE)


def read_text(reply: str, field: str) -> str | Fault[str]:
    """Return the text of a field, without outer white space; a number is a text, too."""
    return _read(reply, field, _text)


def read_score(reply: str) -> float | Fault[float]:
    """Return a judge's score: 0, 0.5 or 1."""
    read = _read(reply, "selection", _score)
    if isinstance(read, float) or fits_in(reply, lambda value: "selection" in value or None):
        return read
    loose = {_score(found[1]) for found in _LOOSE_SCORE.finditer(reply_text(reply))}
    score = loose.pop() if len(loose) == 1 else None
    return read if score is None else score


def _read(reply: str, field: str, value_of: Callable[[Any], T | None]) -> T | Fault[T]:
    def fit(value: Mapping[str, Any]) -> T | None:
        return value_of(value[field]) if field in value else None

    fitting = fits_in(reply, fit)
    if len(fitting) > 1:
        return Fault(AMBIGUOUS, two_different(field))
    return fitting[0] if fitting else Fault(MALFORMED, f'it is not a JSON object with the field "{field}"')


def _text(value: Any) -> str | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    return value.strip() if isinstance(value, str) and is_storable(value) else None


def _score(value: Any) -> float | None:
    try:
        score = float(value) if isinstance(value, str | int | float) else None
    except (ValueError, OverflowError):
        return None
    return score if score in SCORES and not isinstance(value, bool) else None
