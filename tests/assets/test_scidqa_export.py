"""`aimsciqa reviews export` over a small home: text by licence, offsets always, the same bytes again."""

import hashlib
import json

import duckdb
import polars as pl
import pytest
from aimsciqa_resources.workbooks import read_workbook
from typer.testing import CliRunner

from aimsciqa_assets.cli.reviews import reviews_app
from aimsciqa_assets.scidqa.exporting import passage_of
from tests.assets.test_scidqa_pairs import bring, pipeline_at, replying, thread
from tests.model_server import ModelServer
from tests.review_discussion import REPLY, REVIEW

pytestmark = pytest.mark.slow
NAMES = ["README.md", "SHA256SUMS", "pairs.jsonl", "scidqa.parquet", "scidqa.xlsx"]


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home with a pair each of three forums: an open licence, one unknown for the reply, no derivatives."""
    folder = tmp_path / "home"
    with ModelServer(answer=replying()) as server:
        pipeline = pipeline_at(folder, server.url)
        bring(pipeline, *thread("F1"), *thread("F2"), *thread("F3"))
        assert pipeline.run() == []
    with duckdb.connect(str(pipeline.home.database)) as connection:
        connection.execute("update scidqa.notes set licence = 'CC BY' where note_id != 'F2-a'")
        connection.execute("update scidqa.notes set licence = 'CC BY-NC-ND' where note_id = 'F3-r'")
    monkeypatch.setenv("AIMSCIQA_HOME", str(folder))
    return folder


def export(folder):
    return CliRunner().invoke(reviews_app, ["export", str(folder)], env={"COLUMNS": "200"})


def test_text_only_under_a_licence_that_allows_it(home, tmp_path):
    told = export(tmp_path / "out")
    assert told.exit_code == 0, told.output
    assert "3 pairs" in told.output
    assert "1 of them with text." in told.output
    assert "1 left out: text: the reply's licence is not known" in told.output
    assert "1 left out: text: the review's licence forbids derivatives" in told.output
    lines = [json.loads(line) for line in (tmp_path / "out/pairs.jsonl").read_text().splitlines()]
    assert [(line["forum_id"], line["question"], line["text_left_out"]) for line in lines] == [
        ("F1", "How many seeds are used?", []),
        ("F2", None, ["the reply's licence is not known"]),
        ("F3", None, ["the review's licence forbids derivatives"]),
    ]
    asked, answered = lines[1]["question_quote"], lines[1]["answer_quote"]
    assert (asked["note_id"], asked["licence"]) == ("F2-r", "CC BY")
    assert (answered["note_id"], answered["licence"]) == ("F2-a", None)
    assert REVIEW[asked["start"] : asked["end"]] == "How many seeds were used?"
    assert REPLY[answered["start"] : answered["end"]] == "We used five seeds for each setting."
    header, *rows = read_workbook(tmp_path / "out/scidqa.xlsx")
    assert header == ["id", "year", "venue", "rid", "pid", "decision", "que", "ans", "version"]
    first = [1, "F1-r", "F1", "How many seeds are used?", "Five seeds are used for each setting.", "Revised"]
    assert [rows[0][place] for place in (0, 3, 4, 6, 7, 8)] == first
    assert pl.read_parquet(tmp_path / "out/scidqa.parquet")["que"].to_list() == [first[3], None, None]
    lines = (tmp_path / "out/pairs.jsonl").read_text()
    assert lines.count("Five seeds are used") == 1


def test_the_same_pairs_give_the_same_bytes(home, tmp_path):
    for name in ("a", "b"):
        assert export(tmp_path / name).exit_code == 0
    kept = [{one.name: one.read_bytes() for one in (tmp_path / name).iterdir()} for name in ("a", "b")]
    assert sorted(kept[0]) == NAMES
    assert kept[0] == kept[1]
    for line in kept[0]["SHA256SUMS"].decode().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256(kept[0][name]).hexdigest() == digest
    assert export(tmp_path / "a").exit_code == 2, "a folder with files is left alone"


def test_sentences_of_evidence_and_their_text():
    text = "We train long. We use five seeds. Nothing else."
    row = {"version": "final", "paper_id": "F.final", "paragraph_id": "p1", "text": text}
    row |= {"evidence_start": 22, "evidence_end": 32}
    told = passage_of(row | {"licence": "CC BY"})
    assert told["sentences"] == [{"start": 15, "end": 33, "text": "We use five seeds."}]
    told = passage_of(row | {"licence": ""})
    assert (told["licence"], told["sentences"]) == (None, [{"start": 15, "end": 33, "text": None}])
