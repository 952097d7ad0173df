"""Abbreviations that a paper explains: "total phenolic content (TPC)"."""

import re
from collections.abc import Mapping
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex

CODE: Final = re.compile(r"(?<![\w-])[A-Z]{2,}s?(?![\w-])")
KNOWN: Final = lex.words("known_codes")
_DEFINED: Final = re.compile(r"(?P<before>(?:[A-Za-z]+(?:-[A-Za-z]+)*[ -]){2,8})\((?P<code>[A-Z]{2,7})s?\)")
_PLURAL: Final = re.compile(r"[^s]s$")


def explained(text: str) -> dict[str, str]:
    """What the abbreviations of a text stand for: words whose first letters spell them."""
    found: dict[str, str] = {}
    for match in _DEFINED.finditer(text):
        code = match["code"]
        words = re.findall(r"[A-Za-z]+[ -]", match["before"])[-len(code) :]
        said = "".join(words).strip()
        if code not in KNOWN and [word[0].upper() for word in words] == [*code]:
            found.setdefault(code, said if said.isupper() else said[0].lower() + said[1:])
    return found


def spelled_out(text: str, codes: Mapping[str, str]) -> str:
    """The text with each of these abbreviations written out."""
    return CODE.sub(lambda found: _written(found[0], codes), text)


def _written(code: str, codes: Mapping[str, str]) -> str:
    if code in codes:
        return codes[code]
    one = code.removesuffix("s")
    if one == code or one not in codes:
        return code
    said = codes[one]
    return said if _PLURAL.search(said) else f"{said}s"
