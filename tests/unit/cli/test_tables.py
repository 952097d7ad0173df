"""Rows as the command line prints them: beside each other where they fit, and never cut."""

import csv
import json

import duckdb
import polars as pl
import pytest
from aimsciqa_resources.warehouse.queries import shown_result_of
from rich.console import Console

from aimsciqa_assets.cli.printed_rows import print_rows

COUNTS = {
    name: [20_281_000 + number] for number, name in enumerate(("files", "papers", "pairs", "relations"))
}
BATCH = {"batch": ["batch-0001"]} | COUNTS


def printed(rows: dict[str, list], width: int = 80) -> str:
    console = Console(record=True, width=width)
    print_rows(pl.DataFrame(rows), "table", console)
    output = console.export_text()
    assert max(map(len, output.splitlines())) <= width
    assert "…" not in output
    return output


def test_rows_that_fit_stand_in_columns():
    header, row, count = printed(BATCH | {"state": ["ingested"]}).splitlines()
    assert header.split() == ["batch", "files", "papers", "pairs", "relations", "state"]
    assert row.split() == ["batch-0001", "20,281,000", "20,281,001", "20,281,002", "20,281,003", "ingested"]
    assert count == "1 row"


@pytest.mark.parametrize("width", range(60, 81))
def test_numbers_and_short_texts_are_whole_at_any_width(width):
    output = printed(BATCH | {"state": ["questions asked"]}, width)
    assert "20,281,000" in output
    assert "questions asked" in output
    # 10 + 4 * 10 + 15 characters in six columns, and two between any two.
    assert ("batch       " in output.splitlines()[0]) == (width >= 75)


def test_long_texts_are_wrapped_in_their_column():
    output = printed({"table": ["relations.candidate_relations"], "one row": ["an item of two papers " * 5]})
    assert output.count("an item") >= 4
    assert output.splitlines()[1].startswith("relations.candidate_relations  an item of two papers")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("'infinity'::date", "infinity"),
        ("'-infinity'::timestamp", "-infinity"),
        ("'infinity'::timestamptz", "infinity"),
        ("'infinity'::timestamp_s", "infinity"),
        ("date '2020-02-03'", "2020-02-03"),
        ("'10000-01-01'::date", "10000-01-01"),
        ("'0044-03-15 (BC)'::date", "0044-03-15 (BC)"),
        ("timestamp '2020-01-01 00:00:00.5'", "2020-01-01 00:00:00.5"),
        ("'24:00:00'::time", "24:00:00"),
        ("'10:00:00+02'::timetz", "10:00:00+02"),
        ("interval 14 month", "1 year 2 months"),
        ("'101'::bit", "101"),
        ("'\\xAA'::blob", "aa"),
        ("'a'::enum('b', 'a')", "a"),
        ("340282366920938463463374607431768211455::uhugeint", "340282366920938463463374607431768211455"),
        ("170141183460469231731687303715884105727::hugeint", 170141183460469231731687303715884105727),
        ("sum(3)", 3),
        ("1.50::decimal(38, 2)", "1.50"),
        ("union_value(n := 1)", "1"),
        ("row(1, 'a')", "(1, a)"),
        ("null", None),
        ("'nan'::double", None),
        ("['infinity'::date, null]", ["infinity", None]),
        ("[date '2020-02-03']::date[1]", ["2020-02-03"]),
        ("{'a b': {'c': 'infinity'::timestamp}, 'n': 1}", {"a b": {"c": "infinity"}, "n": 1}),
        ("map {date '2020-02-03': interval 1 day}", {"2020-02-03": "1 day"}),
        ("[union_value(n := 'x')]", ["x"]),
        ("'{\"a\": 1}'::json", '{"a": 1}'),
    ],
)
def test_a_value_of_every_type_is_printed(capsys, value, shown):
    with duckdb.connect() as connection:
        rows = shown_result_of(connection, f'select {value} as "a ""d""", 1 as n, 2 as n')
    print_rows(rows, "json", Console())
    assert json.loads(capsys.readouterr().out) == [{'a "d"': shown, "n": 1, "n_1": 2}]
    print_rows(rows, "csv", Console())
    assert len(list(csv.reader(capsys.readouterr().out.splitlines()))) == 2
    print_rows(rows, "table", Console(width=200))
    assert "1 row" in capsys.readouterr().out
