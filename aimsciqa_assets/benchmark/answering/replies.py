"""Reads the small JSON objects that models reply: an answer, a citation marker, a judge's score.

The first `{...}` that holds the field counts, whatever is around it. No function here raises.
"""

import re
from typing import Any, Final

from aimsciqa_resources.language_model.thinking import without_thinking

from aimsciqa_assets.asking.json_replies import is_storable, readable_objects

SCORES: Final = (0.0, 0.5, 1.0)

_LOOSE_SCORE = re.compile(r"\{[^{}]*?selection\W{1,8}(0?\.5|[01](?:\.0)?)(?![\d.]*\d)[^{}]*\}", re.IGNORECASE)


def read_text(reply: str, field: str) -> str | None:
    """The text of a field, without outer white space; None when the reply has no such field, or no text in
    it.
    """
    value = _value(reply, field)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not is_storable(value):
        return None
    return value.strip()


def read_score(reply: str) -> float | None:
    """A judge's score, 0, 0.5 or 1; None when the reply has no score, or another one."""
    value = _value(reply, "selection")
    if value is None:
        loose = _LOOSE_SCORE.search(without_thinking(reply))
        value = loose[1] if loose else None
    try:
        score = float(value) if isinstance(value, str | int | float) else None
    except (ValueError, OverflowError):
        return None
    return score if score in SCORES and not isinstance(value, bool) else None


def _value(reply: str, field: str) -> Any:
    """The field's value in the first JSON object that has it; None where none has."""
    objects = readable_objects(without_thinking(reply))
    return next((value[field] for value in objects if field in value), None)
