"""The inside of a worker process: one statement after the other on one DuckDB file, within walls.

On stdin comes a line of JSON with file and limits (`Given`), and then a line for each text (`sql`,
`rows`, `seconds`). On stdout goes a line of JSON for each: `columns`, or `error`, or `forbidden`; `last` says
that the process should get no other text. A process that cannot start says `unfit`. It ends when stdin does,
so with its parent, however that ended.

When the file is open and everything is imported, the system refuses the process any further file or socket
(RLIMIT_NOFILE), any written byte of a file (RLIMIT_FSIZE), and memory beyond its limit (RLIMIT_AS).
"""

import json
import os
import re
import resource
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypedDict

import duckdb

from aimsciqa_resources.untrusted_sql.cells import READY, TooMuchError, columns_of
from aimsciqa_resources.untrusted_sql.names import must_name_only_known
from aimsciqa_resources.untrusted_sql.statements import ForbiddenStatementError, only_reading

_LONGEST_ERROR = 4_000
_USELESS = re.compile(
    r"\n+(?:Stack Trace:|Possible solutions:|Please try installing|Database is launched).*", re.DOTALL
)
"""The ends of errors: the stack of a defect, and settings and extensions that cannot be changed."""
_LINE = re.compile(r"^LINE (\d+):", re.MULTILINE)
_LINES_BEFORE = 2
_WARM_UP = """
    select [1, null], ['a'], {'a': [1.5]}, map {'k': 1}, uuid(), now(), date '2020-01-01', true, null::int,
    1.5, 'x'::blob, interval 1 day, time '10:00', 1::hugeint, 'text', regexp_matches('a', 'b'), 'a' ilike 'b'
"""
"""A statement with every type, so that nothing has to be imported later."""

Answer = Mapping[str, Any]


class Given(TypedDict):
    """What a worker is started with: the file, and bytes that DuckDB and the process may use."""

    database: str
    duckdb_bytes: int
    process_bytes: int


def opened_and_locked(database: str, memory: int) -> duckdb.DuckDBPyConnection:
    """A connection that reads the tables of a file and cannot be told to do anything else.

    The order matters: some settings are refused at the opening, and the lock comes last.
    """
    connection = duckdb.connect(
        database,
        read_only=True,
        config={
            "threads": 1,
            "memory_limit": f"{memory}B",
            "temp_directory": "",
            "autoload_known_extensions": False,
            "autoinstall_known_extensions": False,
            "allow_community_extensions": False,
            "python_enable_replacements": False,
            "secret_directory": "/nowhere",
        },
    )
    for setting in (
        "enable_progress_bar = false",
        "TimeZone = 'UTC'",
        "global lambda_syntax = 'ENABLE_SINGLE_ARROW'",  # x -> x + 1, as many models write it
        "enable_external_access = false",
        "disabled_filesystems = 'LocalFileSystem'",
        "lock_configuration = true",
    ):
        connection.execute(f"set {setting}")
    return connection


def main() -> None:
    """Answer until stdin ends."""
    # DuckDB looks for these when it makes arrays; it needs none of them, and they are large.
    sys.modules |= dict.fromkeys(("pandas", "pyarrow", "polars"))  # type: ignore[arg-type]
    questions, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer

    def send(answer: Answer) -> None:
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # which ends the process, also inside DuckDB
    given: Given = json.loads(questions.readline())
    try:
        connection = opened_and_locked(given["database"], given["duckdb_bytes"])
        size = _Size()
        for text in (_WARM_UP, "explain select 1", "select no_column", "summarize select 1"):
            _answer(connection, text, 1)
        _wall_in(given["process_bytes"])
    except (duckdb.Error, OSError, ValueError) as error:
        send({"unfit": f"{error}"})
        return
    idle = size.now()
    send(READY)
    while line := questions.readline():
        question = json.loads(line)
        signal.setitimer(signal.ITIMER_REAL, question["seconds"])
        answer = _answer(connection, question["sql"], question["rows"])
        try:
            send(answer | {"last": "worn" in answer or size.now() - idle > given["process_bytes"] // 4})
        except MemoryError:
            return
        signal.setitimer(signal.ITIMER_REAL, 0)


def _wall_in(process_bytes: int) -> None:
    """From here on, the process opens no file or socket, writes no byte into a file, and stays small."""
    highest = max(int(entry.name) for entry in Path("/dev/fd").iterdir())
    for limit, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, highest),
        (resource.RLIMIT_AS, process_bytes),
    ):
        resource.setrlimit(limit, (most, most))


def _answer(connection: duckdb.DuckDBPyConnection, text: str, rows: int) -> dict[str, Any]:
    try:
        # Each text has a connection of its own: what a function leaves in one, the next does not see.
        with connection.cursor() as cursor:
            cursor.execute("select setseed(0)")  # an agent that is run again sees the same
            statements = only_reading(text)
            for statement in statements:
                must_name_only_known(cursor, statement)
            return {"columns": columns_of(_found(cursor, statements, rows))}
    except ForbiddenStatementError as error:
        return {"forbidden": str(error)}
    except MemoryError:
        return {"error": "Out of Memory Error: the statement needs too much memory", "worn": True}
    except RecursionError:
        return {"error": "The statement is nested too deeply."}
    except (duckdb.OutOfMemoryException, duckdb.FatalException, duckdb.InternalException) as error:
        return {"error": _told(error), "worn": True}
    except (duckdb.Error, TooMuchError, UnicodeError, ValueError, OverflowError) as error:
        return {"error": _told(error)}


def _told(error: Exception) -> str:
    """What is wrong, without advice that nobody can follow here, and without paths of this machine."""
    return _USELESS.sub("", str(error))[:_LONGEST_ERROR]


def _found(
    cursor: duckdb.DuckDBPyConnection, statements: list[duckdb.Statement], rows: int
) -> dict[str, Any]:
    """The first rows of the last statement; of those before it, only the names are looked up."""
    for statement in statements[:-1]:
        if statement.type == duckdb.StatementType.SELECT:
            cursor.sql(statement)
    last = statements[-1]
    if last.type != duckdb.StatementType.SELECT:
        return dict(cursor.execute(last).fetchnumpy())
    try:
        relation = cursor.sql(last)
    except duckdb.Error:
        cursor.execute(last)  # fails as well, and says in which line
        raise
    try:
        return dict(relation.limit(rows).fetchnumpy())
    except duckdb.Error as error:
        raise type(error)(_LINE.sub(_of_statement, str(error))) from None


def _of_statement(line: re.Match[str]) -> str:
    """The line of an error, counted without the lines that cutting a result to some rows puts before it."""
    return f"LINE {int(line[1]) - _LINES_BEFORE}:"


class _Size:
    """How much memory the process maps; the file is kept open, because later none can be opened."""

    def __init__(self) -> None:
        self._file = -1
        with suppress(OSError):  # not every system tells
            self._file = os.open(Path("/proc/self/statm"), os.O_RDONLY)

    def now(self) -> int:
        if self._file < 0:
            return 0
        return int(os.pread(self._file, 100, 0).split()[0]) * resource.getpagesize()


if __name__ == "__main__":
    main()
