"""`aimsciqa airqa score`, `check` and `evaluators`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aimsciqa_assets.cli.airqa import airqa_app
from aimsciqa_assets.cli.airqa.run import warn_of_families
from aimsciqa_assets.settings import Settings
from tests.airqa_store import PAPER, store_at

EVALUATORS = {
    "a": ("single", "text", "eval_int_exact_match", {"gold": 4}),
    "b": ("single", "table", "eval_float_exact_match", {"gold": 0.5}),
    "c": (
        "retrieval",
        "text",
        "eval_reference_answer_with_llm",
        {"question": "?", "reference_answer": "a cat"},
    ),
    "d": ("single", "text", "eval_nothing", {}),
    "e": ("single", "text", "eval_int_exact_match", {"gold": 5}),
}


@pytest.fixture
def files(tmp_path):
    def made(answers):
        examples, results = tmp_path / "examples.jsonl", tmp_path / "result.jsonl"
        examples.write_text("".join(json.dumps(one) + "\n" for one in _examples()))
        results.write_text("".join(json.dumps({"uuid": k, "answer": v}) + "\n" for k, v in answers))
        return str(examples), str(results)

    return made


def _examples():
    for uuid, (kind, element, name, arguments) in EVALUATORS.items():
        evaluator = {"eval_func": name, "eval_kwargs": arguments}
        tags = [kind, element, "subjective" if uuid == "c" else "objective"]
        yield {"uuid": uuid, "question": "?", "tags": tags, "evaluator": evaluator}


def run(*arguments):
    environment = {"COLUMNS": "200", "AIMSCIQA_HOME": "no/such/home"}
    return CliRunner().invoke(airqa_app, arguments, env=environment)


ANSWERS = [("a", "4"), ("b", 0.4), ("c", "a cat"), ("d", "x"), ("f", 1), ("b", "0.6")]


def test_scores_by_tag(files):
    done = run("score", *files(ANSWERS))
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0] == ["count", "correct", "score", "95", "%", "interval"]
    assert lines[1] == ["type", "single", "4", "1", "25.00%", "4.56%", "to", "69.94%"]
    assert lines[2] == ["retrieval", "1", "1", "100.00%", "20.65%", "to", "100.00%"]
    assert lines[3] == ["element", "text", "4", "2", "50.00%", "15.00%", "to", "85.00%"]
    assert lines[7] == ["total", "5", "2", "40.00%", "11.76%", "to", "76.93%"]
    assert "1 of 5 examples ask a judge. The lexical stand-in (no model) replied" in done.stdout
    assert "1 count as wrong: no answer" in done.stdout
    assert "1 count as wrong: there is no evaluation function 'eval_nothing'" in done.stdout
    assert "1 lines answer an example again: the last answer counts." in done.stderr
    assert "1 answers belong to no example." in done.stderr


def test_scores_as_json(files):
    told = json.loads(run("score", "--json", *files(ANSWERS)).stdout)
    assert told["scores"][-1] == {
        **{"family": "total", "tag": "total", "count": 5, "correct": 2, "score": 0.4},
        "low": pytest.approx(0.1176, abs=1e-4),
        "high": pytest.approx(0.7693, abs=1e-4),
    }
    assert (told["judge"], told["judged"]) == ("lexical stand-in (no model)", 1)
    assert [(one["uuid"], one["right"], one["answer"], one["reason"] is None) for one in told["failed"]] == [
        ("b", {"gold": 0.5}, "0.6", True),
        ("d", {}, "x", False),
        ("e", {"gold": 5}, None, False),
    ]


def test_half_a_character_is_printed_as_the_escape_that_it_was(files):
    examples, results = files([("a", "\ud800"), ("\udfff", 1)])
    told = run("score", "--json", examples, results)
    assert json.loads(told.stdout)["failed"][0]["answer"] == "\ud800", told.output
    Path(examples).write_text(Path(examples).read_text().replace('"uuid": "a"', '"uuid": "\\ud800"'))
    first = run("check", "--json", examples).stdout.splitlines()[0]
    assert json.loads(first)["uuid"] == "\ud800"


def test_lines_that_cannot_be_read_are_told_and_fail(files):
    examples, results = files(ANSWERS)
    with Path(results).open("a") as file:
        file.write("nothing\n")
    done = run("score", examples, results)
    assert done.exit_code == 1
    assert "line 7: it is no JSON" in done.stderr
    assert "total" in done.stdout


def test_a_file_without_examples_says_what_one_is(tmp_path):
    (tmp_path / "empty.jsonl").write_text("")
    done = run("check", str(tmp_path / "empty.jsonl"))
    assert done.exit_code == 1
    assert "Each line is a JSON object with uuid, question and evaluator." in " ".join(done.stderr.split())


def test_problems_are_told_and_counted(files):
    examples, _ = files([])
    done = run("check", examples)
    assert done.exit_code == 1
    assert "d  unknown_function: there is no function eval_nothing" in done.stdout
    assert "5 examples, 5 with problems" in done.stdout
    assert "  malformed_uuid: 5" in done.stdout
    first = json.loads(run("check", "--json", examples).stdout.splitlines()[0])
    assert first == {"uuid": "a", "rule": "malformed_uuid", "told": "'a' is no UUID"}


def paper_examples(folder):
    """About a paper of the small store, one beside it, and two conferences."""
    file = folder / "papers.jsonl"
    other = "16f7e6e6-6bfa-5c74-9c8b-1adc5bf7e3b9"
    base = {"question": "?", "evaluator": {"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 4}}}
    single = {**base, "tags": ["single", "text", "objective"], "anchor_pdf": [PAPER.upper()]}
    multiple = {**base, "tags": ["multiple", "text", "objective"]}
    lines = [
        {**single, "uuid": "00608f20-e3f5-5fdc-8979-4efeb0756d8e"},
        {**multiple, "uuid": "00608f20-e3f5-5fdc-8979-4efeb0756d8f"}
        | {"anchor_pdf": [PAPER], "reference_pdf": [other]},
        *(
            {**base, "tags": ["retrieval", "text", "objective"], "conference": [conference]}
            | {"uuid": f"00608f20-e3f5-5fdc-8979-4efeb0756d9{n}"}
            for n, conference in enumerate(("acl2023", "emnlp2023"))
        ),
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(file)


def test_papers_and_conferences_are_compared_with_the_store(tmp_path):
    rows = [{"paper_id": PAPER, "conference_abbreviation": "ACL", "pub_year": 2023}]
    store = store_at(tmp_path / "papers.duckdb", {"metadata": rows})
    done = run("check", paper_examples(tmp_path), "--database", str(store))
    assert done.exit_code == 1
    assert done.stdout.splitlines()[:5] == [
        "00608f20-e3f5-5fdc-8979-4efeb0756d8f  paper_not_stored: the paper "
        "16f7e6e6-6bfa-5c74-9c8b-1adc5bf7e3b9 in reference_pdf is not in the paper store",
        "00608f20-e3f5-5fdc-8979-4efeb0756d91  conference_not_stored: the paper store has no paper of "
        "'emnlp2023'",
        "4 examples, 2 with problems",
        "  paper_not_stored: 1",
        "  conference_not_stored: 1",
    ]
    assert done.stdout.splitlines()[6:] == [
        "  anchor_pdf: 1 of 1",
        "  reference_pdf: 0 of 1",
        "  conference: 1 of 2",
        "    acl2023: 1 paper",
        "    emnlp2023: 0 papers",
    ]


def test_without_a_store_examples_are_checked_alone_and_a_broken_one_is_named(tmp_path):
    done = run("check", paper_examples(tmp_path))
    assert done.exit_code == 0
    assert "`aimsciqa airqa store FOLDER` makes it" in done.stdout
    (tmp_path / "broken").write_text("nothing")
    done = run("check", paper_examples(tmp_path), "--database", str(tmp_path / "broken"))
    assert done.exit_code == 1
    assert "is no paper store that can be read" in done.stderr


def test_the_catalogue_is_shown():
    assert run("evaluators").stdout.count("### eval_") == 19
    assert run("evaluators", "eval_negation").stdout.startswith("### eval_negation\n")
    refused = run("evaluators", "eval_nothing")
    assert refused.exit_code == 2
    assert "there is no eval_nothing" in refused.stderr


@pytest.mark.parametrize(
    ("judge", "lets", "told"),
    [
        ("Qwen/Qwen3-32B", "false", "is of the family of Qwen2.5-7B: answers that need a judge"),
        ("Qwen/Qwen3-32B", "true", ""),
        ("gpt-5", "false", ""),
    ],
)
def test_a_judge_that_may_not_judge_is_told_before_anything_is_asked(judge, lets, told, capsys):
    environment = {
        "AIMSCIQA_AIRQA_BASELINES": "rag",
        "AIMSCIQA_BENCHMARK_SAME_FAMILY": lets,
        "AIMSCIQA_AIRQA_MODEL_NAME": "Qwen2.5-7B",
        "AIMSCIQA_JUDGE_MODEL_NAME": judge,
    }
    for model in ("AIRQA", "JUDGE"):
        environment[f"AIMSCIQA_{model}_MODEL_BACKEND"] = "server"
        environment[f"AIMSCIQA_{model}_MODEL_BASE_URL"] = "http://localhost:9/v1"
    warn_of_families(Settings.preset_of("demo", environment))
    said = capsys.readouterr().err
    assert told in said
    assert bool(said) == bool(told)
