"""Documents that hold the full name of an entity, those that treat it most before others."""

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from aimsciqa_assets.hopweaver.documents import Document, distinctive_words, names, plain, times_named
from aimsciqa_assets.hopweaver.listings import OPENING_WORDS, only_listed
from aimsciqa_assets.hopweaver.shared_names import without_brackets

_MOST_READ: Final = 200
"""So many documents are read for a name; of a name that more hold, those with it in the title come first."""


class Holders:
    """An index of words: which documents have all words of a name. Hashes of the words are kept alone."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        """`documents` are all that may be found. Each is read once."""
        self._documents = documents
        self._ids = sorted(documents)
        self._titles: list[str] = []
        hashes = list(self._read())
        sizes = [len(one) for one in hashes]
        words = np.concatenate([np.empty(0, np.int64), *hashes])
        numbers = np.repeat(np.arange(len(self._ids), dtype=np.int32), sizes)
        order = np.argsort(words, kind="stable")
        self._words, self._numbers = words[order], numbers[order]

    def of(self, name: str, source_id: str, most: int) -> list[str]:
        """The first `most` documents that hold the name, without the source.

        One that has it for a title comes first, then titles that hold it or that it holds, then documents
        that open with it, then those that name it most often, and last
        those that only list it.
        """
        having = self._having(distinctive_words(name))
        titled = sorted(having.tolist(), key=lambda number: (self._nearness(number, name), number))
        found = []
        for number in titled[:_MOST_READ]:
            document = self._documents[self._ids[number]]
            text = plain(document.text)
            times = times_named(text, name)
            if self._ids[number] != source_id and times:
                opening = " ".join(text.split()[:OPENING_WORDS])
                near, later = self._nearness(number, name), not names(opening, name)
                listed = near == 2 and only_listed(document, name)
                found.append((near, later, listed, -times, number))
        return [self._ids[number] for *_, number in sorted(found)[:most]]

    def _nearness(self, number: int, name: str) -> int:
        """0 where the title is the name, 1 where one holds the other, else 2."""
        title = self._titles[number]
        within, around = names(title, name), names(name, title)
        return 2 - within - around

    def _having(self, words: list[str]) -> npt.NDArray[np.int32]:
        """The numbers of the documents that have all the words."""
        found: npt.NDArray[np.int32] = np.empty(0, np.int32)
        for place, word in enumerate(words):
            first = np.searchsorted(self._words, hash(word), side="left")
            last = np.searchsorted(self._words, hash(word), side="right")
            having = self._numbers[first:last]
            found = having if place == 0 else np.intersect1d(found, having)
        return found

    def _read(self) -> Iterator[npt.NDArray[np.int64]]:
        """The hashes of the words of each document; its title is noted."""
        for document_id in self._ids:
            document = self._documents[document_id]
            self._titles.append(without_brackets(document.title))
            yield np.fromiter(map(hash, set(plain(document.text).split())), dtype=np.int64)
