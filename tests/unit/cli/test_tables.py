"""Rows as the command line prints them: beside each other where they fit, and never cut."""

import polars as pl
import pytest
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
