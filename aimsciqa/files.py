"""Reads the texts, JSON lines and JSON that people bring, and writes JSON that every program can read.

A text is UTF-8, with or without a byte-order mark. A line ends at a line feed and nowhere else. An object of
JSON names each key once, and its numbers are finite.
"""

import json
import math
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any


class NotUtf8Error(ValueError):
    """Bytes that are no text in UTF-8; the message names the first of them."""


class NotJsonError(ValueError):
    """A text that is not JSON, or that JSON readers would understand in different ways."""


def text_of(content: bytes) -> str:
    """Return the text of bytes in UTF-8, without a byte-order mark. Raise `NotUtf8Error`."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotUtf8Error(f"it is not UTF-8 (byte {error.start + 1:,})") from None


def read_text(path: Path) -> str:
    """Return the text of a file. Raise `NotUtf8Error` and `OSError`."""
    return text_of(path.read_bytes())


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the number, from 1, and the bytes of each line that is not blank. Raise `OSError`."""
    with path.open("rb") as file:
        yield from lines_of(file)


def lines_of(content: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a binary file as `read_lines` does.

    Where files were joined, a line inside begins with a byte-order mark.
    """
    for number, line in enumerate(content, start=1):
        if text := line.removeprefix(BOM_UTF8).strip():
            yield number, text


def json_of(content: str | bytes, *, strict: bool = True) -> Any:
    """Return the value of a JSON text. Raise `NotUtf8Error` and `NotJsonError`.

    Without `strict`, strings may hold control characters.
    """
    text = content if isinstance(content, str) else text_of(content)
    try:
        return decoder(strict=strict).decode(text)
    except json.JSONDecodeError as error:
        raise NotJsonError(f"{error.msg} at character {error.pos + 1:,}") from None
    except RecursionError:
        raise NotJsonError("it is nested too deeply") from None
    except ValueError as error:
        raise NotJsonError(str(error).partition(";")[0]) from None


@cache
def decoder(*, strict: bool = True) -> json.JSONDecoder:
    """Return a decoder that raises `ValueError` for a repeated key and for a number that is not finite."""
    return json.JSONDecoder(
        strict=strict, object_pairs_hook=_object, parse_constant=_refuse, parse_float=number_of
    )


def number_of(value: Any) -> float:
    """Return a finite number. Raise `ValueError`, and `TypeError` for what is neither number nor text."""
    if isinstance(value, bool):
        raise TypeError("true and false are no numbers")
    if isinstance(value, str) and "_" in value:
        raise ValueError(f"could not convert {value[:20]} to a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{str(value)[:20]} is not a finite number")
    return number


def json_text(value: Any, indent: int | None = None, separators: tuple[str, str] | None = None) -> str:
    """Return a value as JSON; a number that is not finite becomes null."""
    encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    try:
        return encoder.encode(value)
    except ValueError:
        return encoder.encode(_finite(value))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    shape = dict(pairs)
    if len(shape) < len(pairs):
        names = [name for name, _ in pairs]
        doubled = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"an object has the key {doubled[:80]!r} twice")
    return shape


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a finite number")


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _finite(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
