"""Names of entities and attributes, compared as a reader would: case, white space and quotes do not count."""

import re
import unicodedata
from typing import Final

from aimsciqa_assets.hopweaver.documents import plain
from aimsciqa_assets.hopweaver.species import same_species

_MARKS: Final = re.compile(r"[\"“”„‘’'`´]")
_DASHES: Final = re.compile(r"[‐‑‒–—―−]")
_BESIDE: Final = re.compile(r"\s*\([^)]*\)")
_ORDINAL: Final = re.compile(r"\b\d+(?:st|nd|rd|th) (.*)")
_ROMAN: Final = re.compile(r"(?<=\s)[IVXL]+\b")
_ARTICLE: Final = re.compile(r"^(?:the|a|an)\s+(?=\S)")


def folded(name: str) -> str:
    """The name in one form: no quotes, single spaces, plain dashes, no difference of case."""
    tidy = _DASHES.sub("-", _MARKS.sub("", unicodedata.normalize("NFKC", name)))
    return " ".join(tidy.casefold().split()).rstrip(".,;:")


def same_name(one: str, other: str) -> bool:
    """Whether two names are the same, an article in front aside; nothing is the same as no name."""
    first, second = (_ARTICLE.sub("", folded(name)) for name in (one, other))
    return bool(first) and first == second


def alike(one: str, other: str) -> bool:
    """Whether two names are the same, or one is part of the other as whole words: Hollin Weir, Ostley.

    A species is the same with its genus shortened.
    """
    first, second = f" {plain(one)} ", f" {plain(other)} "
    if not first.strip() or not second.strip():
        return False
    return first in second or second in first or same_species(one, other)


def are_namesakes(one: str, other: str) -> bool:
    """Whether two names differ only by what stands in brackets: "Two Women (1960)"."""
    return same_name(_BESIDE.sub("", one), _BESIDE.sub("", other))


def differ_by_number(one: str, other: str) -> bool:
    """Whether two bear one numbered name or title: Louis XV and Louis XVI, the 3rd and the 5th Baron Reed.

    The number tells who came first. An ordinal counts with two words behind it: many are a 5th Baronet.
    """
    if _ROMAN.search(one) and _ROMAN.search(other) and same_name(_ROMAN.sub("", one), _ROMAN.sub("", other)):
        return True
    first, second = _ORDINAL.search(one), _ORDINAL.search(other)
    if not first or not second:
        return False
    alone = len(first[1].split()) < 2 and one[: first.start()] != other[: second.start()]
    return not alone and same_name(first[1], second[1])
