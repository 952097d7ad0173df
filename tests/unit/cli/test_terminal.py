"""Foreign text reaches the terminal as text."""

import csv
import io
import json

import polars as pl
import pytest
import typer
from rich.text import Text

from aimsciqa_assets.cli.printed_rows import print_rows
from aimsciqa_assets.cli.terminal import Terminal, tell_not_taken

HOSTILE = "a\x1b[2Jb\x9b31mc\u202ed\x07"
SHOWN = r"a\x1b[2Jb\x9b31mc\u202ed"


def printed(*things: object, **options: object) -> str:
    file = io.StringIO()
    Terminal(file=file, width=200).print(*things, **options)
    return file.getvalue()


@pytest.mark.parametrize("thing", [HOSTILE, Text(HOSTILE)])
def test_control_characters_are_shown(thing):
    assert SHOWN in printed(thing, markup=False)
    assert not {"\x1b", "\x9b", "\u202e"} & set(printed(thing, markup=False))


def test_the_terminals_own_colours_and_line_breaks_stay():
    file = io.StringIO()
    Terminal(file=file, force_terminal=True, color_system="standard").print("[red]one[/red]\ntwo")
    assert file.getvalue() == "\x1b[31mone\x1b[0m\ntwo\n"


@pytest.mark.parametrize("format", ["json", "table"])
def test_rows_of_a_query_carry_no_control_characters(format, capsys):
    print_rows(pl.DataFrame({"title": [HOSTILE]}), format, Terminal(width=200))
    assert not {"\x1b", "\x9b", "\u202e"} & set(capsys.readouterr().out)


def test_json_has_every_character_as_it_was(capsys):
    print_rows(pl.DataFrame({"title": [HOSTILE]}), "json", Terminal())
    assert json.loads(capsys.readouterr().out) == [{"title": HOSTILE}]


def test_csv_holds_no_formula(capsys):
    rows = pl.DataFrame(
        {"=title": ["=1+1", "@x", "plain", None], "n": [-1, 2, 3, 4], "l": [["=1"], [], [], []]}
    )
    print_rows(rows, "csv", Terminal())
    assert list(csv.reader(io.StringIO(capsys.readouterr().out))) == [
        ["'=title", "n", "l"],
        ["'=1+1", "-1", '["=1"]'],
        ["'@x", "2", "[]"],
        ["plain", "3", "[]"],
        ["", "4", "[]"],
    ]


def test_the_first_lines_that_were_not_taken_are_named_as_they_are_and_the_command_fails(capsys):
    problems = [f"line {n}: [red]odd[/red]" for n in range(1, 31)]
    with pytest.raises(typer.Exit) as ended:
        tell_not_taken(problems, 1234, "lines; the others were taken.")
    assert ended.value.exit_code == 1
    *named, last = capsys.readouterr().err.splitlines()
    assert named == [f"not taken line {n}: [red]odd[/red]" for n in range(1, 21)]
    assert last == "1,234 lines; the others were taken."


def test_a_file_that_was_taken_whole_ends_well(capsys):
    tell_not_taken([], 0, "lines; the others were taken.")
    assert capsys.readouterr().err == ""
