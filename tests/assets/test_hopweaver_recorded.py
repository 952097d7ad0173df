"""Bridge questions by recorded replies: rounds of requests, each filled in by hand, until items are there."""

import json
from pathlib import Path

import pytest
from aimsciqa_resources.warehouse import Warehouse
from typer.testing import CliRunner

from aimsciqa_assets.cli import pipeline
from aimsciqa_assets.cli.commands import app
from tests.fakes import WordEncoder, write_corpus
from tests.hop_model import HopModel

pytestmark = [pytest.mark.slow, pytest.mark.long]

SETTINGS = {
    "AIMSCIQA_HOPWEAVER_KINDS": "bridge",
    # Few documents: a search finds each of them by chance.
    "AIMSCIQA_HOPWEAVER_MASKED_RANK": "0",
    "AIMSCIQA_HOPWEAVER_QUESTION_RANK": "0",
    "AIMSCIQA_HOPWEAVER_FEWEST_CHARACTERS": "100",
    "AIMSCIQA_HOPWEAVER_MODEL_BACKEND": "recorded",
    "AIMSCIQA_HOPWEAVER_MODEL_NAME": "jane",
    "AIMSCIQA_POLISHER_MODEL_BACKEND": "recorded",
    "AIMSCIQA_POLISHER_MODEL_NAME": "bob",
}


@pytest.fixture
def command(tmp_path, monkeypatch):
    """Runs a command in a home with four papers; `fill` replies to what it asks in a file."""
    for name, value in (SETTINGS | {"AIMSCIQA_HOME": str(tmp_path / "home")}).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(pipeline, "SentenceEncoder", lambda *_: WordEncoder())
    write_corpus(tmp_path / "papers", 4)

    def run(*words: str) -> str:
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output
        return done.output

    run("ingest", str(tmp_path / "papers"))
    return run


def filled_in(file: Path) -> list[str]:
    """Reply to every line where there is something to say; the tasks of these lines."""
    model = HopModel()
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    said = []
    for line in lines:
        reply = getattr(model, f"_{line['task']}")(line["variables"])
        # Nobody finds an entity in the first paper, which cites nothing.
        if reply != "I see no entity.":
            said.append(f"{line['task'].removeprefix('hopweaver_bridge_')} of {line['asked_of']}")
            line |= {"reply": reply, "by": line["asked_of"]}
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return sorted(set(said))


def test_items_come_of_rounds_of_recorded_replies(command, tmp_path):
    rounds = []
    for number in range(9):
        command("run", "--only-items", "--quiet")
        file = tmp_path / f"round-{number}.jsonl"
        command("record", "requests", str(file))
        if not (tasks := filled_in(file)):
            break
        rounds.append(tasks)
        command("record", "replies", str(file), "--by", "anybody")
    assert rounds[0] == ["entity of jane"]
    assert {task for tasks in rounds for task in tasks} == {
        "entity of jane",
        "sub_questions of jane",
        "fusion of jane",
        "polisher of bob",
        "reader of bob",
    }
    made = "select status, rejection_reason, model, polisher_model from hopweaver.items order by all"
    rows = Warehouse(database=str(tmp_path / "home" / "warehouse.duckdb")).read(made).rows()
    accepted = ("accepted", None, "recorded:jane", "recorded:bob")
    assert rows == [accepted] * 3 + [("rejected", "not_recorded", "recorded:jane", None)]
