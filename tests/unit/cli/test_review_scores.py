"""`aimsciqa reviews scores` over small workbooks in the authors' shape."""

import pytest
from aimsciqa_resources.workbooks import read_workbook, write_workbook
from typer.testing import CliRunner

from aimsciqa_assets.cli.reviews import reviews_app
from aimsciqa_assets.cli.terminal import console
from aimsciqa_assets.metrics.bleurt import Bleurt, NoBleurtError

pytestmark = pytest.mark.slow  # NLTK and scipy take seconds to load.
QUESTIONS = ["id", "year", "venue", "rid", "pid", "decision", "que", "ans", "version"]


@pytest.fixture(autouse=True)
def _wide(monkeypatch):
    """The console reads its width when it is made, which may be before the test."""
    monkeypatch.setattr(console, "width", 200)
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def files(tmp_path):
    asked = [
        [1, 2022, "ICLR", "r1", "p", "Accept", "Which?", "A: red fish", "Initial"],
        [2, 2022, "ICLR", "r1", "p", "Accept", "What?", "A: blue sky", "Initial"],
        [3, 2022, "ICLR", "r2", "q", 1, "Why?", "A: green", "Revised"],
    ]
    write_workbook(tmp_path / "scidqa.xlsx", QUESTIONS, asked)
    given = [
        [3, "['green', 'no']", "green"],
        [1, "['red dogs', 'no']", "<|start_header_id|>assistant<|end_header_id|>\n\nred dogs"],
        [2, None, None],
    ]
    write_workbook(tmp_path / "m_ft.xlsx", ["id", "m_ans", "m_ans_single"], given)
    return tmp_path


def scores(*arguments):
    return CliRunner().invoke(reviews_app, ["scores", *map(str, arguments)])


def test_selected_answers_without_the_mark_and_the_missing_one_counted(files):
    found = scores(files / "scidqa.xlsx", files / "m_ft.xlsx", "--output", files / "out.xlsx")
    assert found.exit_code == 0, found.output
    first = next(line for line in found.output.splitlines() if "R-1" in line)
    assert first.split() == [
        *("m", "ft", "2", "1", "R-1", "75.00", "[50.00,", "100.00]"),
        *("75.00", "[50.00,", "100.00]", "75.00", "[50.00,", "100.00]"),
    ]
    header, *rows = read_workbook(files / "out.xlsx")
    assert header == [*QUESTIONS, "m_ans_r1", "m_ans_r2", "m_ans_rl"]
    assert [row[-3:] for row in rows] == [[50, 0, 50], [None, None, None], [100, 0, 100]]


def test_the_released_way(files):
    arguments = (files / "scidqa.xlsx", files / "m_ft.xlsx", "--output", files / "out.xlsx", "--released")
    assert scores(*arguments).exit_code == 0
    _, *rows = read_workbook(files / "out.xlsx")
    # Of three words of the list as text, one is in the gold answer; "nan" is in none.
    assert [row[-3] for row in rows] == [pytest.approx(100 / 3), 0, 50]
    assert scores(*arguments, "--selected").exit_code == 0
    _, *rows = read_workbook(files / "out.xlsx")
    # The tokens of the chat template count: nine words, of which "red" is right; "green" alone is right.
    assert rows[2][-3] == 100


def test_what_cannot_be_scored_is_told(files):
    twice = scores(
        files / "scidqa.xlsx", files / "m_ft.xlsx", files / "m_ft.xlsx", "--output", files / "out.xlsx"
    )
    assert twice.exit_code == 2
    assert "write one setting at a time" in twice.output
    found = scores(files / "m_ft.xlsx", files / "m_ft.xlsx")
    assert (found.exit_code, "m_ft.xlsx lacks the columns" in found.output) == (1, True)
    found = scores(files / "scidqa.xlsx", files / "m_ft.xlsx", "--bleurt", files)
    assert (found.exit_code, "it has no config.json" in found.output) == (1, True)
    (files / "config.json").write_text('{"model_type": "rembert"}')
    with pytest.raises(NoBleurtError, match="does not hold BLEURT"):
        Bleurt(files)
