"""Numbers with their units in a row of words."""

from collections.abc import Iterable
from functools import lru_cache

from aimsciqa_assets.stand_in.matching import Words, pattern, text_of


def is_number(word: str) -> bool:
    """Digits with an optional sign, range or glued unit; number words from two on."""
    return _is(word, "{number}")


def is_year(word: str) -> bool:
    """A calendar year or a range of them."""
    return _is(word, "{year}")


def is_unit(word: str) -> bool:
    """A unit of measurement, alone or as a ratio."""
    return _is(word, "{unit}")


def quantity_end(words: Words, start: int = 0) -> int:
    """The position after the quantity that begins at `start`; `start` itself where none begins there."""
    found = pattern("{quantity}").match(text_of(words[start:]))
    return start + len(found[0].split()) if found else start


def has_number(words: Iterable[str]) -> bool:
    """Whether any word is a number."""
    return any(is_number(word) for word in words)


@lru_cache(maxsize=1 << 16)
def _is(word: str, shape: str) -> bool:
    return pattern(shape).fullmatch(text_of((word,))) is not None
