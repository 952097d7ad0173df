"""`aimsciqa airqa scores` and `export` over a home whose rows are made by hand."""

import json

import pytest
from aimsciqa_resources.warehouse import Warehouse
from typer.testing import CliRunner

from aimsciqa_assets.airqa.results.scores import comparison_rows, score_rows
from aimsciqa_assets.cli.airqa import airqa_app
from aimsciqa_assets.platform.home import Home
from tests.airqa_runs import answer_row, run_row, write_rows
from tests.unit.airqa.results.test_scores import TAGS, verdicts


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    warehouse = Warehouse(str(Home(tmp_path / "home").database))
    write_rows(warehouse, runs=[])

    def invoke(*arguments):
        return CliRunner().invoke(airqa_app, arguments, env={"COLUMNS": "200"})

    invoke.warehouse = warehouse
    return invoke


def fill(warehouse):
    failed = {"reason": "no_answer"}
    given = verdicts(
        *(("good", n, one, 1) for one in "ab" for n in (1, 2)),
        *(("bad", 1, one, 0, failed if one == "b" else {"judge": "j", "stand_in": True}) for one in "ab"),
    )
    drawn = {"resamples": 100, "seed": 1}
    write_rows(
        warehouse,
        runs=[run_row("good"), run_row("good", 2), run_row("bad")],
        answers=[answer_row("good", "a", 4)],
        scores=list(score_rows(given, TAGS, **drawn)),
        comparisons=list(comparison_rows(given, TAGS, **drawn)),
    )


def table(text):
    return [line.split() for line in text.splitlines()]


def test_scores_of_all_runs_the_best_first(run):
    fill(run.warehouse)
    result = run("scores")
    assert result.exit_code == 0
    lines = table(result.output)
    good = "good 4 of 4 100.0% 100.0% to 100.0% 100.0% (k = 2) 2.0 100 0.2500"
    assert lines[1] == good.split()
    assert lines[2][:5] == ["bad", "0", "of", "2", "0.0%"]
    assert "which are no measurement: 1." in result.output
    assert "Answers that were not given, and count as wrong: 1" in result.output
    assert lines[-1][:4] == ["bad", "-", "good", "-100.0%"]
    assert ["table"] in table(run("scores", "--tags").output)
    told = json.loads(run("scores", "--json").output)
    assert {row["tag"] for row in told["scores"]} >= {"total", "table"}
    assert told["comparisons"][0]["difference"] == -1.0


def test_export_wants_an_empty_folder(run, tmp_path):
    fill(run.warehouse)
    result = run("export", str(tmp_path / "out"))
    assert result.exit_code == 0
    assert (tmp_path / "out" / "good" / "1" / "result.jsonl").read_text() == '{"uuid": "a", "answer": 4}\n'
    assert run("export", str(tmp_path / "out")).exit_code == 2


def test_without_a_run_the_commands_say_what_to_do(run, tmp_path):
    for arguments in (("scores",), ("export", str(tmp_path / "out"))):
        result = run(*arguments)
        assert result.exit_code == 1
        assert "aimsciqa airqa run --baseline NAME" in result.stderr
