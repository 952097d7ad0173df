"""Queries: their results as frames, and the tables that they read."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import duckdb
import polars as pl
from duckdb.sqltypes import DuckDBPyType

from aimsciqa_resources.warehouse.errors import QueryError, told

_NESTED: Final = {"list", "array", "map", "struct"}
_PLAIN: Final = {
    *("boolean", "tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger", "ubigint"),
    *("float", "double", "decimal", "blob"),
}
"""The types of which a frame holds every value."""


def result_of(
    connection: duckdb.DuckDBPyConnection, query: str, parameters: Mapping[str, Any]
) -> pl.DataFrame:
    """The result of a query as a frame; raises `QueryError`."""
    with saying_what_is_wrong():
        frame: pl.DataFrame = connection.sql(query, params=dict(parameters)).pl()
    return frame


def shown_result_of(connection: duckdb.DuckDBPyConnection, query: str) -> pl.DataFrame:
    """Return the result of a query that a person wrote; raise `QueryError`.

    A frame does not hold every value of DuckDB, such as an infinite date. Those types come as DuckDB's text.
    """
    with saying_what_is_wrong():
        relation = connection.sql(query)
        kinds = relation.types
        if any(_held(kind) != str(kind) for kind in kinds):
            places = enumerate(zip(kinds, relation.columns, strict=True), 1)
            columns = [f"#{place}::{_held(kind)} as {_name(name)}" for place, (kind, name) in places]
            relation = relation.project(", ".join(columns))
        frame: pl.DataFrame = relation.pl()
    # These are numbers to readers of JSON, and to a table, which shows them at the right.
    huge = [name for name, kind in zip(frame.columns, kinds, strict=True) if kind.id == "hugeint"]
    return frame.cast(dict.fromkeys(huge, pl.Int128))


def _held(kind: DuckDBPyType) -> str:
    """Return the type that a frame holds in place of a type, whatever the values are."""
    parts: dict[str, Any] = dict(kind.children) if kind.id in _NESTED else {}
    match kind.id:
        case "list":
            return f"{_held(parts['child'])}[]"
        case "array":
            return f"{_held(parts['child'])}[{parts['size']}]"
        case "map":
            return f"MAP({_held(parts['key'])}, {_held(parts['value'])})"
        case "struct":
            return f"STRUCT({', '.join(f'{_name(name)} {_held(part)}' for name, part in parts.items())})"
    return str(kind) if kind.id in _PLAIN else "VARCHAR"


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def saying_what_is_wrong() -> Iterator[None]:
    """Raise the error of ours where a query fails, or its result cannot be a frame."""
    try:
        yield
    except duckdb.Error as error:
        raise told(error) from error
    except pl.exceptions.PolarsError as error:
        raise QueryError(f"A column has a type that cannot be shown; cast it to text. {error}") from error


def tables_in(query: str) -> list[str]:
    """The tables that a query reads, as `schema.table`, sorted; they need not exist."""
    with _parser().cursor() as connection:
        plain = re.sub(r"\$\w+", "null", query)
        names = connection.get_table_names(plain, qualified=True)
    return sorted({name.split(" AS ")[0].replace('"', "") for name in names if "." in name})


@cache
def _parser() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()
