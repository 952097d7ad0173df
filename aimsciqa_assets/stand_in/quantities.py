"""Numbers with their units in a row of words."""

from functools import lru_cache

from aimsciqa_assets.stand_in.matching import Words, pattern, text_of


@lru_cache(maxsize=1 << 16)
def is_number(word: str) -> bool:
    """Digits with an optional sign, range or glued unit; number words from two on."""
    return pattern("{number}").fullmatch(text_of((word,))) is not None


def quantity_end(words: Words, start: int = 0) -> int:
    """The position after the quantity that begins at `start`; `start` itself where none begins there."""
    found = pattern("{quantity}").match(text_of(words[start:]))
    return start + len(found[0].split()) if found else start
