"""The files that go out to whoever replies, and come back filled in: JSON lines, a request each.

Whatever comes back was written by anybody: each line is checked by itself, the good ones are taken, and the
others are named with their line and what is wrong with them.
"""

import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from aimsciqa.files import NotJsonError, NotUtf8Error, json_of, json_text
from aimsciqa_resources.language_model.interface import ModelRequest
from aimsciqa_resources.language_model.messages import openai_messages
from aimsciqa_resources.language_model.recordings import (
    KEY,
    NAME,
    Recording,
    Recordings,
    RecordingsError,
    images_of,
    key_of,
    key_of_request,
    turns_of,
)

Fault = Callable[[str], str | None]
"""What is wrong with a reply to a task; None for one that can be read."""

_MOST_LINE_BYTES = 16 << 20
_MOST_REPLY_CHARACTERS = 1_000_000
_MOST_PROBLEMS = 1000
_AT_ONCE = 500
_HALF = re.compile("[\ud800-\udfff]")
# Controls but for tab and line ends: no terminal, page or table should get these.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


class RequestsFile:
    """A new file of requests; it appears under its name when all is written. Gzipped when it ends in .gz.

    Raises `RecordingsError` where a file of that name is there already.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._part = path.with_name(f".{path.name}.part")
        self._seen: set[tuple[str, str]] = set()

    @property
    def written(self) -> int:
        """How many requests were written."""
        return len(self._seen)

    def __enter__(self) -> "RequestsFile":
        if self.path.exists():
            raise RecordingsError(
                f"{self.path} exists already, and somebody may have filled in replies: give another name."
            )
        try:
            self._file = _opened(self._part, self.path, "wt")
        except OSError as error:
            raise RecordingsError(f"{self.path} cannot be written: {error.strerror}.") from error
        return self

    def holds(self, request: ModelRequest, asked_of: str) -> bool:
        """Whether a request was written: the same may be asked for several rows."""
        return (key_of_request(request), asked_of) in self._seen

    def write(self, request: ModelRequest, asked_of: str) -> bool:
        """Write a request unless it is there already; returns whether it was new."""
        if self.holds(request, asked_of):
            return False
        key = key_of_request(request)
        self._seen.add((key, asked_of))
        line = {
            "key": key,
            "task": request.task,
            "asked_of": asked_of,
            "run": request.run,
            "turns": turns_of(request),
            **({"images": images} if (images := images_of(request)) else {}),
            "variables": dict(request.variables),
            "messages": openai_messages(request.messages),
            "reply_schema": request.reply_schema,
            "reply_grammar": request.reply_grammar,
            **({"tools": list(request.tools)} if request.tools else {}),
            "by": "",
            "reply": "",
        }
        text = json_text(line)
        # Half a surrogate pair can be written as an escape only.
        self._file.write(f"{json.dumps(line) if _HALF.search(text) else text}\n")
        return True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.close()
        if kind is None and self.written:
            self._part.replace(self.path)
        else:
            self._part.unlink(missing_ok=True)


@dataclass(slots=True)
class Taken:
    """What came of a file of replies.

    `names` are those who gave the new ones, `without_reply` the lines that nobody has filled in yet;
    `problems` names the lines that were `not_taken`, up to a thousand of them.
    """

    new: int = 0
    known: int = 0
    replaced: int = 0
    names: set[str] = field(default_factory=set)
    without_reply: list[int] = field(default_factory=list)
    not_taken: int = 0
    problems: list[str] = field(default_factory=list)

    def refuse(self, number: int, problem: str) -> None:
        """Note a line that is not taken."""
        self.not_taken += 1
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(f"line {number:,}: {problem}")


class BadLineError(ValueError):
    """A line that cannot be taken; the message says why."""


class NoReplyError(ValueError):
    """A line that nobody has filled in yet."""


def take_replies(
    source: Path,
    recordings: Recordings,
    faults: Mapping[str, Fault],
    *,
    by: str = "",
    replace: bool = False,
) -> Taken:
    """Record the replies of a file; `faults` says for each task what is wrong with a reply to it.

    `by` is who replied where a line does not say so. A reply that is known already stays as it is; another
    one by the same name to the same request is taken only to `replace` it. The caller sees to it that nobody
    else records meanwhile. Raises `RecordingsError`.
    """
    taken = Taken()
    now = datetime.now(UTC).isoformat(timespec="seconds")
    fresh: dict[tuple[str, str], Recording] = {}
    for number, line in _lines(source, taken):
        try:
            recording = _recording(line, faults, by, now)
        except NoReplyError:
            taken.without_reply.append(number)
            continue
        except BadLineError as error:
            taken.refuse(number, str(error))
            continue
        place = (recording.key, recording.by)
        known = fresh.get(place) or recordings.find(recording.key, [recording.by])
        if known and known.reply == recording.reply:
            taken.known += 1
        elif known and not replace:
            taken.refuse(
                number,
                f"{recording.by} gave another reply to this request before; --replace takes the new one",
            )
        else:
            taken.names.add(recording.by)
            taken.replaced += known is not None
            taken.new += known is None
            fresh[place] = recording
        if len(fresh) >= _AT_ONCE:
            recordings.add(list(fresh.values()))
            fresh.clear()
    recordings.add(list(fresh.values()))
    return taken


def _lines(source: Path, taken: Taken) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, with their number; one that is too long is refused unread."""
    number = 0
    try:
        with _opened(source, source, "rb") as file:
            while line := file.readline(_MOST_LINE_BYTES):
                number += 1
                if len(line) == _MOST_LINE_BYTES and not line.endswith(b"\n"):
                    while (rest := file.readline(_MOST_LINE_BYTES)) and not rest.endswith(b"\n"):
                        pass
                    taken.refuse(number, f"it is longer than {_MOST_LINE_BYTES >> 20} MiB")
                elif line.strip():
                    yield number, line
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        taken.refuse(number + 1, f"the file cannot be unpacked from here on: {error}")
    except OSError as error:
        raise RecordingsError(f"{source} cannot be read: {error.strerror or error}.") from error


def _opened(path: Path, named: Path, mode: str) -> IO[Any]:
    encoding = None if "b" in mode else "utf-8"
    if named.suffix == ".gz":
        zipped: IO[Any] = gzip.open(path, mode, encoding=encoding)  # type: ignore[assignment]  # noqa: SIM115
        return zipped
    return path.open(mode, encoding=encoding)


def _recording(line: bytes, faults: Mapping[str, Fault], by: str, now: str) -> Recording:
    """What a line records. Raises `NoReplyError`, `BadLineError`."""
    row = _row(line)
    if "reply" not in row:
        raise BadLineError("it has no field reply")
    reply = row["reply"]
    if reply is None or (isinstance(reply, str) and not reply.strip()):
        raise NoReplyError
    key, task = _key_and_task(row, faults)
    if isinstance(reply, dict | list):
        # Nobody wants to write quotes within quotes.
        reply = json_text(reply)
    if not isinstance(reply, str):
        raise BadLineError("its reply is neither text nor a JSON object")
    if len(reply) > _MOST_REPLY_CHARACTERS:
        raise BadLineError(f"its reply has more than {_MOST_REPLY_CHARACTERS:,} characters")
    if unwanted := _CONTROL.search(reply) or _HALF.search(reply):
        raise BadLineError(f"its reply holds U+{ord(unwanted[0]):04X}, which is no character of a text")
    if fault := faults[task](reply):
        raise BadLineError(f"its reply cannot be used: {fault}")
    return Recording(key, task, _name(row, by), _date(row, now), reply)


def _row(line: bytes) -> dict[str, Any]:
    try:
        row = json_of(line)
    except NotUtf8Error as error:
        raise BadLineError(str(error)) from None
    except NotJsonError as error:
        raise BadLineError(f"it is no JSON: {error}") from None
    if not isinstance(row, dict):
        raise BadLineError("it is no JSON object")
    return row


def _key_and_task(row: Mapping[str, Any], faults: Mapping[str, Fault]) -> tuple[str, str]:
    """The key and the task of a line; the key must be that of what the line asks."""
    key, task, variables = row.get("key"), row.get("task"), row.get("variables")
    run, turns, images = row.get("run", 1), row.get("turns", []), row.get("images", [])
    if not isinstance(key, str) or not KEY.fullmatch(key):
        raise BadLineError("it has no key of 32 hexadecimal digits; keep what `record requests` wrote")
    if not isinstance(task, str) or task not in faults:
        raise BadLineError(f"it names no task; there are {', '.join(sorted(faults))}")
    if not isinstance(variables, dict):
        raise BadLineError("it has no variables; keep what `record requests` wrote")
    if isinstance(run, bool) or not isinstance(run, int) or run < 1:
        raise BadLineError("its run is no number from 1 on")
    for name, texts in (("turns", turns), ("images", images)):
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise BadLineError(f"its {name} are no list of texts")
    if key != key_of(task, variables, run, turns, images):
        raise BadLineError(
            "its key is unknown: it does not belong to this task, variables, run, turns and images; one of "
            "them was changed"
        )
    return key, task


def _name(row: Mapping[str, Any], by: str) -> str:
    name = row.get("by") or by
    if not name:
        raise BadLineError("it does not say who replied: give --by NAME, or fill in its field by")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise BadLineError(
            "its field by is no name: one word of letters, digits and . + : / - _, such as jane-doe"
        )
    return name


def _date(row: Mapping[str, Any], now: str) -> str:
    """When the reply was given, as far as the line says so; a date without a time zone is taken for UTC."""
    try:
        given = datetime.fromisoformat(row.get("recorded_at") or now)
        utc = given.astimezone(UTC) if given.tzinfo else given.replace(tzinfo=UTC)
    except (TypeError, ValueError, OverflowError):
        raise BadLineError("its field recorded_at is no date such as 2026-01-31") from None
    return utc.isoformat(timespec="seconds")
