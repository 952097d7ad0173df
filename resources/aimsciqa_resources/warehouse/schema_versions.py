"""Versions of the tables as a whole: which program brought them into their form, and who is too old for it.

`ops.schema_versions` has a row for each form that the tables got. A program whose form stands there, but is
not the last one, is an older one: it would take back what newer ones did.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Final

import duckdb
from packaging.version import Version

from aimsciqa_resources.warehouse.errors import NewerTablesError
from aimsciqa_resources.warehouse.places import Tables

VERSIONS: Final = "ops.schema_versions"
_ALL: Final = f"select number, fingerprint, program, since from {VERSIONS} order by number"
_NEW: Final = f"insert into {VERSIONS} (number, fingerprint, program, since) values (?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Form:
    """What a column takes: values of a type, null or not, and of these only `values`, if there are any."""

    type: str
    null: bool
    values: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Declared:
    """A table as it is declared. `ddl` creates it when it is missing; "": not before its rows are written.

    `kept`: its rows cannot be made again, so no column of it is dropped.
    """

    ddl: str
    columns: Mapping[str, Form]
    kept: bool


@dataclass(frozen=True)
class Schema:
    """All tables as a program of some version declares them.

    `renamed` gives new names of columns by their old names, by table.
    """

    tables: Mapping[str, Declared]
    renamed: Mapping[str, Mapping[str, str]]
    program: str

    @cached_property
    def fingerprint(self) -> str:
        """Names, types and words of all columns, hashed."""
        told = {
            table: {
                name: (form.type, form.null, sorted(form.values)) for name, form in declared.columns.items()
            }
            for table, declared in self.tables.items()
        }
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class SchemaVersion:
    """A form that the tables got, by which program, and when."""

    number: int
    fingerprint: str
    program: str
    since: str


def must_not_be_newer(connection: duckdb.DuckDBPyConnection, schema: Schema, tables: Tables) -> bool:
    """Whether the tables were last brought into this form. Raises `NewerTablesError` for a later one."""
    versions = _versions_in(connection, tables)
    if not versions:
        return False
    *earlier, last = versions
    if last.fingerprint == schema.fingerprint:
        return True
    was_before = any(one.fingerprint == schema.fingerprint for one in earlier)
    if was_before or Version(last.program) > Version(schema.program):
        raise NewerTablesError(
            f"The tables have schema version {last.number}, by aimsciqa {last.program} since {last.since}. "
            f"This aimsciqa ({schema.program}) knows only an earlier one. Nothing was written.\nInstall that "
            "version here, or a newer one, and restart what runs. To go back, restore a backup of then into "
            "another place (docs/backups.md)."
        )
    return False


def note_version(connection: duckdb.DuckDBPyConnection, schema: Schema, tables: Tables) -> None:
    """Write down that the tables have this form now."""
    last = max((one.number for one in _versions_in(connection, tables)), default=0)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    version = SchemaVersion(last + 1, schema.fingerprint, schema.program, now)
    connection.execute(_NEW, astuple(version))


def _versions_in(connection: duckdb.DuckDBPyConnection, tables: Tables) -> list[SchemaVersion]:
    """All versions, the last one at the end; none in tables from before they were counted."""
    if not tables.has(connection, VERSIONS):
        return []
    return [SchemaVersion(*row) for row in connection.execute(_ALL).fetchall()]
