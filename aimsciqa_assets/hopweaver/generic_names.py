"""Names that lead to no second document: many documents hold them, and tell nothing of them."""

import re
import tomllib
from pathlib import Path
from typing import Final

from aimsciqa_assets.hopweaver.documents import plain

_LISTS: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
GENERIC: Final = frozenset(
    plain(name)
    for name in (
        *" ".join(_LISTS["words"].values()).split(),
        *(name for names in _LISTS["names"].values() for name in " ".join(names.split()).split("; ")),
    )
)
COUNTRIES: Final = frozenset(_LISTS["words"]["countries"].split())
_OPENINGS: Final = frozenset(_LISTS["parts"]["openings"].split())
_WITHIN: Final = frozenset(_LISTS["parts"]["within"].split())
_FORMULA: Final = re.compile(
    r"(?:(?:[HBCNOFPSKVI]|A[lgs]|B[ar]|C[adloru]|Fe|Hg|Li|M[gno]|N[ai]|Pb|S[ein]|Ti|Zn)\d*){2,}"
)
_ACCESSION: Final = re.compile(r"[A-Z]{1,2}\d{5,6}|[A-Z]{2}_\d+")
_NUMERAL: Final = re.compile(r"[IVX]+")
_ABBREVIATION: Final = re.compile(r"[A-Z][A-Za-z]?[A-Z]{0,4}s?|[A-Z]{2,5}s?|Ig[A-Z]")
_AREA: Final = re.compile(r".*\b(?:Metropolitan|Micropolitan|Statistical)(?: Statistical)?(?: Area)?")
_COMPOUND: Final = re.compile(
    r".*-(?:positive|negative|like|based|free|specific|resistant|infected|terminus)"
)


def is_generic(name: str) -> bool:
    """Whether a name is a common one: a month, a nation, a degree, a method, a tool, a journal.

    So is a part of a paper, one that is made of such names and numbers alone ("December 2015"), a formula, an
    accession number, a numeral, a short abbreviation and what a supplier or a committee is called.
    """
    said = plain(name)
    words = said.split()
    return (
        said in GENERIC
        or words[0] in _OPENINGS
        or not _WITHIN.isdisjoint(words)
        or all(word in GENERIC or word.isdigit() for word in words)
        or any(
            form.fullmatch(name) for form in (_ACCESSION, _FORMULA, _NUMERAL, _ABBREVIATION, _AREA, _COMPOUND)
        )
    )
