"""Streams of JSON objects: lines, lists, or pretty-printed objects one after another."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TextIO

from aimsciqa.files import decoder, json_text

Shape = dict[str, Any]

_CHUNK: Final = 1 << 16
_LONGEST: Final = 1 << 26
_BETWEEN: Final = " \t\r\n,[]\ufeff"


class FormatError(ValueError):
    """A file that is not in the form it should have; the message says where, and what was expected."""


def read_objects(file: TextIO) -> Iterator[Shape]:
    """The objects of a file, one after another, however they are separated.

    The file is read in pieces, so that it may be larger than memory. Raises `FormatError` at an object that
    is broken or longer than 64 million characters.
    """
    buffer, number, at_end = "", 1, False
    while True:
        buffer = buffer.lstrip(_BETWEEN)
        value, length = _first(buffer) if buffer.startswith("{") else (None, 0)
        if value is not None:
            yield value
            buffer, number = buffer[length:], number + 1
        elif buffer and not buffer.startswith("{"):
            raise FormatError(f"Before object {number} stands {buffer[:20]!r}: expected {{.")
        elif at_end or len(buffer) > _LONGEST:
            if buffer:
                raise FormatError(f"Object {number} is broken or cut off: it begins with {buffer[:60]!r}.")
            return
        else:
            # Twice as much each time: an object of many pieces is not read anew for each of them.
            piece = file.read(max(_CHUNK, len(buffer)))
            buffer, at_end = buffer + piece, not piece


def written_lines(shapes: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Each object as a line of JSON, with its line end."""
    return (json_text(shape) + "\n" for shape in shapes)


def written_list(shapes: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The objects as a JSON list, each on a line of its own."""
    separator = "["
    for shape in shapes:
        yield separator + "\n" + json_text(shape)
        separator = ","
    yield "[]\n" if separator == "[" else "\n]\n"


def text_of(shape: Mapping[str, Any], name: str) -> str:
    """A field as a text: ids may be numbers, and what is missing is empty."""
    value = shape.get(name)
    return value if isinstance(value, str) else "" if value is None else str(value)


def part_of(shape: Mapping[str, Any], *names: str) -> Shape:
    """The object under the first of these names that has one; an empty one where none has."""
    found = (shape.get(name) for name in names)
    return next((one for one in found if isinstance(one, dict)), {})


def _first(buffer: str) -> tuple[Shape | None, int]:
    """The object that a text begins with, and its length; None where it does not end within it."""
    try:
        value, length = decoder().raw_decode(buffer)
    except (ValueError, RecursionError):
        return None, 0
    return value, length
