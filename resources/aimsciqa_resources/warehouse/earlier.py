"""Tables of earlier versions: what is altered in them so that they take the rows of this one.

`schema_versions` refuses those of later versions.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

import duckdb

from aimsciqa_resources.warehouse.errors import EarlierTableError
from aimsciqa_resources.warehouse.places import Tables
from aimsciqa_resources.warehouse.schema_versions import (
    Declared,
    Form,
    Schema,
    must_not_be_newer,
    note_version,
)

_WORD = re.compile(r"'((?:[^']|'')*)'")
_VECTOR = "FLOAT[]"
_COLUMNS = """
    select schema_name || '.' || table_name, column_name, data_type, is_nullable
    from duckdb_columns()
    where database_name = current_database() and not internal
"""
_CHECKS = """
    select schema_name || '.' || table_name, constraint_column_names[1], constraint_text
    from duckdb_constraints()
    where database_name = current_database() and constraint_type = 'CHECK'
"""
_NOTED = """
    update ops.materializations
    set lacking = list_sort(list_distinct(list_concat(lacking, $lacking)))
    where table_name = $table
"""


def has_earlier(connection: duckdb.DuckDBPyConnection, schema: Schema, form: Tables) -> bool:
    """Whether a table is missing, or does not take all rows that its declaration allows.

    Raises `NewerTablesError` where the tables are those of a later version.
    """
    is_last = must_not_be_newer(connection, schema, form)
    held = _forms_in(connection)
    return not is_last or any(
        declared.ddl if name not in held else _alterations(name, held[name], declared)
        for name, declared in schema.tables.items()
    )


def bring_up_to(connection: duckdb.DuckDBPyConnection, schema: Schema, form: Tables) -> None:
    """Create and alter tables until they take all rows that their declarations allow.

    `form` is how the place of the warehouse declares tables. A new column is null in the rows that are there,
    even if it is declared otherwise. Where these rows can be made again, their records in
    `ops.materializations` name it. Raises `EarlierTableError` and `NewerTablesError`.
    """
    is_last = must_not_be_newer(connection, schema, form)
    held = _forms_in(connection)
    for table, names in schema.renamed.items():
        for old, new in names.items():
            if old in held.get(table, {}) and new not in held[table]:
                connection.execute(f'alter table {table} rename column "{old}" to "{new}"')
                held[table][new] = held[table].pop(old)
    for table, declared in schema.tables.items():
        if table in held:
            _alter(connection, table, _alterations(table, held[table], declared))
        elif declared.ddl:
            form.create(connection, table, declared.ddl)
    for table, declared in schema.tables.items():
        lacking = _lacking(held.get(table, declared.columns), declared.columns)
        if lacking and not declared.kept:
            connection.execute(_NOTED, {"table": table, "lacking": lacking})
    if not is_last:
        note_version(connection, schema, form)


def _alter(connection: duckdb.DuckDBPyConnection, table: str, statements: Iterable[str]) -> None:
    try:
        for statement in statements:
            connection.execute(statement)
    except duckdb.ConversionException as error:
        raise EarlierTableError(
            f"{table} of an earlier version holds values that this one cannot take over: {error}\nNothing "
            "was altered. Go on with that version, or name another folder in AIMSCIQA_HOME and ingest your "
            "papers there."
        ) from None


def _forms_in(connection: duckdb.DuckDBPyConnection) -> dict[str, dict[str, Form]]:
    """The columns of every table of the database in use, by table and name."""
    allowed = {
        (table, column): frozenset(word.replace("''", "'") for word in _WORD.findall(check))
        for table, column, check in connection.execute(_CHECKS).fetchall()
    }
    found: dict[str, dict[str, Form]] = {}
    for table, column, kind, null in connection.execute(_COLUMNS).fetchall():
        form = Form(kind, null, allowed.get((table, column), frozenset()))
        found.setdefault(table, {})[column] = form
    return found


def _lacking(held: Mapping[str, Form], declared: Mapping[str, Form]) -> list[str]:
    """The columns whose declared values are not in the rows that are there."""
    return [name for name, form in declared.items() if name not in held or _is_retyped(held[name], form)]


def _alterations(table: str, held: Mapping[str, Form], declared: Declared) -> list[str]:
    """The statements that a table needs."""
    statements = []
    for name in held.keys() - declared.columns.keys():
        if not declared.kept:
            statements.append(f'alter table {table} drop column "{name}"')
        elif not held[name].null:
            statements.append(f'alter table {table} alter column "{name}" drop not null')
    for name, form in declared.columns.items():
        if name not in held:
            statements.append(f'alter table {table} add column "{name}" {form.type}')
        elif _is_retyped(held[name], form) or _refuses_a_word(held[name], form):
            statements += _anew(table, name, form.type, "cast" if declared.kept else "try_cast")
        elif form.null and not held[name].null:
            statements.append(f'alter table {table} alter column "{name}" drop not null')
    return statements


def _anew(table: str, name: str, kind: str, cast: str) -> Iterator[str]:
    """A column in the place of an old one, with its values: no column that has a check can be altered."""
    yield f'alter table {table} add column "{name} anew" {kind}'
    yield f'update {table} set "{name} anew" = {cast}("{name}" as {kind})'
    yield f'alter table {table} drop column "{name}"'
    yield f'alter table {table} rename column "{name} anew" to "{name}"'


def _is_retyped(held: Form, declared: Form) -> bool:
    if declared.type == _VECTOR:
        return not held.type.startswith("FLOAT[")  # how long they are is the encoder's business
    return held.type != declared.type


def _refuses_a_word(held: Form, declared: Form) -> bool:
    return bool(held.values) and not (declared.values and declared.values <= held.values)
