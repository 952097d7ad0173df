"""Numbers with their units in a row of words."""

import re
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex

_NUMBER: Final = re.compile(
    r"^[<>≤≥~≈±×+−–-]?[$€£]?\d[\d.,]*(?:[–—−-]\d[\d.,]*|/\d+|×10\^?[−–-]?\d*|\^\d+|e-?\d+)?(?:%|°C|ºC|‰|[a-zA-Zµμ]{1,3}|-fold|th)?$"
)
_JOINERS: Final = frozenset("± to and – - × x or / ∼ ~ < > ≤ ≥ = ≈ −".split())
_APPROXIMATE: Final = frozenset(
    """
    about approximately around nearly almost only over roughly between from up at least most more less
    than just ca. c. circa an estimated
    """.split()
)
_UNIT_LIKE: Final = re.compile(
    r"^(?:[a-zA-Zµμ°%]{1,5}(?:\^?[−–-]?\d|⁻¹)|[a-zA-Zµμ%]{1,6}/[a-zA-Zµμ\d]{1,6}(?:/[a-zA-Z\d]+)?|g-1|FW|DW|dw|fw|dry|fresh|d\.w\.)$"
)
_YEAR: Final = re.compile(r"^(?:1[89]|20)\d\d(?:[–-](?:\d\d)?\d\d)?$")
_MONTHS: Final = frozenset(
    """
    January February March April May June July August September October November December
    """.split()
)


def is_number(word: str) -> bool:
    """Digits with an optional sign, range or glued unit; number words from two on."""
    return bool(_NUMBER.match(word)) or word.lower() in lex.NUMBER_WORDS


def is_year(word: str) -> bool:
    """A calendar year or a range of them."""
    return bool(_YEAR.match(word))


def is_month(word: str) -> bool:
    """The name of a month."""
    return word in _MONTHS


def is_unit(word: str) -> bool:
    """A unit of measurement, alone or as a ratio."""
    return word in lex.UNITS or bool(_UNIT_LIKE.match(word))


def quantity_end(words: tuple[str, ...], start: int = 0) -> int:
    """The position after the quantity that begins at `start`; `start` itself where none begins there."""
    i = start
    while i < len(words) and words[i].lower() in _APPROXIMATE:
        i += 1
    end = start
    while i < len(words):
        word = words[i]
        if is_number(word) or (end > start and (is_unit(word) or word.startswith("("))):
            i += 1
            end = i
        elif end > start and word == "per" and i + 1 < len(words):
            i += 2
            end = i
        elif word in _JOINERS and i + 1 < len(words) and is_number(words[i + 1]):
            i += 1
        else:
            break
    return end


def has_number(words: tuple[str, ...] | list[str]) -> bool:
    """Whether any word is a number."""
    return any(is_number(word) for word in words)
