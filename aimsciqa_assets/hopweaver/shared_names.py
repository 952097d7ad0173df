"""Proper names that a document shares with others: entities that may lead from it to a second document.

A name is a run of capitalized words. That finds people, places, works and species, and some words that are
no names; the model chooses among them.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from aimsciqa_assets.hopweaver.documents import Document, names, plain

_MOST: Final = 40
_CAPITAL: Final = r"[A-ZÀ-ÖØ-ÞČĐŁŃŌŘŚŞŠŻŽİ][\w'’-]*\w"
_JOINED: Final = r" (?:(?:of|the|de|la|von|van|der|du|al) ){0,2}"
_NAME: Final = re.compile(rf"\b{_CAPITAL}(?:{_JOINED}{_CAPITAL})*")
_OF: Final = re.compile(r" of (?:the )?")
_SMALL: Final = re.compile(r"\b[a-z]{2,}\b")


class SharedNames:
    """Which names stand in several documents. Only hashes of those are kept."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        """`documents` are all that may be found, the sources among them. Each is read once."""
        hashes = [
            np.fromiter(map(hash, _names_in(documents[document_id])), dtype=np.int64)
            for document_id in documents
        ]
        found, holders = np.unique(np.concatenate([np.empty(0, np.int64), *hashes]), return_counts=True)
        self._shared = found[holders > 1]
        self._holders = holders[holders > 1]

    def of(self, document: Document) -> list[str]:
        """The names of a document that others hold, too, the rarest first, 40 at most; not its title's."""
        found = sorted(
            (count, place, name)
            for place, (key, name) in enumerate(_names_in(document).items())
            if (count := self._count(hash(key))) and not names(document.title, name)
        )
        return [name for _, _, name in found[:_MOST]]

    def _count(self, key: int) -> int:
        place = int(np.searchsorted(self._shared, key))
        held = place < len(self._shared) and int(self._shared[place]) == key
        return int(self._holders[place]) if held else 0


def _names_in(document: Document) -> dict[str, str]:
    """The names of a document as they are written first, by their plain form."""
    found: dict[str, str] = {}
    for _, text in document.paragraphs:
        for name in _written(text):
            found.setdefault(plain(name), name)
    return found


def _written(text: str) -> Iterator[str]:
    """The names of a paragraph. What opens a sentence has a capital letter anyhow and may be no name."""
    small = set(_SMALL.findall(text))
    for match in _NAME.finditer(text):
        name = match[0].removesuffix("'s").removesuffix("’s")
        if match.start() == 0 or text[: match.start()].rstrip()[-1:] in ".!?:":
            first, _, rest = name.partition(" ")
            if not rest:
                continue
            name = rest if first.lower() in small or len(first) < 4 else name
        # "Ada Reed of the Lantern School" may be one name or two.
        for one in dict.fromkeys((name, *_OF.split(name))):
            if len(one) > 2 and one[0].isupper():
                yield one
