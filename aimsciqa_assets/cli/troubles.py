"""What is told when a command fails: a message with the path and what to do, for whatever a user can mend."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from aimsciqa_assets.platform.home import Home

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_FORBIDDEN = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_SAYS_FULL = ("no space left", "disk is full", "disk quota exceeded")
_SAYS_FORBIDDEN = ("read-only file", "readonly database", "permission denied", "not permitted")
_SAYS_DAMAGED = ("not a database", "malformed", "file is encrypted")
# What SQLite says when it cannot make the files that it works with.
_SAYS_LITTLE = ("unable to open database file", "disk i/o error")
_SMALLEST_FREE = 2**20
_ORIGINS = {
    "sqlalchemy": {"sqlalchemy.exc.SQLAlchemyError"},
    "sqlite": {"sqlite3.Error"},
    "yaml": {"yaml.error.YAMLError"},
    # A misuse of DuckDB is a fault of the program: only what happens to its files is a user's trouble.
    "duckdb": {
        f"{module}.{kind}" for module in ("duckdb", "_duckdb") for kind in ("IOException", "FatalException")
    },
}
_OF_OUR_FILES = {"WarehouseBrokenError", "JournalError"}
_GO_ON = "What was finished is kept, and the same command goes on from there."


def told_of(error: BaseException, home: Home) -> str | None:
    """The message for a user; None for a fault of the program, which deserves its traceback."""
    first, *causes = _chain(error)
    if told := _of_ours(first, home) or _of_library(first, home):
        return told
    if isinstance(first, OSError) and first.errno is not None:
        return _of_system(first, home)
    for cause in causes:
        if told := _of_library(cause, home):
            return told
        if isinstance(cause, OSError) and cause.errno in _FULL | _FORBIDDEN:
            return _of_system(cause, home)
    return None


def disk_trouble(said: str, folder: Path) -> str | None:
    """What is wrong with the disk of a folder and what to do, if what was said is about a disk."""
    said = said.lower()
    little = any(words in said for words in _SAYS_LITTLE)
    if any(words in said for words in _SAYS_FULL) or (little and _is_full(folder)):
        return f"The disk is full: {folder}\nFree some space on it. {_GO_ON}"
    if any(words in said for words in _SAYS_FORBIDDEN) or (little and not os.access(folder, os.W_OK)):
        return (
            f"Nothing can be written: {folder}\nMake this folder writable for you, or name another one in "
            "AIMSCIQA_HOME."
        )
    return None


def _of_ours(error: BaseException, home: Home) -> str | None:
    """An error of this program that says what to do."""
    if not isinstance(error, _told_to_people()):
        return None
    if type(error).__name__ in _OF_OUR_FILES and (trouble := disk_trouble(str(error), home.folder)):
        return f"{trouble}\n({_first_line(error)})"
    return f"{type(error).__name__.removesuffix('Error')}: {error}"


def _of_library(error: BaseException, home: Home) -> str | None:
    """An error of a library that keeps files in the home."""
    said = _first_line(error)
    match _origin(error):
        case "sqlalchemy":
            return _of_dagster(error, home.dagster)
        case "sqlite":
            journal = home.journal
            trouble = disk_trouble(said, journal.parent if isinstance(journal, Path) else home.folder)
            return f"{trouble}\n({said})" if trouble else f"{journal} cannot be used: {said}"
        case "duckdb":
            trouble = disk_trouble(str(error), home.folder)
            return f"{trouble or f'{home.database} could not be read or written. {_GO_ON}'}\n({said})"
        case "yaml":
            return (
                f"{home.dagster / 'dagster.yaml'} cannot be read. Mend it, or move it away: the next command "
                f"writes a new one.\n({error})"
            )
    return None


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and what it came from."""
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        yield one
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)


def _origin(error: BaseException) -> str:
    """Whose error it is, told by its classes: a command that did not need a library is not to load it."""
    names = {f"{kind.__module__}.{kind.__name__}" for kind in type(error).__mro__}
    return next((origin for origin, kinds in _ORIGINS.items() if names & kinds), "")


def _of_dagster(error: BaseException, folder: Path) -> str:
    """What is wrong with the databases of Dagster."""
    said = _first_line(getattr(error, "orig", None) or error)
    if trouble := disk_trouble(said, folder):
        return f"{trouble}\n({said})"
    damaged = _damaged_in(folder)
    if damaged or any(words in said for words in _SAYS_DAMAGED):
        named = ", ".join(str(path) for path in damaged) or str(folder)
        return (
            f"Dagster's record of runs is damaged: {named} ({said}).\nMove the folder {folder} away and give "
            "the same command again. No result is lost: papers, tables and replies lie elsewhere. Only the "
            "history of runs in the web UI begins anew. If you changed dagster.yaml there, copy it back."
        )
    return (
        f"Dagster's record of runs in {folder} cannot be used: {said}\nIts dagster.yaml says where it lies."
    )


def _of_system(error: OSError, home: Home) -> str:
    """What the system refused, with the path; for a disk also what to do."""
    path = error.filename or home.folder
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        return f"{reason}: {path}\nFree some space on this disk. {_GO_ON}"
    if error.errno in _FORBIDDEN and Path(os.fsdecode(path)).is_relative_to(home.folder):
        return f"{reason}: {path}\nMake it writable for you, or name another folder in AIMSCIQA_HOME."
    return f"{reason}: {path}"


def _is_full(folder: Path) -> bool:
    try:
        free = os.statvfs(folder)
    except OSError:
        return False
    return free.f_bavail * free.f_frsize < _SMALLEST_FREE


def _damaged_in(folder: Path) -> list[Path]:
    """The SQLite databases of a folder that cannot be read."""
    return [path for path in sorted(folder.rglob("*.db")) if not is_sound(path)]


def is_sound(path: Path) -> bool:
    """Whether SQLite finds no damage in a database; one that is locked just now counts as sound."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            found: list[tuple[str]] = connection.execute("pragma quick_check(1)").fetchall()
    except sqlite3.Error as error:
        return not any(word in str(error) for word in _SAYS_DAMAGED)
    return found == [("ok",)]


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _told_to_people() -> tuple[type[Exception], ...]:
    """The errors that say what to do. Only where there was one are their modules worth the time."""
    from aimsciqa_resources.language_model.interface import ModelError
    from aimsciqa_resources.language_model.journal import JournalError
    from aimsciqa_resources.language_model.prices import PriceTableError
    from aimsciqa_resources.language_model.recordings import RecordingsError
    from aimsciqa_resources.pmc import PmcError
    from aimsciqa_resources.shared_place import SharedPlaceError
    from aimsciqa_resources.warehouse import (
        CatalogueError,
        ClusterSetUpError,
        CopyError,
        EarlierTableError,
        NewerTablesError,
        QueryError,
        WarehouseBrokenError,
        WarehouseBusyError,
        WarehouseMissingError,
    )

    from aimsciqa_assets.asking.prompts import PromptError
    from aimsciqa_assets.cli.deadline import LateError
    from aimsciqa_assets.corpus.intake.corrections import CorrectionsError
    from aimsciqa_assets.corpus.intake.folder import NothingToIngestError
    from aimsciqa_assets.corpus.intake.pmc_ids import IdMapError
    from aimsciqa_assets.corpus.intake.updates import TooManyWithdrawnError
    from aimsciqa_assets.judging.audit.sheet import AuditError
    from aimsciqa_assets.orchestration.partitions import NoPapersError
    from aimsciqa_assets.platform.backups import BackupError
    from aimsciqa_assets.release.verifying import NoReleaseError
    from aimsciqa_assets.retrieval.notation import RetrieverNotationError
    from aimsciqa_assets.settings import SettingsError

    return (
        SettingsError,
        RetrieverNotationError,
        PromptError,
        JournalError,
        LateError,
        PriceTableError,
        ModelError,
        RecordingsError,
        SharedPlaceError,
        CatalogueError,
        ClusterSetUpError,
        CopyError,
        EarlierTableError,
        NewerTablesError,
        QueryError,
        WarehouseBrokenError,
        WarehouseBusyError,
        WarehouseMissingError,
        NothingToIngestError,
        CorrectionsError,
        NoPapersError,
        PmcError,
        TooManyWithdrawnError,
        IdMapError,
        AuditError,
        BackupError,
        NoReleaseError,
    )
