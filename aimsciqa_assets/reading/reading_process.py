"""The inside of a reading process: one file after the other, each within limits that the system enforces.

`isolation` starts it with the function that reads a file, and with the limits. On stdin comes, for each file,
a line of JSON (`arguments`, `bytes`) and then so many bytes. On stdout goes a line of JSON with one of
`value`, `rejected` (reason and detail) and `unfit` (this installation lacks something); `last` says that the
process should not read another file, `broke` that it could not read this one. It ends when stdin does, so
with its parent, however that ended.
"""

import importlib
import json
import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from aimsciqa_assets.reading.paper import RejectedFileError

READY = b"ready\n"
Read = Callable[..., Any]
Answer = dict[str, Any]


def main() -> None:
    """Answer until stdin ends."""
    module, _, name = sys.argv[1].partition(":")
    memory, cpu_seconds, wall_seconds, grown = map(float, sys.argv[2:])
    files, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    for deadline in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(deadline, signal.SIG_DFL)  # which ends the process, also while it is in a C library
    with suppress(ValueError, OSError):  # not every system knows this limit
        resource.setrlimit(resource.RLIMIT_DATA, (int(memory), int(memory)))
    read: Read = getattr(importlib.import_module(module), name)
    answers.write(READY)
    answers.flush()
    while line := files.readline():
        question = json.loads(line)
        data = files.read(question["bytes"])
        signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
        signal.setitimer(signal.ITIMER_REAL, wall_seconds)
        answer = _answer(read, data, question["arguments"], grown)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        answers.write(answer)
        answers.flush()


def _answer(read: Read, data: bytes, arguments: dict[str, str], grown: float) -> bytes:
    try:
        return _encoded(grown, value=read(data, **arguments))
    except RejectedFileError as rejection:
        return _encoded(grown, rejected=[rejection.reason, rejection.detail])
    except MemoryError:
        return _encoded(grown, rejected=["reader_out_of_memory", "it needs too much memory"], broke=True)
    except ImportError as error:
        return _encoded(grown, unfit=f"{type(error).__name__}: {error}")
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(at.filename).name}:{at.lineno}"
        return _encoded(
            grown, rejected=["reader_crashed", f"{type(error).__name__}: {error} ({place})"[:500]]
        )


def _encoded(grown: float, **answer: Any) -> bytes:
    """The answer as a line, the last when this process has grown: every file finds the same room."""
    answer["last"] = "broke" in answer or 1024 * _peak_kib() > grown
    return json.dumps(answer).encode() + b"\n"


def _peak_kib() -> int:
    """The most memory the process had; 0 where the system does not say. (`getrusage` counts the parent's.)"""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0
    return int(status.partition("VmHWM:")[2].split(maxsplit=1)[0])


if __name__ == "__main__":
    main()
