"""The scores of fuzzywuzzy 0.18 on rapidfuzz: whole numbers from 0 to 100, the same to the last one.

rapidfuzz's own scores of these names differ: they are not rounded, clean texts in another way, and look for
the best part of a longer text more thoroughly. fuzzywuzzy itself is under a licence that binds its users.
"""

import re
from collections.abc import Callable
from functools import partial
from itertools import combinations, islice, starmap
from typing import Final

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel, Levenshtein

Score = Callable[[str, str], int]

_NO_WORD: Final = re.compile(r"\W")
_LATIN_1: Final = dict.fromkeys(range(128, 256))
_AS_GOOD_AS_EQUAL: Final = 0.995
_MOST_WORK: Final = 10**10
"""Pairs of characters that a partial ratio may compare. Texts of 2,000 characters stay far below."""


def ratio(one: str, other: str) -> int:
    """How much of both texts is the same, in the same order."""
    if one == other:
        return 100
    if not one or not other:
        return 0
    return round(100 * Indel.normalized_similarity(one, other))


def partial_ratio(one: str, other: str) -> int:
    """The best ratio of the shorter text with a part of the longer one, as long as the shorter.

    Only parts are tried that begin where one of the blocks that match would let the shorter text begin. Of
    texts of many thousand characters, only those of the longest blocks are: all of them would take minutes.
    """
    if one == other:
        return 100
    if not one or not other:
        return 0
    shorter, longer = sorted((one, other), key=len)
    blocks = Levenshtein.editops(shorter, longer).as_matching_blocks()
    longest_first = sorted(blocks, key=lambda block: -block.size)
    starts = dict.fromkeys(max(block.b - block.a, 0) for block in longest_first)
    best = 0.0
    for start in islice(starts, max(1, _MOST_WORK // len(shorter) ** 2)):
        part = longer[start : start + len(shorter)]
        best = max(best, Indel.normalized_similarity(shorter, part))
        if best > _AS_GOOD_AS_EQUAL:
            return 100
    return round(100 * best)


def token_sort_ratio(one: str, other: str, compared: Score = ratio) -> int:
    """The ratio of the words in alphabetical order."""
    return compared(_sorted_words(_cleaned(one).split()), _sorted_words(_cleaned(other).split()))


def token_set_ratio(one: str, other: str, compared: Score = ratio) -> int:
    """The best ratio between the words that both have, and these with what each has besides."""
    first, second = set(_cleaned(one).split()), set(_cleaned(other).split())
    if not first or not second:
        return 0
    shared = _sorted_words(first & second)
    with_first = f"{shared} {_sorted_words(first - second)}".strip()
    with_second = f"{shared} {_sorted_words(second - first)}".strip()
    return max(starmap(compared, combinations((shared, with_first, with_second), 2)))


def quick_ratio(one: str, other: str) -> int:
    """Return the ratio of the cleaned texts."""
    first, second = _cleaned(one), _cleaned(other)
    return ratio(first, second) if first and second else 0


def weighted_ratio(one: str, other: str) -> int:
    """Return the best of several ratios of the cleaned texts; those that forgive more count less."""
    first, second = _cleaned(one), _cleaned(other)
    if not first or not second:
        return 0
    shorter, longer = sorted((len(first), len(second)))
    if longer < 1.5 * shorter:
        compared, weight, best = ratio, 1.0, float(ratio(first, second))
    else:
        compared, weight = partial_ratio, 0.6 if longer > 8 * shorter else 0.9
        best = max(ratio(first, second), weight * partial_ratio(first, second))
    of_words = max(method(first, second, compared) for method in (token_sort_ratio, token_set_ratio))
    return round(max(best, 0.95 * weight * of_words))


def _of_rapidfuzz(scorer: Callable[..., float]) -> Score:
    return lambda one, other: round(scorer(one, other, processor=_cleaned))


FUZZ_METHODS: Final[dict[str, Score]] = {
    "ratio": ratio,
    "partial_ratio": partial_ratio,
    "token_sort_ratio": token_sort_ratio,
    "token_set_ratio": token_set_ratio,
    "partial_token_sort_ratio": partial(token_sort_ratio, compared=partial_ratio),
    "partial_token_set_ratio": partial(token_set_ratio, compared=partial_ratio),
    "QRatio": quick_ratio,
    "WRatio": weighted_ratio,
    "token_ratio": _of_rapidfuzz(fuzz.token_ratio),
    "partial_token_ratio": _of_rapidfuzz(fuzz.partial_token_ratio),
}
"""Every scorer that `rapidfuzz.fuzz` has. fuzzywuzzy lacks the last two."""


def _cleaned(text: str) -> str:
    """Small letters, without letters of Latin-1 beyond ASCII, blanks for what is no letter or digit."""
    return _NO_WORD.sub(" ", text.translate(_LATIN_1)).lower().strip()


def _sorted_words(words: set[str] | list[str]) -> str:
    return " ".join(sorted(words))
