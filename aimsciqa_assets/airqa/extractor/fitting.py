"""Samples of an export as TRL takes them, each cut to the tokens that a model is trained on at once.

A window that is too long loses its oldest turns, as the agent's history would: the system message, the task
and the turn that is learnt stay whole. A whole trajectory loses its last turns.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from aimsciqa.files import json_of, read_lines, read_text
from aimsciqa_assets.airqa.extractor.exporting import STATISTICS
from aimsciqa_assets.airqa.extractor.recipe import SHAREGPT, TOOL_CALLS

Row = dict[str, Any]
Form = Literal["text", "tool_calls"]
"""Messages as the agent of `airqa` is sent them, or with its actions as tool calls."""
Count = Callable[[Sequence[Row], str | None], int]
"""How many tokens messages are, with the tools that are told beside them as JSON."""

_FILES: Final = {"text": SHAREGPT, "tool_calls": TOOL_CALLS}
_ROLES: Final = {"human": "user", "gpt": "assistant"}
_OPENING: Final = 2
"""Messages before the first turn: that of the system, and the task."""
_TURN: Final = 2
"""Messages of a turn: what the actor said, and what it was told."""


class ExportError(ValueError):
    """A folder is no export that can be trained on."""


def file_of(export: Path, form: Form) -> Path:
    """The file of an export with its samples in this form. Raises `ExportError` for another folder."""
    file = export / _FILES[form]
    if not (file.is_file() and (export / STATISTICS).is_file()):
        raise ExportError(
            f"{export} has no {file.name} with {STATISTICS}: aimsciqa extractor export writes them."
        )
    return file


def rows_of(export: Path, form: Form) -> Iterator[Row]:
    """The samples of an export as rows for TRL: `prompt` and `completion`, or `messages`, by what is learnt.

    Raises `ExportError` for a folder that is no export, and for one with pictures.
    """
    file = file_of(export, form)
    settings = json_of(read_text(export / STATISTICS))["settings"]
    if settings["views"]:
        raise ExportError(
            f"{export} has pictures, and only texts are trained on here: LLaMA-Factory trains on both."
        )
    for _, line in read_lines(file):
        row = json_of(line)
        if form == "text":
            told = [{"role": "system", "content": row["system"]}]
            told += [{"role": _ROLES[one["from"]], "content": one["value"]} for one in row["conversations"]]
        else:
            told = row.get("messages") or row["prompt"] + row["completion"]
        yield _shaped(told, row["tools"] or None, learns_all=settings["window"] == 0)


def fitted(row: Row, cutoff: int, count: Count) -> Row | None:
    """The row without the turns that are too many; None where not even one turn fits."""
    tools, whole = row["tools"], "messages" in row
    told = row["messages"] if whole else row["prompt"] + row["completion"]
    while count(told, tools) > cutoff:
        if len(told) <= _OPENING + 1:
            return None
        told = told[:-_TURN] if whole else told[:_OPENING] + told[_OPENING + _TURN :]
    return _shaped(told, tools, learns_all=whole)


def _message(one: Row) -> Row:
    return {"role": _ROLES[one["from"]], "content": one["value"]}


def _shaped(told: list[Row], tools: str | None, *, learns_all: bool) -> Row:
    if learns_all:
        return {"messages": told, "tools": tools}
    return {"prompt": told[:-1], "completion": told[-1:], "tools": tools}
