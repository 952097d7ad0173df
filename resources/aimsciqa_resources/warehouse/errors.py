"""What can be wrong with the warehouse, as errors that say what to do."""

from pathlib import Path

import duckdb

from aimsciqa_resources.disk import UnwritableError, unwritable_for_duckdb

INSTALL = "pip install '.[cluster]'"
_DAMAGED = "Corrupt database file"


class WarehouseBusyError(RuntimeError):
    """Another program keeps the DuckDB file open."""


class WarehouseBrokenError(RuntimeError):
    """The file is damaged: it is not a DuckDB database any more, or parts of it were altered."""


class VectorLengthError(ValueError):
    """The vectors have another length than those that the table holds."""


class EarlierTableError(ValueError):
    """A table of an earlier version holds values that its columns cannot hold any more."""


class NewerTablesError(RuntimeError):
    """The tables are those of a later version: this one would take back what that one did."""


class QueryError(ValueError):
    """DuckDB refuses the query."""


class WarehouseMissingError(FileNotFoundError):
    """There is no warehouse yet."""


class ClusterSetUpError(RuntimeError):
    """The environment cannot open a lake, or its settings name none."""


class CatalogueError(RuntimeError):
    """The catalogue of a lake does not answer, or its data cannot be read or written."""


class CopyError(RuntimeError):
    """Tables cannot be copied, or a copy differs from what was copied."""


def told(error: duckdb.Error) -> UnwritableError | QueryError:
    """The error of ours for a failed query, or for the disk that it writes to."""
    return unwritable_for_duckdb(str(error)) or QueryError(str(error))


def trouble(database: str, error: Exception) -> UnwritableError | WarehouseBrokenError | None:
    """The error of ours for an error of DuckDB about the file or its disk; None for any other."""
    said = str(error)
    return unwritable_for_duckdb(said) or (broken(database, error) if _DAMAGED in said else None)


def no_paper_store(file: Path, error: duckdb.Error) -> WarehouseBrokenError:
    """The error for a published paper store that cannot be read."""
    return WarehouseBrokenError(
        f"{file} is no paper store that can be read ({error}). Delete it, and start `aimsciqa airqa store`, "
        "which publishes it again."
    )


def broken(database: str, error: Exception, snapshot: Path | None = None) -> WarehouseBrokenError:
    """The error for a damaged database, which names the last good copy if there is one."""
    copy = snapshot or Path(database).with_name("inspect.duckdb")
    restore = f"put the last good copy in its place (`cp {copy} {database}`), or " if copy.is_file() else ""
    return WarehouseBrokenError(
        f"{database} is damaged or not a database: {error}\nMove it and {Path(database).name}.wal away. Then "
        f"{restore}`aimsciqa ingest` your papers again, and `aimsciqa run`: no model is asked again for a "
        "reply that is in the journal."
    )
