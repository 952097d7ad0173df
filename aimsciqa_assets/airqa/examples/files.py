"""JSON lines of examples and results: what cannot be read is told with its line, the rest is kept."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from aimsciqa.files import NotJsonError, NotUtf8Error, json_of, json_text, read_lines
from aimsciqa_assets.airqa.examples.example import Example


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that could not be read, counted from 1, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to an example; any JSON value."""

    uuid: str
    answer: Any


def read_examples(path: Path) -> tuple[list[Example], list[BadLine]]:
    """The examples of a file, and the lines that are none."""
    examples, bad = [], []
    for _, read in numbered_examples(path):
        if isinstance(read, BadLine):
            bad.append(read)
        else:
            examples.append(read)
    return examples, bad


def numbered_examples(path: Path) -> Iterator[tuple[int, Example | BadLine]]:
    """Each line of a file that is not empty, counted from 1: its example, or why it is none."""
    for line, value in _lines(path):
        if isinstance(value, BadLine):
            yield line, value
            continue
        if not isinstance(value, dict):
            yield line, BadLine(line, "it is no JSON object")
            continue
        try:
            yield line, Example.model_validate(value)
        except ValidationError as error:
            yield line, BadLine(line, _told(error))


def read_results(path: Path) -> tuple[list[Result], list[BadLine]]:
    """The results of a file `{"uuid", "answer"}`, and the lines that are none."""
    results, bad = [], []
    for line, value in _lines(path):
        if isinstance(value, BadLine):
            bad.append(value)
        elif not isinstance(value, dict) or not isinstance(value.get("uuid"), str) or "answer" not in value:
            bad.append(BadLine(line, "it is no object with uuid and answer"))
        else:
            results.append(Result(value["uuid"], value["answer"]))
    return results, bad


def write_examples(path: Path, examples: Iterable[Example]) -> None:
    """One example a line, UTF-8, with letters beyond ASCII as they are."""
    # Half a surrogate pair, which UTF-8 cannot have, is written as the escape that it was read from.
    with path.open("w", encoding="utf-8", errors="backslashreplace") as file:
        for example in examples:
            file.write(json_text(example.shape()) + "\n")


def _lines(path: Path) -> Iterator[tuple[int, Any]]:
    """The value of each line that is not empty, or why it has none. Bad bytes cost their own line."""
    for number, line in read_lines(path):
        try:
            yield number, json_of(line)
        except NotUtf8Error as error:
            yield number, BadLine(number, str(error))
        except NotJsonError as error:
            yield number, BadLine(number, f"it is no JSON: {error}")


def _told(error: ValidationError) -> str:
    """What is wrong with the fields, without the values, which may be long."""
    return "; ".join(
        f"{'.'.join(map(str, one['loc'])) or 'the line'}: {one['msg']}" for one in error.errors()
    )
