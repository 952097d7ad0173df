"""The tables of a file go to a lake and back, and are compared by hashes."""

import subprocess
import sys
import time
from pathlib import Path

import duckdb
import polars as pl
import pytest
from aimsciqa_resources.warehouse import CopyError, Warehouse, Write

pytestmark = pytest.mark.slow
WORDS = (
    "create table if not exists s.words (batch varchar, kind varchar not null check (kind in ('a', 'it''s')))"
)
VECTORS = (
    "create table if not exists s.vectors (batch varchar not null, v float[3] not null, d double[], t text[])"
)
DECLARED = {"s.words": WORDS, "s.vectors": VECTORS}


def ddl_of(table: str, dimension: int | None) -> str | None:
    return DECLARED.get(table)


@pytest.fixture
def file(tmp_path) -> Warehouse:
    """A file with two declared tables, one that somebody made, and one without rows."""
    made = Warehouse(str(tmp_path / "from.duckdb"))
    words = pl.DataFrame({"batch": ["x", None, "x"], "kind": ["a", "it's", "a"]})
    vectors = pl.DataFrame(
        {
            "batch": ["x", "y"],
            "v": [[1.0, 0.1, -0.0], [2.0, 3.5, 1e-30]],
            "d": [[0.1], None],
            "t": [["ä"], []],
        },
        schema_overrides={"v": pl.Array(pl.Float32, 3), "t": pl.List(pl.String)},
    )
    made.replace([Write("s.words", WORDS, words, {}), Write("s.vectors", VECTORS, vectors, {})])
    with made.get_connection() as connection:
        connection.execute("create schema own; create table own.notes as select 7 as n, {'a': 1} as s")
        connection.execute("create table own.empty (n integer not null)")
    return made


def rows(warehouse: Warehouse) -> dict[str, list[tuple]]:
    tables = ("s.words", "s.vectors", "own.notes", "own.empty")
    return {table: warehouse.read(f"select * from {table} order by all").rows() for table in tables}


def test_a_copy_there_and_back_has_the_same_rows_types_and_checks(file, lake, tmp_path):
    there = list(file.copy_to(lake, ddl_of))
    back = Warehouse(str(tmp_path / "to" / "back.duckdb"))
    again = list(lake.copy_to(back, ddl_of))
    assert {one.table: one.digest for one in there} == {one.table: one.digest for one in again}
    assert [one.digest.rows for one in there] == [0, 1, 2, 3]
    assert all(one.new for one in [*there, *again])
    assert rows(lake) == rows(file) == rows(back)
    described = back.read('select column_name, column_type, "null" from (describe s.vectors)').rows()
    assert described == [
        ("batch", "VARCHAR", "NO"),
        ("v", "FLOAT[3]", "NO"),
        ("d", "DOUBLE[]", "YES"),
        ("t", "VARCHAR[]", "YES"),
    ]
    with back.get_connection() as connection, pytest.raises(duckdb.ConstraintException):
        connection.execute("insert into s.words values ('x', 'b')")


def test_a_second_copy_copies_nothing_and_other_rows_are_never_overwritten(file, lake):
    list(file.copy_to(lake, ddl_of))
    assert [one.new for one in file.copy_to(lake, ddl_of)] == [False] * 4
    with lake.get_connection() as connection:
        connection.execute("update own.notes set n = 8")
        connection.execute("delete from s.words")
    with pytest.raises(CopyError, match=r"own\.notes has 1 rows there .*nothing was copied"):
        list(file.copy_to(lake, ddl_of))
    assert lake.read("select count(*) from s.words").item() == 0


def test_rows_that_an_earlier_version_left_null_are_copied(file, lake, tmp_path):
    list(file.copy_to(lake, ddl_of))
    with lake.get_connection() as connection:
        connection.execute("alter table s.vectors alter column batch drop not null")
        connection.execute("update s.vectors set batch = null")
    back = Warehouse(str(tmp_path / "back.duckdb"))
    assert len(list(lake.copy_to(back, ddl_of))) == 4
    assert back.read("select batch from s.vectors").rows() == [(None,), (None,)]


COPYING = """
import sys
from aimsciqa_resources.warehouse import Warehouse
source, database, data, folder = sys.argv[1:]
for one in Warehouse(source).copy_to(Warehouse(database, data, folder), lambda *_: None):
    print(one.table, flush=True)
    sys.stdin.readline()
"""


def test_a_copy_that_was_killed_goes_on(file, lake):
    given = [file.database, lake.database, lake.data, lake.folder]
    process = subprocess.Popen(
        [sys.executable, "-c", COPYING, *given], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    told = [process.stdout.readline().strip()]
    for _ in range(2):
        process.stdin.write("\n")
        process.stdin.flush()
        told.append(process.stdout.readline().strip())
    process.kill()
    process.wait()
    assert told == ["own.empty", "own.notes", "s.vectors"]
    assert [(one.table, one.new) for one in file.copy_to(lake, ddl_of)] == [
        ("own.empty", False),
        ("own.notes", False),
        ("s.vectors", False),
        ("s.words", True),
    ]


def test_two_files_are_not_copied(file, tmp_path):
    with pytest.raises(CopyError, match="copy the file itself"):
        file.copy_to(Warehouse(str(tmp_path / "other.duckdb")), ddl_of)


def test_an_inspected_copy_has_vectors_of_their_length(file, lake, tmp_path):
    list(file.copy_to(lake, ddl_of))
    before = time.time()
    lake.publish(Path(tmp_path / "inspect.duckdb"))
    with duckdb.connect(str(tmp_path / "inspect.duckdb"), read_only=True) as reader:
        assert reader.execute("select typeof(v) from s.vectors limit 1").fetchall() == [("FLOAT[3]",)]
        assert reader.execute("select n from own.notes").fetchall() == [(7,)]
    assert lake.written_at() <= before + 1
