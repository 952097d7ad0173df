"""People answer the benchmark on sheets: what goes out, what is taken in, and that it is scored."""

import csv
import io
import json

import pytest
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app
from tests.answering_home import benchmark, resources_at, rows, scores

pytestmark = pytest.mark.slow

RIGHT = "Grain iron rose by 5 mg. Grain zinc fell by 3 mg."


@pytest.fixture
def command(tmp_path, monkeypatch):
    resources_at(tmp_path)
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path))

    def call(*words, code=0):
        result = CliRunner().invoke(app, ["answers", *map(str, words)])
        assert result.exit_code == code, result.output
        return " ".join(result.output.split())

    return call


def scored(tmp_path):
    resources = resources_at(
        tmp_path, benchmark_answerers="human:anna", benchmark_answering_settings="oracle"
    )
    benchmark(resources, "human:anna")
    return resources


def test_a_spreadsheet_goes_out_comes_back_and_is_scored(tmp_path, command):
    sheet = tmp_path / "sheet.csv"
    assert "2 questions are in" in command("sheet", sheet, "--by", "anna")
    listed = list(csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8-sig"))))
    assert [row["paper_1"] for row in listed] == ["Zinc of wheat"] * 2
    assert [(row["paper_2"], row["setting"]) for row in listed] == [("Iron of rice", "oracle")] * 2
    listed[0]["answer"] = RIGHT
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(listed[0]), delimiter=";")
        writer.writeheader()
        writer.writerows(listed)
    said = command("import", sheet, "--by", "anna")
    assert "1 new answers, 0 changed, 0 known already; 1 questions without an answer" in said
    assert "add human:anna to AIMSCIQA_BENCHMARK_ANSWERERS" in said
    assert "0 new answers, 0 changed, 1 known already" in command("import", sheet, "--by", "human:anna")
    resources = scored(tmp_path)
    answered = "select model, prediction, rejection_reason from benchmark.answers order by prediction"
    assert rows(resources, answered) == [
        ("recorded:human:anna", RIGHT, None),
        ("recorded:human:anna", None, "not_recorded"),
    ]
    # What nobody answered counts in no mean.
    assert set(scores(resources, "accuracy", "lexical").values()) == {1}
    assert rows(resources, "select distinct answerer, answers from benchmark.answering_scores") == [
        ("human:anna", 1)
    ]


def test_json_lines_hold_the_papers_and_another_answer_takes_the_place_of_the_first(tmp_path, command):
    sheet = tmp_path / "sheet.jsonl"
    command("sheet", sheet, "--by", "anna", "--settings", "oracle closed_book", "--n", "1")
    lines = [json.loads(line) for line in sheet.read_text().splitlines()]
    shown = [
        (line["setting"], any("Grain iron" in paper["text"] for paper in line["papers"])) for line in lines
    ]
    assert sorted(shown) == [
        *[("closed_book", False)] * 2,
        *[("oracle", True)] * 2,
    ]
    for said, told in (("Nothing.", "4 new answers, 0 changed"), (RIGHT, "0 new answers, 4 changed")):
        sheet.write_text("".join(json.dumps(line | {"answer": said}) + "\n" for line in lines))
        assert told in command("import", sheet, "--by", "anna")
    assert set(scores(scored(tmp_path), "exact_match").values()) == {1}


def test_what_is_no_answer_is_named_and_the_others_are_taken(tmp_path, command):
    sheet = tmp_path / "sheet.jsonl"
    command("sheet", sheet, "--by", "anna")
    assert "is there already" in command("sheet", sheet, "--by", "anna", code=1)
    first, second = sheet.read_text().splitlines()
    good = json.dumps(json.loads(first) | {"answer": "Zinc."})
    foreign = json.dumps(json.loads(second) | {"answer_id": "none", "answer": "Iron."})
    sheet.write_text(f"{good}\n{foreign}\n{good}\n")
    said = command("import", sheet, "--by", "anna", code=1)
    assert "1 new answers" in said
    assert "line 2: 'none' is no question for human:anna in this benchmark" in said
    assert "was answered already in this file" in said
    sheet.write_text("{}\n")
    assert "line 1 is no JSON object with answer_id" in str(
        CliRunner().invoke(app, ["answers", "import", str(sheet), "--by", "anna"]).exception
    )
    assert "ends in .csv or .jsonl" in command("sheet", tmp_path / "a.txt", "--by", "anna", code=2)
    assert "one word" in command("sheet", tmp_path / "a.csv", "--by", "a b", code=2)
