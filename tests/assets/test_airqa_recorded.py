"""An agent of AirQA by recorded replies: each round writes the next turns, until all have their answer."""

import json

import duckdb
import pytest
from typer.testing import CliRunner

from aimsciqa_assets.cli import pipeline
from aimsciqa_assets.cli.commands import app
from tests.fakes import WordEncoder, write_corpus

pytestmark = [pytest.mark.slow, pytest.mark.long]

SETTINGS = {
    "AIMSCIQA_SYSTEMS": "",
    "AIMSCIQA_AIRQA_STORE": "true",
    "AIMSCIQA_AIRQA_BASELINES": "agentic_hybrid",
    "AIMSCIQA_AIRQA_MODEL_BACKEND": "recorded",
    "AIMSCIQA_AIRQA_MODEL_NAME": "jane",
}
SAID = (
    "[Thought]: I look.\n[Action]: Query(sql='select count(*)::int as papers from metadata')",
    "[Thought]: I search.\n[Action]: Retrieve(query='zinc intake', limit=1)",
    "[Thought]: I know.\n[Action]: Answer(answer=3)",
)


@pytest.fixture
def command(tmp_path, monkeypatch):
    """Runs a command in a home with three papers and two examples; it must end with this exit code."""
    for name, value in (SETTINGS | {"AIMSCIQA_HOME": str(tmp_path / "home")}).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(pipeline, "SentenceEncoder", lambda *_: WordEncoder())

    def run(*words: str, code: int = 0) -> str:
        done = CliRunner().invoke(app, words)
        assert done.exit_code == code, done.output
        return done.output

    write_corpus(tmp_path / "papers", 3)
    run("ingest", str(tmp_path / "papers"))
    run("run", "--only-items", "--quiet")
    with duckdb.connect(str(tmp_path / "home" / "airqa" / "papers.duckdb"), read_only=True) as connection:
        (paper,) = connection.execute("select min(paper_id)::varchar from metadata").fetchone()
    evaluator = {"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 3}}
    tags = ["single", "text", "objective"]
    lines = [
        {"uuid": f"e{n}", "question": f"How many papers ({n})?", "tags": tags, "evaluator": evaluator}
        | {"answer_format": "An integer.", "anchor_pdf": [paper], "reference_pdf": [], "conference": []}
        for n in (1, 2)
    ]
    file = tmp_path / "examples.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    run("airqa", "examples", str(file))
    return run


def filled_in(file) -> list[tuple[str, int]]:
    """Reply to every line as the turn wants it; task and number of turns of each."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    for line in lines:
        line["reply"] = SAID[len(line["turns"])]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return [(line["task"], len(line["turns"])) for line in lines]


def test_each_round_asks_for_the_next_turns(command, tmp_path):
    told = command("airqa", "run")
    assert "2 failed: not_recorded" in told
    assert "no summaries and no tldr for agentic_hybrid to find" in told
    assert "aimsciqa record requests" in told
    for number in range(len(SAID)):
        file = tmp_path / f"round-{number}.jsonl"
        command("record", "requests", str(file))
        assert filled_in(file) == [("airqa_agent", number)] * 2
        command("record", "replies", str(file), "--by", "jane")
        told = command("airqa", "run", "--baseline", "agentic_hybrid")
    assert "failed:" not in told
    query = "select status, answer, turns, model from airqa.answers join airqa.runs using (run_id, repeat)"
    shown = command("sql", query, "--format", "json")
    row = {"status": "answered", "answer": "3", "turns": 3, "model": "recorded:jane"}
    assert json.loads(shown) == [row, row]
    command("record", "requests", str(tmp_path / "none.jsonl"))
    assert not (tmp_path / "none.jsonl").exists()


def test_a_baseline_must_be_named_and_known(command, monkeypatch):
    told = command("airqa", "run", "--baseline", "agentic_rga", code=2).replace("│", " ")
    assert "there is no baseline 'agentic_rga': did you mean agentic_rag?" in " ".join(told.split())
    monkeypatch.delenv("AIMSCIQA_AIRQA_BASELINES")
    assert "name a baseline" in command("airqa", "run", code=2)
