"""The lines of a file of any size, plain or compressed by gzip or Zstandard, in bounded memory.

What the bytes are decides, not the file's name. A line is known by the SHA-256 of its bytes without the white
space around it, so that it is the same in a compressed file, under another name or with other line ends.
"""

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple

_GZIP, _ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_BOM = b"\xef\xbb\xbf"
_SPACE = b" \t\r\n"
_BLOCK = 2**20


class UnreadableLinesError(ValueError):
    """A file whose lines cannot be read to its end; the message says why."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank: its number in the file, from 1, and its bytes without white space around it.

    Of a line that is too long only the length is kept: `data` is empty, and `size` tells how long it is.
    """

    number: int
    data: bytes
    size: int
    line_id: str


class Opened(NamedTuple):
    """A file that was opened: its bytes as they lie there, what they hold, and how that is compressed."""

    raw: io.BufferedReader
    content: io.BufferedIOBase
    kind: Literal["", "gzip", "Zstandard"]


def opened(file: Path, stack: ExitStack) -> Opened:
    """Open a file that may be compressed, until `stack` closes. Raises `OSError`."""
    raw = stack.enter_context(file.open("rb"))
    start = raw.read(4)
    raw.seek(0)
    if start.startswith(_GZIP):
        return Opened(raw, stack.enter_context(gzip.open(raw)), "gzip")
    if start.startswith(_ZSTANDARD):
        # pyarrow takes a while to load, and reads Zstandard.
        import pyarrow as pa

        content = io.BufferedReader(pa.CompressedInputStream(raw, "zstd"), _BLOCK)
        return Opened(raw, content, "Zstandard")
    return Opened(raw, raw, "")


def lines_of(file: Path, most: int, consumed: Callable[[int], None] = lambda _bytes: None) -> Iterator[Line]:
    """The lines that are not blank; those of more than `most` bytes come without their bytes.

    `consumed` is told again and again how many bytes of the file were read so far. Raises
    `UnreadableLinesError` for a damaged or incomplete compressed file and for a JSON array, and `OSError`.
    """
    with ExitStack() as stack:
        raw, content, kind = opened(file, stack)
        number, is_first = 0, True
        while True:
            try:
                data = content.readline(most + 1)
                if not data:
                    return
                number += 1
                line = _line(number, data, most, content)
            except (EOFError, zlib.error, OSError) as error:
                if kind and getattr(error, "errno", None) is None:
                    raise UnreadableLinesError(
                        f"no whole {kind} file ({error}): make it or fetch it again"
                    ) from None
                raise
            consumed(raw.tell())
            if line.data.startswith(b"[") and is_first:
                raise UnreadableLinesError(
                    "it is a JSON array; write each object on a line of its own, without commas between"
                )
            if line.size:
                is_first = False
                yield line


def _line(number: int, data: bytes, most: int, content: io.BufferedIOBase) -> Line:
    if len(data) <= most or data.endswith(b"\n"):
        stripped = data.strip(_SPACE).removeprefix(_BOM).strip(_SPACE)
        return Line(number, stripped, len(stripped), sha256(stripped).hexdigest())
    # With a mark behind it, so that the line is another one once the limit lets it in.
    digest, size = sha256(data), len(data)
    while data and not data.endswith(b"\n"):
        data = content.readline(_BLOCK)
        digest.update(data)
        size += len(data)
    digest.update(b"\n(too long)")
    return Line(number, b"", size - data.endswith(b"\n"), digest.hexdigest())
