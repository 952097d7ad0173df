import re
from pathlib import Path

import duckdb
import pytest

from aimsciqa_assets.tables import BOOKKEEPING, EMBEDDING_TYPE, MATERIALIZATIONS, TABLES


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as connection:
        for table in TABLES.values():
            connection.execute(f"create schema if not exists {table.schema}")
            connection.execute(table.ddl(384))
        yield connection


@pytest.mark.parametrize("name", TABLES)
def test_a_declared_table_can_be_created_and_read_without_quotes(connection, name):
    columns = ", ".join(column.name for column in TABLES[name].columns)
    connection.execute(f"select {columns} from {name}")
    types = dict(connection.execute(f"select column_name, column_type from (describe {name})").fetchall())
    for column in TABLES[name].columns:
        expected = "FLOAT[384]" if column.type == EMBEDDING_TYPE else column.type
        assert types[column.name] == expected


@pytest.mark.parametrize("name", TABLES)
def test_the_key_consists_of_columns_that_are_never_empty(name):
    columns = {column.name: column for column in TABLES[name].columns}
    assert TABLES[name].key
    assert not [key for key in TABLES[name].key if columns[key].null]
    unbatched = {MATERIALIZATIONS.name, "corpus.input_files", "extractor.examples"}
    assert TABLES[name].batched == ("batch" in columns and name not in unbatched)


def test_values_outside_the_list_are_refused(connection):
    with pytest.raises(duckdb.ConstraintException):
        connection.execute("insert into multi_hop.splits values ('i', 'im', 'p', 'train')")


def test_fixed_names_that_scripts_rely_on():
    def values(table, column):
        return next(c.values for c in TABLES[table].columns if c.name == column)

    assert values("single_hop.qa_pairs", "status") == ("kept", "rejected")
    assert values("multi_hop.items", "status") == ("accepted", "pre_rejected", "rejected", "invalid")
    assert values("multi_hop.items", "variant") == ("im", "cim")


def test_every_table_has_an_asset():
    from aimsciqa_assets.definitions import build_definitions

    graph = build_definitions().resolve_asset_graph()
    keys = {key.to_user_string().replace("/", ".") for key in graph.get_all_asset_keys()}
    assert keys == set(TABLES) - BOOKKEEPING


def test_the_page_of_tables_has_every_table():
    page = (Path(__file__).parents[3] / "docs" / "tables.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| (.+?) \|", page, flags=re.MULTILINE)
    assert {f"{schema}.{table}" for schema, names in rows for table in re.findall(r"`(\w+)`", names)} == {
        *TABLES
    }
