"""Tables that an earlier version made are altered until they take the rows of this one."""

from collections.abc import Callable
from dataclasses import replace

import duckdb
import polars as pl
import pytest
from aimsciqa_resources.warehouse import (
    Declared,
    EarlierTableError,
    Form,
    NewerTablesError,
    Schema,
    Warehouse,
    Write,
    database,
)
from aimsciqa_resources.warehouse.schema_versions import VERSIONS

from aimsciqa_assets.platform.writing import schema

RECORDS = "create table ops.materializations (table_name varchar, part varchar, lacking varchar[])"
TEXT = Form("VARCHAR", null=False)


@pytest.fixture
def warehouse(tmp_path) -> Warehouse:
    return prepared(Warehouse(str(tmp_path / "w.duckdb")))


def prepared(made: Warehouse) -> Warehouse:
    """The warehouse with two schemas and the records of three parts."""
    with made.get_connection() as connection:
        connection.execute("create schema s; create schema ops")
        connection.execute(RECORDS)
        connection.execute("insert into ops.materializations values ('s.t', 'a', null), ('s.t', 'b', null)")
        connection.execute("insert into ops.materializations values ('s.u', 'a', null)")
    return made


def earlier(warehouse: Warehouse, columns: str, *rows: str) -> None:
    with warehouse.get_connection() as connection:
        connection.execute(f"create table s.t ({columns})")
        for row in rows:
            connection.execute(f"insert into s.t values ({row})")


def declared(*, kept: bool = False, program: str = "1.0", **columns: Form) -> Schema:
    lines = ", ".join(f'"{name}" {form.type}' for name, form in columns.items())
    table = Declared(f"create table if not exists s.t ({lines})", columns, kept)
    return Schema({"s.t": table, VERSIONS: schema().tables[VERSIONS]}, {}, program)


def held(warehouse: Warehouse) -> list[dict]:
    """Its rows; a lake keeps them in no order."""
    return warehouse.read("select * from s.t order by all").to_dicts()


def lacking(warehouse: Warehouse) -> list[tuple]:
    return warehouse.read("select * from ops.materializations order by all").rows()


def test_a_new_column_is_null_and_the_records_of_all_parts_name_it(warehouse):
    earlier(warehouse, "a varchar not null", "'one'")
    tables = declared(a=TEXT, size=Form("BIGINT", null=False), note=Form("VARCHAR", null=True))
    assert not warehouse.is_as_declared(tables)
    warehouse.create(tables)
    assert held(warehouse) == [{"a": "one", "size": None, "note": None}]
    assert lacking(warehouse) == [
        ("s.t", "a", ["note", "size"]),
        ("s.t", "b", ["note", "size"]),
        ("s.u", "a", None),
    ]
    assert warehouse.is_as_declared(tables)


def test_a_second_upgrade_adds_to_what_the_rows_lack(warehouse):
    earlier(warehouse, "a varchar", "'one'")
    warehouse.create(declared(a=TEXT, size=TEXT))
    warehouse.create(declared(a=TEXT, size=TEXT, b=TEXT))
    assert lacking(warehouse)[0] == ("s.t", "a", ["b", "size"])


def test_a_table_as_it_is_declared_stays_as_it_is(warehouse):
    earlier(warehouse, "a varchar not null check (a in ('x', 'it''s')), v float[3]", "'x', [1, 2, 3]")
    words = Form("VARCHAR", null=False, values=frozenset({"x", "it's"}))
    tables = declared(a=words, v=Form("FLOAT[]", null=False))
    warehouse.create(tables)
    assert warehouse.is_as_declared(tables)
    assert [row[2] for row in lacking(warehouse)] == [None, None, None]
    with warehouse.get_connection() as connection, pytest.raises(duckdb.ConstraintException):
        connection.execute("insert into s.t values ('y', null)")


def test_what_may_be_null_now_and_new_words_are_taken_and_the_rows_stay_current(warehouse):
    earlier(warehouse, "a varchar not null, w varchar not null check (w in ('x'))", "'one', 'x'")
    words = Form("VARCHAR", null=False, values=frozenset({"x", "y"}))
    warehouse.create(declared(a=Form("VARCHAR", null=True), w=words))
    with warehouse.get_connection() as connection:
        connection.execute("insert into s.t (a, w) values (null, 'y')")
    assert held(warehouse) == [{"a": "one", "w": "x"}, {"a": None, "w": "y"}]
    assert [row[2] for row in lacking(warehouse)] == [None, None, None]


def test_a_column_of_another_type_keeps_the_values_that_fit(warehouse):
    earlier(warehouse, "a varchar not null", "'7'", "'seven'")
    warehouse.create(declared(a=Form("BIGINT", null=False)))
    assert held(warehouse) == [{"a": 7}, {"a": None}]
    assert lacking(warehouse)[0] == ("s.t", "a", ["a"])


def test_a_column_that_is_declared_no_more_goes_or_is_kept_where_it_cannot_be_made_again(warehouse):
    earlier(warehouse, "a varchar, old varchar not null", "'one', 'two'")
    warehouse.create(declared(kept=True, a=TEXT))
    with warehouse.get_connection() as connection:
        connection.execute("insert into s.t (a) values ('three')")
    assert held(warehouse) == [{"a": "one", "old": "two"}, {"a": "three", "old": None}]
    warehouse.create(declared(a=TEXT))
    assert held(warehouse) == [{"a": "one"}, {"a": "three"}]


def test_rows_that_cannot_be_made_again_are_never_due(warehouse):
    earlier(warehouse, "a varchar", "'one'")
    warehouse.create(declared(kept=True, a=TEXT, b=TEXT))
    assert held(warehouse) == [{"a": "one", "b": None}]
    assert [row[2] for row in lacking(warehouse)] == [None, None, None]


def test_a_value_that_cannot_be_made_again_is_not_lost_and_nothing_is_altered(warehouse):
    earlier(warehouse, "a varchar, old varchar", "'seven', 'two'")
    with pytest.raises(EarlierTableError, match=r"(?s)s\.t of an earlier version .*Nothing\s+was altered"):
        warehouse.create(declared(kept=True, new=TEXT, a=Form("BIGINT", null=False)))
    assert held(warehouse) == [{"a": "seven", "old": "two"}]


def test_a_column_with_another_name_keeps_its_values(warehouse):
    earlier(warehouse, "batch varchar not null", "'one'")
    warehouse.create(replace(declared(part=TEXT), renamed={"s.t": {"batch": "part"}}))
    assert held(warehouse) == [{"part": "one"}]
    assert [row[2] for row in lacking(warehouse)] == [None, None, None]


def test_a_missing_table_is_made_but_for_one_that_waits_for_its_rows(warehouse):
    tables = declared(a=TEXT)
    later = tables.tables | {"s.t": replace(tables.tables["s.t"], ddl="")}
    warehouse.create(replace(tables, tables=later))
    assert warehouse.read("select 1 from duckdb_tables() where table_name = 't'").is_empty()
    assert not warehouse.is_as_declared(tables)
    warehouse.create(tables)
    assert held(warehouse) == []


OLD, NEW = declared(a=TEXT), declared(a=TEXT, b=TEXT)


def versions(warehouse: Warehouse) -> list[tuple]:
    return warehouse.read(f"select number, fingerprint, program from {VERSIONS} order by number").rows()


def row(**values: str) -> Write:
    return Write("s.t", OLD.tables["s.t"].ddl, pl.DataFrame([values]), {}, by=("a",))


def test_every_form_of_the_tables_is_counted_once(warehouse):
    for one in (OLD, OLD, NEW, NEW):
        warehouse.create(one)
    assert versions(warehouse) == [(1, OLD.fingerprint, "1.0"), (2, NEW.fingerprint, "1.0")]
    assert OLD.fingerprint != NEW.fingerprint


def test_tables_from_before_they_were_counted_are_of_the_first_form(warehouse):
    earlier(warehouse, "a varchar", "'one'")
    assert not warehouse.is_as_declared(OLD)
    warehouse.adopt(OLD)
    assert versions(warehouse) == [(1, OLD.fingerprint, "1.0")]


@pytest.mark.parametrize("seen", [True, False])
def test_an_older_program_is_told_and_alters_nothing(warehouse, seen):
    # One that has been here is known by its form, any other by its version.
    if seen:
        warehouse.create(OLD)
    warehouse.create(NEW if seen else replace(NEW, program="1.0.1"))
    earlier_row = replace(row(a="one", b="two"), ddl=NEW.tables["s.t"].ddl)
    warehouse.replace([earlier_row])
    before = versions(warehouse)
    for use in (warehouse.adopt, warehouse.create, warehouse.is_as_declared):
        with pytest.raises(NewerTablesError, match=r"version \d, by aimsciqa 1\..* Nothing was written\."):
            use(OLD)
    assert held(warehouse) == [{"a": "one", "b": "two"}]
    assert versions(warehouse) == before


def test_a_program_that_was_there_before_the_upgrade_writes_no_more(warehouse):
    warehouse.create(OLD)
    warehouse.replace([row(a="one")])
    other_process(warehouse, lambda other: other.create(NEW))
    for use in (lambda: warehouse.replace([row(a="two")]), lambda: warehouse.drop(["s.t"])):
        with pytest.raises(NewerTablesError, match="restart what runs"):
            use()
    assert held(warehouse) == [{"a": "one", "b": None}]


def test_a_wider_set_of_words_is_another_form(warehouse):
    few, more = (Form("VARCHAR", null=False, values=frozenset(words)) for words in ("x", "xy"))
    warehouse.create(declared(w=few))
    warehouse.create(declared(w=more))
    with warehouse.get_connection() as connection:
        connection.execute("insert into s.t values ('y')")
    with pytest.raises(NewerTablesError):
        warehouse.create(declared(w=few))


def other_process(warehouse: Warehouse, use: Callable[[Warehouse], None]) -> None:
    """Do something that this process does not remember."""
    remembered = database._adopted.copy()
    use(warehouse)
    database._adopted.clear()
    database._adopted.update(remembered)
