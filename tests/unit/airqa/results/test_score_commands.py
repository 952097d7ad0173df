"""`aimsciqa airqa scores` and `export` over a home whose rows are made by hand."""

import json

import pytest
from aimsciqa_resources.warehouse import Warehouse
from typer.testing import CliRunner

from aimsciqa_assets.airqa.results.scores import comparison_rows, score_rows
from aimsciqa_assets.cli.airqa import airqa_app
from aimsciqa_assets.cli.terminal import console
from aimsciqa_assets.platform.home import Home
from tests.airqa_runs import answer_row, run_row, write_rows
from tests.unit.airqa.results.test_scores import TAGS, verdicts

pytestmark = pytest.mark.slow


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    warehouse = Warehouse(str(Home(tmp_path / "home").database))
    write_rows(warehouse, runs=[])
    monkeypatch.setattr(console, "_width", 200)  # a worker of the tests has a width of its own

    def invoke(*arguments):
        return CliRunner().invoke(airqa_app, arguments)

    invoke.warehouse = warehouse
    return invoke


def fill(warehouse):
    failed = {"reason": "no_answer"}
    given = verdicts(
        *(("good", n, one, 1) for one in "ab" for n in (1, 2)),
        *(("bad", 1, one, 0, failed if one == "b" else {"judge": "j", "stand_in": True}) for one in "ab"),
    )
    drawn = {"clusters": {}, "resamples": 100, "seed": 1}
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
    refused = {"judge": "m-2", "stand_in": False, "reason": "same_family", "detail": None, "score": None}
    rows = [{"run_id": "good", "repeat": n, "example_id": "c", **refused} for n in (1, 2)]
    write_rows(run.warehouse, verdicts=rows)
    result = run("scores")
    assert result.exit_code == 0
    assert "not counted, as the judge is of their model's family: 2." in result.output
    lines = table(result.output)
    assert lines[:3] == [
        "run n correct judged score 95 % pass^k".split(),
        "1 agentic_rag m-1 good 2 4 of 4 - 100.0% 34.2% to 100.0% 100.0% (k=2)".split(),
        "2 agentic_rag m-1 bad - 0 of 2 1* 0.0% 0.0% to 65.8% -".split(),
    ]
    assert "1 2.0 100 1.5 0.2500 0.0%".split() in lines
    assert "* 1 verdicts are those of a stand-in that counts shared words" in result.output
    assert "Answers that were not given, and count as wrong: 1" in result.output
    # Numbers instead of names, which would be cut.
    assert lines[-1] == "2 - 1 2 0 2 -100.0% - 0.500".split()
    assert ["table"] in table(run("scores", "--tags").output)
    told = json.loads(run("scores", "--json").output)
    assert {row["tag"] for row in told["scores"]} >= {"total", "table"}
    assert told["comparisons"][0]["difference"] == -1.0


LONG = {"baseline": "agentic_text2sql", "model": "Qwen/Qwen2.5-32B-Instruct@http://host:8000/v1"}


def test_long_names_of_runs_fit_into_80_columns_with_all_figures(run, monkeypatch):
    monkeypatch.setattr(console, "_width", 80)
    runs = [f"agentic_text2sql-{n}0123456789a" for n in range(2)]
    settings = [{"settings": f'{{"turns": {n}, "window": 5}}'} for n in (20, 30)]
    given = verdicts(*((name, n, one, n % 2) for name in runs for one in "ab" for n in (1, 2)))
    write_rows(
        run.warehouse,
        runs=[run_row(name, **LONG, **chosen) for name, chosen in zip(runs, settings, strict=True)],
        scores=list(score_rows(given, TAGS, clusters={"a": "p", "b": "p"}, resamples=100, seed=1)),
        comparisons=list(comparison_rows(given, TAGS, clusters={"a": "p", "b": "p"}, resamples=100, seed=1)),
    )
    result = run("scores")
    assert max(map(len, result.output.splitlines())) <= 80
    words = result.output.split()
    assert "95 %: no interval where all examples are about one paper." in " ".join(words)
    assert "…" not in result.output
    assert {"agentic_text2sql", "Qwen2.5-32B-Instruct", "001234", "101234", "50.0%"} <= {*words}
    assert "http" not in result.output
    # Only what tells them apart.
    assert {"1: turns 20", "2: turns 30"} <= {line.strip() for line in result.output.splitlines()}


@pytest.mark.parametrize(
    ("clusters", "repeats", "told"),
    [
        ({}, 1, "Wilson's interval over the examples."),
        ({}, 2, "bootstrap over the examples, each answered several times."),
        ({"a": "p", "b": "p"}, 1, "bootstrap over the 2 groups of examples about the same paper."),
    ],
)
def test_what_intervals_rest_on_is_told(run, clusters, repeats, told):
    right = {"a": 1, "b": 1, "c": 0}
    given = verdicts(*(("r", n, one, score) for one, score in right.items() for n in range(repeats)))
    scores = score_rows(given, TAGS, clusters=clusters, resamples=100, seed=1)
    write_rows(run.warehouse, runs=[run_row("r")], scores=list(scores), comparisons=[])
    assert f"95 %: {told}" in run("scores").output


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
    refused = {"judge": "m-2", "stand_in": False, "reason": "same_family", "detail": None, "score": None}
    write_rows(run.warehouse, verdicts=[{"run_id": "r", "repeat": 1, "example_id": "c", **refused}])
    assert "1 answers wait for a judge that is not of their model's family" in run("scores").stderr
