"""Which functions and tables a SELECT may name.

A SELECT can call functions that read files, take pointers (`arrow_scan`), run SQL that stands in a string
(`query`), switch logging on, or tell the paths and settings of this machine. Other walls stop most of what
they do; this one stops them all. DuckDB's own parser gives the tree in which names are looked for.
"""

import json
import re
from typing import Any

import duckdb

from aimsciqa_resources.untrusted_sql.statements import ForbiddenStatementError, explained_text

_TABLE_FUNCTIONS = frozenset(
    (
        "duckdb_columns duckdb_constraints duckdb_functions duckdb_indexes duckdb_keywords duckdb_schemas "
        "duckdb_tables duckdb_types duckdb_views generate_series json_each json_tree pragma_show "
        "pragma_storage_info pragma_table_info pragma_version range repeat repeat_row summary unnest"
    ).split()
)
"""The functions that may stand where a table does: those that make rows, and those that describe tables."""

_SCALAR_FUNCTIONS = frozenset(
    {"current_setting", "getenv", "json_serialize_plan", "pg_sleep", "sleep_ms", "write_log"}
)
"""The functions that may not stand in an expression."""

_TABLES = frozenset({"pg_settings"})
_CATALOGUE = ("duckdb_", "pragma_")
"""Tables whose names begin so tell about DuckDB itself, and obey the rule of the functions of that name."""


def must_name_only_known(
    connection: duckdb.DuckDBPyConnection,
    statement: duckdb.Statement,
    *,
    analyze: bool = False,
    hidden: str = "",
) -> None:
    """Raises `ForbiddenStatementError` for a statement that names a forbidden function or table.

    `analyze`: it may be an EXPLAIN ANALYZE. `hidden`: it may name no file, and no schema that begins so.
    """
    text = explained_text(statement, analyze=analyze) or statement.query
    ((told,),) = connection.execute("select json_serialize_sql($1::varchar)", [text]).fetchall()
    tree = json.loads(told)
    if tree.get("error", True):
        raise ForbiddenStatementError("Only a plain SELECT may run here.")
    _walk(tree["statements"], hidden)


def _walk(tree: Any, hidden: str) -> None:
    # A stack of its own: the tree may be deeper than Python recurses.
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            _look_at(node)
            if hidden:
                _look_behind(node, hidden)
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)


def _look_at(node: dict[str, Any]) -> None:
    if node.get("type") == "TABLE_FUNCTION":
        function = node.get("function") or {}
        name = str(function.get("function_name", "")).lower()
        if name not in _TABLE_FUNCTIONS:
            raise ForbiddenStatementError(f"The function {name!r} may not be read from here.")
    elif str(node.get("function_name", "")).lower() in _SCALAR_FUNCTIONS:
        raise ForbiddenStatementError(f"The function {node['function_name']!r} may not be used here.")
    name = str(node.get("table_name", "")).lower()
    if name in _TABLES or (name.startswith(_CATALOGUE) and name not in _TABLE_FUNCTIONS):
        raise ForbiddenStatementError(f"The table {name!r} may not be read here.")


def _look_behind(node: dict[str, Any], hidden: str) -> None:
    """Raise `ForbiddenStatementError` for a name that leads behind the tables: to a file or a catalogue."""
    for place in ("catalog_name", "schema_name", "catalog", "schema"):
        if (name := str(node.get(place, ""))).lower().startswith(hidden):
            raise ForbiddenStatementError(f"{name!r} may not be read here.")
    table = str(node.get("table_name", ""))
    if node.get("type") == "BASE_TABLE" and re.search(r"[./]", table):
        raise ForbiddenStatementError(f"{table!r} is a file: only tables may be read here.")
