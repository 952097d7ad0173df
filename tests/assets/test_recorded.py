"""Recorded replies from the command line: requests go out, a person replies, a run uses what came back."""

import json
from collections import Counter
from pathlib import Path

import pytest
from aimsciqa_resources.warehouse import Warehouse
from typer.testing import CliRunner

from aimsciqa_assets.cli import pipeline
from aimsciqa_assets.cli.commands import app
from aimsciqa_assets.judging.dimensions import DIMENSIONS
from tests.aim_sciqa_alone import AIM_SCIQA
from tests.fakes import SentenceModel, WordEncoder, write_corpus
from tests.small_home import copy_of

pytestmark = pytest.mark.slow

SETTINGS = AIM_SCIQA | {
    "AIMSCIQA_MODEL_BACKEND": "recorded",
    "AIMSCIQA_MODEL_NAME": "jane",
    "AIMSCIQA_BENCHMARK_JUDGES": "recorded:bob",
    "AIMSCIQA_BENCHMARK_QUALITY_JUDGES": "recorded:bob",
    "AIMSCIQA_BENCHMARK_QUALITY_RUNS": "2",
    "AIMSCIQA_BENCHMARK_QUALITY_ITEMS": "2",
    "AIMSCIQA_BENCHMARK_RETRIEVERS": "bm25",
    "AIMSCIQA_RELATIONS_CLUSTER_SIZE": "3",
    "AIMSCIQA_RELATIONS_RELATIONS_PER_SOURCE": "1",
    "AIMSCIQA_RELEASE_ANY_LICENCE": "true",
}


class Person(SentenceModel):
    """Fills in a file by reading the variables of each line."""

    def _quality_judge(self, told) -> str:
        return json.dumps({name: "Yes" if name == "multi_hop" else "Good" for name in DIMENSIONS})

    def reply(self, line: dict) -> str:
        return self.reply_to(line["task"], line["variables"])

    def fill_in(self, file: Path, *, only: slice = slice(None)) -> list[dict]:
        """Reply to some of the lines, under the name that each is asked of."""
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        for line in lines[only]:
            line |= {"reply": self.reply(line), "by": line["asked_of"]}
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return lines


class Home:
    """A home with papers, and the commands in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *words: str, fails: bool = False) -> str:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in (SETTINGS | {"AIMSCIQA_HOME": str(self.folder)}).items():
                patch.setenv(name, value)
            patch.setattr(pipeline, "SentenceEncoder", lambda *_: WordEncoder())
            done = CliRunner().invoke(app, words)
        assert (done.exit_code != 0) == fails, done.output
        # An error that `main` tells in one line.
        return f"{done.output}{done.exception}" if fails else done.output

    def rows(self, query: str) -> list[tuple]:
        return Warehouse(database=str(self.folder / "warehouse.duckdb")).read(query).rows()

    def content(self) -> dict[str, list[tuple]]:
        with Warehouse(database=str(self.folder / "warehouse.duckdb")).one_state():
            tables = self.rows("select schema_name || '.' || table_name from duckdb_tables() order by 1")
            return {table: self.rows(f"select * from {table} order by all") for (table,) in tables}


@pytest.fixture(scope="module")
def unanswered(tmp_path_factory):
    """A home whose items were asked for without a single recording."""
    folder = tmp_path_factory.mktemp("recorded")
    write_corpus(folder / "papers", 4)
    home = Home(folder / "home")
    home("ingest", str(folder / "papers"))
    told = home("record", "requests", str(folder / "too-early.jsonl"))
    assert "single_hop.extractions is not asked about yet: it waits for earlier steps" in told
    assert not (folder / "too-early.jsonl").exists()
    assert "12 requests of single_hop to recorded:jane" in home("run", "--only-items", "--quiet")
    return folder / "home"


@pytest.fixture
def home(unanswered, tmp_path):
    return Home(copy_of(unanswered, tmp_path / "home"))


@pytest.mark.long
def test_rounds_of_requests_and_replies_lead_to_a_whole_benchmark(home, tmp_path):
    asked: list[Counter[str]] = []
    for number in range(9):
        file = tmp_path / f"{number}.jsonl"
        home("record", "requests", str(file))
        if not file.exists():
            break
        lines = Person().fill_in(file)
        asked.append(Counter(line["task"] for line in lines))
        assert "0 lines without a reply yet" in home("record", "replies", str(file))
        output = home("run", "--quiet")
    assert "No reply is recorded for" not in output
    assert [sorted(tasks) for tasks in asked] == [
        ["single_hop"],
        ["multi_hop"],
        ["answering", "citation_marker", "quality_judge"],
        ["answer_judge"],
    ]
    assert asked[0] == {"single_hop": 12}
    assert home.rows("select distinct model from single_hop.extractions") == [("recorded:jane",)]
    items = home.rows("select count(*), any_value(model) from multi_hop.items where status = 'accepted'")
    assert items == [(asked[1]["multi_hop"], "recorded:jane")]
    assert home.rows("select distinct answerer, model from benchmark.answers") == [("recorded:jane",) * 2]
    judges = "select distinct judge from benchmark.judgements order by 1"
    assert home.rows(judges) == [("lexical",), ("recorded:bob",)]
    assert home.rows("select count(*) from benchmark.ratings where score is null") == [(0,)]
    calls = "select distinct model, outcome, detail, from_journal from ops.llm_calls order by 1"
    assert home.rows(calls) == [
        ("recorded:bob", "ok", "recorded by bob", True),
        ("recorded:jane", "ok", "recorded by jane", True),
    ]
    page = (home.folder / "report.html").read_text()
    assert "Rows marked <code>recorded:jane</code>" in page
    assert '<span class="badge">recorded:jane</span>' in page
    (card,) = (home.folder / "releases").glob("*/README.md")
    assert "recorded:jane" in card.read_text()
    assert "gave in a file" in card.read_text()


def test_asking_writes_no_row_and_half_a_file_of_replies_counts(home, tmp_path):
    file = tmp_path / "requests.jsonl"
    before = home.content()
    home("record", "requests", str(file))
    assert home.content() == before
    lines = Person().fill_in(file, only=slice(5))
    assert len(lines) == 12
    assert "5 new replies, 0 replaced, 0 known already; 7 lines without a reply yet: 6-12" in home(
        "record", "replies", str(file)
    )
    assert "multi_hop.items is not asked about yet" in home("record", "requests", str(tmp_path / "2.jsonl"))
    assert len((tmp_path / "2.jsonl").read_text().splitlines()) == 7
    output = home("run", "--only-items", "--quiet")
    assert "7 requests of single_hop to recorded:jane" in " ".join(output.split())
    fates = "select status, rejection_reason, count(*) from single_hop.extractions group by all order by 1"
    assert home.rows(fates) == [("answered", None, 5), ("rejected", "not_recorded", 7)]
    assert "5 known already" in home("record", "replies", str(file))


def test_a_task_and_a_number_of_requests_may_be_chosen(home, tmp_path):
    home("record", "requests", str(tmp_path / "all.jsonl"))
    told = home("record", "requests", str(tmp_path / "few.jsonl"), "--task", "single_hop", "--limit", "4")
    assert "4 requests of single_hop to jane" in told
    assert "--limit left them out" in told
    few = (tmp_path / "few.jsonl").read_text().splitlines()
    assert few == (tmp_path / "all.jsonl").read_text().splitlines()[:4]
    assert "no file was written" in home(
        "record", "requests", str(tmp_path / "x.jsonl"), "--task", "multi_hop"
    )
    assert "exists already" in home("record", "requests", str(tmp_path / "few.jsonl"), fails=True)
    home("record", "requests", str(tmp_path / "y.jsonl"), "--task", "no_such_task", fails=True)


def test_another_reply_needs_a_word_and_reaches_the_rows(home, tmp_path):
    file = tmp_path / "requests.jsonl"
    home("record", "requests", str(file), "--limit", "1")
    line = Person().fill_in(file)[0]
    home("record", "replies", str(file))
    home("run", "--only-items", "--quiet")
    file.write_text(json.dumps(line | {"reply": {"pairs": []}}))
    assert "--replace takes the new one" in home("record", "replies", str(file), fails=True)
    assert "1 replaced" in home("record", "replies", str(file), "--replace")
    home("run", "--only-items", "--quiet")
    assert home.rows("select reply from single_hop.extractions where status = 'answered'") == [
        ('{"pairs": []}',)
    ]


def test_without_a_recorded_model_the_command_says_what_to_set(home, tmp_path, monkeypatch):
    for name in ("AIMSCIQA_MODEL_BACKEND", "AIMSCIQA_BENCHMARK_QUALITY_JUDGES", "AIMSCIQA_BENCHMARK_JUDGES"):
        monkeypatch.delitem(SETTINGS, name)
    assert "AIMSCIQA_MODEL_BACKEND=recorded" in home("record", "requests", str(tmp_path / "x"), fails=True)
