"""The file of recorded replies: one JSON line for each reply that a person or a model gave to a request.

A reply is found by its key: a hash of the task, the variables, the run, the replies that the conversation has
had so far, and the images that are shown. The wording of the prompt is no part of it, so that a better worded
prompt asks nobody again. The file only grows: of two replies by the same name to the same request the later
one holds. It may be merged with another by `cat`.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

from aimsciqa.files import json_of, json_text
from aimsciqa_resources.language_model.interface import Image, ModelError, ModelRequest

KEY = re.compile(r"[0-9a-f]{32}")
NAME = re.compile(r"[^\W_][\w.+:/-]{0,99}")
"""Who replies: a word, so that names can be listed; without @, so that no address gets into a release."""

_STEP = 1 << 16


class RecordingsError(ModelError):
    """The file of recordings cannot be used; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A reply to the request with this key, by a person or model; `recorded_at` is ISO 8601, UTC."""

    key: str
    task: str
    by: str
    recorded_at: str
    reply: str


_FIELDS = tuple(field.name for field in fields(Recording))


def key_of(
    task: str,
    variables: Mapping[str, Any],
    run: int = 1,
    turns: Sequence[str] = (),
    images: Sequence[str] = (),
) -> str:
    """32 hex digits over what is asked.

    `turns` are the replies that the conversation has had so far, `images` hashes of those that are shown.
    """
    shown = [list(images)] if images else []
    asked = json.dumps([task, dict(variables), run, list(turns), *shown], ensure_ascii=False, sort_keys=True)
    return blake2b(asked.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def turns_of(request: ModelRequest) -> list[str]:
    """The replies that the conversation of a request has had so far."""
    return [message.text for message in request.messages if message.role == "assistant"]


def images_of(request: ModelRequest) -> list[str]:
    """Hashes of the images that a request shows."""
    parts = [part for message in request.messages for part in message.parts]
    return [blake2b(part.data, digest_size=16).hexdigest() for part in parts if isinstance(part, Image)]


def key_of_request(request: ModelRequest) -> str:
    """The key of a request."""
    return key_of(request.task, request.variables, request.run, turns_of(request), images_of(request))


class Recordings:
    """The recordings of a file, read again whenever the file has changed; none while there is no file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read_at: tuple[int, int, int] | None = None
        self._replies: dict[tuple[str, str], Recording] = {}
        self._revisions: dict[tuple[tuple[str, ...], tuple[str, ...]], str] = {}

    def find(self, key: str, names: Iterable[str]) -> Recording | None:
        """The reply by the first of these names that gave one. Raises `RecordingsError`."""
        replies = self._all()
        found = (replies.get((key, name)) for name in names)
        return next((recording for recording in found if recording), None)

    def names(self) -> list[str]:
        """Everybody who replied."""
        return sorted({recording.by for recording in self._all().values()})

    def revision(self, names: tuple[str, ...], tasks: tuple[str, ...] = ()) -> str:
        """12 hex digits over all that these names replied to some tasks, or to all of them."""
        replies = self._all()
        if (names, tasks) not in self._revisions:
            chosen = sorted(
                (recording.key, recording.by, recording.reply)
                for recording in replies.values()
                if recording.by in names and (not tasks or recording.task in tasks)
            )
            text = json.dumps([names, chosen], ensure_ascii=False)
            self._revisions[names, tasks] = blake2b(text.encode(), digest_size=6).hexdigest()
        return self._revisions[names, tasks]

    def add(self, recordings: Sequence[Recording]) -> None:
        """Append recordings; they are on disk when this returns. The caller sees to it that it is alone.

        A last line that was cut off by a kill is taken away first: its reply was never acknowledged.
        """
        if not recordings:
            return
        known = self._all()
        lines = "".join(json_text(asdict(one)) + "\n" for one in recordings)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b") as file:
                self._append(file, lines)
            known |= {(one.key, one.by): one for one in recordings}
            self._read_at = _state_of(self.path.stat())
            self._revisions.clear()
        except OSError as error:
            raise RecordingsError(
                f"The recordings {self.path} cannot be written: {error.strerror}. See to the disk, then give "
                "the same command again."
            ) from error

    def _append(self, file: BinaryIO, lines: str) -> None:
        end = _end_of_last_line(file)
        file.seek(end)
        last = file.read()
        if _recording(last):
            # Somebody's editor left the end of the last line out.
            lines, end = "\n" + lines, end + len(last)
        file.truncate(end)
        try:
            file.write(lines.encode())
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            # All or nothing: what fits on a full disk may end in the middle of a reply.
            os.truncate(self.path, end)
            raise

    def _all(self) -> dict[tuple[str, str], Recording]:
        try:
            there = self.path.stat()
        except FileNotFoundError:
            there = None
        except OSError as error:
            raise self._unreadable(error) from error
        state = _state_of(there) if there else None
        if state != self._read_at:
            self._replies = self._read() if there else {}
            self._read_at = state
            self._revisions.clear()
        return self._replies

    def _read(self) -> dict[tuple[str, str], Recording]:
        replies: dict[tuple[str, str], Recording] = {}
        try:
            with self.path.open("rb") as file:
                for number, line in enumerate(file, 1):
                    recording = _recording(line)
                    if recording is None and not line.endswith(b"\n"):
                        break  # the last line is still being written, or was cut off
                    if recording is None:
                        raise RecordingsError(
                            f"Line {number} of {self.path} is no recording. Mend or remove the line."
                        )
                    replies[recording.key, recording.by] = recording
        except OSError as error:
            raise self._unreadable(error) from error
        return replies

    def _unreadable(self, error: OSError) -> RecordingsError:
        return RecordingsError(f"The recordings {self.path} cannot be read: {error.strerror}.")


def _state_of(file: os.stat_result) -> tuple[int, int, int]:
    return file.st_mtime_ns, file.st_size, file.st_ino


def _recording(line: bytes) -> Recording | None:
    try:
        row = json_of(line)
    except ValueError:
        return None
    if not isinstance(row, dict) or row.keys() != set(_FIELDS):
        return None
    if not all(isinstance(value, str) for value in row.values()):
        return None
    recording = Recording(**row)
    return recording if KEY.fullmatch(recording.key) and NAME.fullmatch(recording.by) else None


def _end_of_last_line(file: BinaryIO) -> int:
    """Where the last whole line ends."""
    end = file.seek(0, os.SEEK_END)
    while end > 0:
        start = max(0, end - _STEP)
        file.seek(start)
        newline = file.read(end - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0
