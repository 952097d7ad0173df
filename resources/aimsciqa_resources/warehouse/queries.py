"""Queries: their results as frames, and the tables that they read."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

import duckdb
import polars as pl

from aimsciqa_resources.warehouse.errors import QueryError, told


def result_of(
    connection: duckdb.DuckDBPyConnection, query: str, parameters: Mapping[str, Any]
) -> pl.DataFrame:
    """The result of a query as a frame; raises `QueryError`."""
    with saying_what_is_wrong():
        frame: pl.DataFrame = connection.sql(query, params=dict(parameters)).pl()
    return frame


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
