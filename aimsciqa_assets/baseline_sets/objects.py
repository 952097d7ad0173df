"""The records of a published file: one JSON list, or one object in each line; plain, gzip or Zstandard.

A list is read object by object, so that memory does not grow with the file.
"""

import codecs
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path
from typing import Any

from aimsciqa.files import NotJsonError, NotUtf8Error, decoder, json_of
from aimsciqa_assets.reading.lines import UnreadableLinesError, lines_of, opened

_BLOCK = 2**20
_BLANK = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Record:
    """An object of a file, by its number from 1, or by that of its line. `problem` says why it is none."""

    number: int
    value: Any = None
    problem: str = ""


def records_of(file: Path, most: int) -> Iterator[Record]:
    """The records of a file; those of more than `most` bytes cannot be read.

    Raises `UnreadableLinesError` for a file whose records cannot be told apart, and `OSError`.
    """
    with ExitStack() as stack:
        start = _read(opened(file, stack).content, _BLOCK)
        is_list = start.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")
    return _of_list(file, most) if is_list else _of_lines(file, most)


def _of_lines(file: Path, most: int) -> Iterator[Record]:
    for line in lines_of(file, most):
        if not line.data:
            yield Record(line.number, problem=f"the line has {line.size:,} bytes, more than {most:,}")
            continue
        try:
            yield Record(line.number, json_of(line.data))
        except (NotUtf8Error, NotJsonError) as error:
            yield Record(line.number, problem=f"no JSON: {error}")


def _of_list(file: Path, most: int) -> Iterator[Record]:
    with ExitStack() as stack:
        text = _Text(opened(file, stack).content, most)
        number = 0
        text.take("[")
        while text.next() != "]":
            if number:
                text.take(",")
            number += 1
            yield Record(number, text.value(number))


class _Text:
    """The text of a file, as much of it as is needed."""

    def __init__(self, content: BufferedIOBase, most: int) -> None:
        self._content, self._most = content, most
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._json = decoder(strict=False)
        self._held, self._at, self._ended = "", 0, False

    def next(self) -> str:
        """The next character that is not blank, which stays."""
        while True:
            while self._at < len(self._held) and self._held[self._at] in _BLANK:
                self._at += 1
            if self._at < len(self._held):
                return self._held[self._at]
            if self._ended:
                raise UnreadableLinesError("it ends before its list does: fetch it again")
            self._fill()

    def take(self, expected: str) -> None:
        """Go behind the next character. Raises `UnreadableLinesError` when it is another one."""
        if (found := self.next()) != expected:
            raise UnreadableLinesError(f"there is {found!r} where its list needs {expected!r}")
        self._at += 1

    def value(self, number: int) -> Any:
        """The next value, which is record `number`."""
        self.next()
        while True:
            try:
                value, self._at = self._json.raw_decode(self._held, self._at)
            except (ValueError, RecursionError) as error:
                # A value that is cut looks like one that is wrong: only more text tells.
                if self._ended or len(self._held) - self._at > self._most:
                    raise UnreadableLinesError(f"record {number:,} is no JSON: {error}") from None
                self._fill()
            else:
                return value

    def _fill(self) -> None:
        """Read as much again as is held, so that a long record is not parsed too often."""
        self._held, self._at = self._held[self._at :], 0
        block = _read(self._content, max(_BLOCK, len(self._held)))
        try:
            self._held += self._decode(block, not block)
        except UnicodeDecodeError as error:
            raise UnreadableLinesError(f"it is not UTF-8: {error.reason}") from None
        self._ended = not block


def _read(content: BufferedIOBase, size: int) -> bytes:
    try:
        return content.read(size)
    except (EOFError, zlib.error, OSError) as error:
        if getattr(error, "errno", None) is not None:
            raise
        raise UnreadableLinesError(f"it is damaged ({error}): fetch it again") from None
