"""Documents by id whose texts lie in a file: those of a large corpus would fill the memory.

The file has no name and goes with the process. In memory are ids, titles, and where each paragraph lies.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile

import numpy as np

from aimsciqa_assets.hopweaver.documents import Document

Paragraph = tuple[str, int, int, str, str]
"""Id of the document, place of the section in it, place in the section, id of the paragraph, its text."""


class KeptDocuments(Mapping[str, Document]):
    """A document is read when it is asked for; several threads may ask at once."""

    def __init__(
        self, titles: Sequence[tuple[str, str]], paragraphs: Iterable[Paragraph], folder: Path
    ) -> None:
        """`titles` have ids before them; `paragraphs` come in any order, those of no title are left out.

        `folder` is where the file is while the documents are needed.
        """
        ordered = sorted(titles)
        self._titles = [title for _, title in ordered]
        self._numbers = {document_id: number for number, (document_id, _) in enumerate(ordered)}
        self._file = TemporaryFile(dir=folder)  # noqa: SIM115  (it is closed when nobody needs it any more)
        lying = np.fromiter(self._written(paragraphs), dtype=np.dtype((np.int64, 5)))
        document, section, position, _, _ = lying.T
        lying = lying[np.lexsort((position, section, document))]
        self._ends = np.searchsorted(lying[:, 0], np.arange(len(ordered)), side="right")
        self._lying = lying[:, 3:].copy()

    def __getitem__(self, document_id: str) -> Document:
        """Read it."""
        number = self._numbers[document_id]
        first = self._ends[number - 1] if number else 0
        places = self._lying[first : self._ends[number]].tolist()
        read = (json.loads(os.pread(self._file.fileno(), size, start)) for start, size in places)
        return Document(
            document_id, self._titles[number], tuple((paragraph, text) for paragraph, text in read)
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def _written(self, paragraphs: Iterable[Paragraph]) -> Iterator[tuple[int, int, int, int, int]]:
        """Write paragraphs; for each its document, section, position, and where it lies and how long."""
        start = 0
        for document_id, section, position, paragraph_id, text in paragraphs:
            if document_id in self._numbers:
                size = self._file.write(json.dumps([paragraph_id, text]).encode())
                yield self._numbers[document_id], section, position, start, size
                start += size
        self._file.flush()
