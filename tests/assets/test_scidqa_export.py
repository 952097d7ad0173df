"""`aimsciqa reviews export` over a small home: text by licence, offsets always, the same bytes again."""

import hashlib
import json

import duckdb
import polars as pl
import pytest
from aimsciqa_resources.workbooks import read_workbook
from typer.testing import CliRunner

from aimsciqa_assets.cli.reviews import reviews_app
from aimsciqa_assets.platform.folders import files_in
from aimsciqa_assets.scidqa.exporting import passage_of
from aimsciqa_assets.scidqa.files.exported import not_ours, problems_of
from aimsciqa_assets.scidqa.files.published import read_responses
from tests.assets.test_scidqa_pairs import bring, pipeline_at, replying, thread
from tests.model_server import ModelServer
from tests.report_warehouse import insert
from tests.review_discussion import REPLY, REVIEW

pytestmark = pytest.mark.slow
NAMES = [
    *("README.md", "SHA256SUMS", "croissant.json", "pairs.jsonl", "responses/ft/recorded_claude_ft.xlsx"),
    *("responses/mem/recorded_claude_mem.xlsx", "responses/rag/m_rag.xlsx"),
    *("scidqa.parquet", "scidqa.xlsx"),
]


def answered(connection):
    """A manuscript, and answers of two models: to the pair of F1, and one to that of F2."""
    pairs = dict(connection.execute("select forum_id, qa_id from scidqa.qa_pairs").fetchall())
    papers = ({"paper_id": f"P{n}", "licence": name} for n, name in ((1, "CC BY"), (2, "CC BY-ND")))
    insert(connection, "corpus.papers", *papers)
    manuscript = {"role": "manuscript", "position": 1, "paper_id": "P1"}
    rows = [{"qa_id": pair, "forum_id": forum} | manuscript for forum, pair in pairs.items()]
    insert(connection, "scidqa.documents", *rows)
    answers = [
        ("recorded:claude", "closed_book", "F1", "=Five."),
        ("recorded:claude", "segments", "F1", "Five seeds."),
        ("recorded:claude", "segments", "F2", "Not to be told."),
        ("org/m@http://10.0.0.7/v1", "passages", "F1", None),
    ]
    rows = [
        {"answer_id": f"a{n}", "answerer": model, "setting": setting, "item_id": pairs[forum]}
        | {"variant": "review_question", "prediction": text}
        for n, (model, setting, forum, text) in enumerate(answers)
    ]
    insert(connection, "benchmark.answers", *rows)
    said = ['{"answer": "Five seeds."}', "no JSON", '{"answer": "I cannot tell."}']
    steps = [{"answer_id": "a1", "position": n, "text": text} for n, text in enumerate(said, start=1)]
    insert(connection, "benchmark.rag_steps", *(step | {"kind": "segment"} for step in steps))


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home with a pair each of three forums: an open licence, one unknown for the reply, no derivatives."""
    folder = tmp_path / "home"
    with ModelServer(answer=replying()) as server:
        pipeline = pipeline_at(folder, server.url)
        bring(pipeline, *thread("F1"), *thread("F2"), *thread("F3"))
        assert pipeline.run() == []
    with duckdb.connect(str(pipeline.home.database)) as connection:
        answered(connection)
        connection.execute("update scidqa.notes set licence = 'CC BY' where note_id != 'F2-a'")
        connection.execute("update scidqa.notes set licence = 'CC BY-NC-ND' where note_id = 'F3-r'")
    monkeypatch.setenv("AIMSCIQA_HOME", str(folder))
    return folder


def export(folder):
    return CliRunner().invoke(reviews_app, ["export", str(folder)], env={"COLUMNS": "200"})


def verify(folder):
    return CliRunner().invoke(reviews_app, ["verify", str(folder)], env={"COLUMNS": "200"})


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
    for name in ("a", "b", "a"):
        assert export(tmp_path / name).exit_code == 0
    kept = [
        {file: (tmp_path / name / file).read_bytes() for file in files_in(tmp_path / name)}
        for name in ("a", "b")
    ]
    assert sorted(kept[0]) == NAMES
    assert kept[0] == kept[1]
    for line in kept[0]["SHA256SUMS"].decode().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256(kept[0][name]).hexdigest() == digest
    assert verify(tmp_path / "a").exit_code == 0
    a_foreign_or_changed_folder_is_left_alone(tmp_path / "a")
    croissant_gives_the_questions(tmp_path / "b")


def a_foreign_or_changed_folder_is_left_alone(out):
    (out / "mine.txt").write_text("mine")
    refused = export(out)
    assert (refused.exit_code, (out / "mine.txt").read_text()) == (2, "mine")
    assert not_ours(out) == "it holds mine.txt, which no export wrote"
    (out / "mine.txt").unlink()
    first, *others = (out / "pairs.jsonl").read_text().splitlines()
    line = json.loads(first)
    line["answer_quote"]["licence"] = "CC BY-ND"
    (out / "pairs.jsonl").write_text("\n".join([json.dumps(line), *others]) + "\n")
    assert not_ours(out) == "pairs.jsonl was changed after it was written"
    assert export(out).exit_code == 2
    found = list(problems_of(out))
    assert f"pairs.jsonl has text that the licences of the notes forbid (1): {line['qa_id']}" in found
    assert verify(out).exit_code == 1


def croissant_gives_the_questions(out):
    mlcroissant = pytest.importorskip("mlcroissant")
    dataset = mlcroissant.Dataset(str(out / "croissant.json"))
    assert dataset.metadata.ctx.issues.errors == set()
    records = list(dataset.records("questions"))
    assert [record["questions/pid"] for record in records] == [b"F1", b"F2", b"F3"]


def test_answers_of_models_are_response_files(home, tmp_path):
    responses = tmp_path / "out/responses"
    assert export(tmp_path / "out").exit_code == 0
    header, row = read_workbook(responses / "ft/recorded_claude_ft.xlsx")
    assert header[-2:] == ["recorded_claude_ans", "recorded_claude_ans_single"]
    chosen = ["['Five seeds.', 'I cannot tell.']", "Five seeds."]
    assert [row[0], row[6], *row[-2:]] == [1, "How many seeds are used?", *chosen]
    (found,) = read_responses(responses / "mem/recorded_claude_mem.xlsx")
    assert found.rows.rows() == [(1, "=Five.", None)]
    with duckdb.connect(str(home / "warehouse.duckdb")) as connection:
        connection.execute("update scidqa.documents set paper_id = 'P2'")
    told = export(tmp_path / "out")
    assert "1 left out: answer in recorded_claude_ft.xlsx: the licence of what the model read" in told.output
    (found,) = read_responses(responses / "ft/recorded_claude_ft.xlsx")
    assert found.rows["prediction"].to_list() == [None]
    (found,) = read_responses(responses / "mem/recorded_claude_mem.xlsx")
    assert found.rows["prediction"].to_list() == ["=Five."], "it read nothing"


def test_sentences_of_evidence_and_their_text():
    text = "We train long. We use five seeds. Nothing else."
    row = {"version": "final", "paper_id": "F.final", "paragraph_id": "p1", "text": text}
    row |= {"evidence_start": 22, "evidence_end": 32}
    told = passage_of(row | {"licence": "CC BY"})
    assert told["sentences"] == [{"start": 15, "end": 33, "text": "We use five seeds."}]
    told = passage_of(row | {"licence": ""})
    assert (told["licence"], told["sentences"]) == (None, [{"start": 15, "end": 33, "text": None}])
