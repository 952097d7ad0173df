"""`aimsciqa airqa score`, `check` and `evaluators`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aimsciqa_assets.cli.airqa import airqa_app

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
    return CliRunner().invoke(airqa_app, arguments, env={"COLUMNS": "200"})


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


def test_the_catalogue_is_shown():
    assert run("evaluators").stdout.count("### eval_") == 19
    assert run("evaluators", "eval_negation").stdout.startswith("### eval_negation\n")
    refused = run("evaluators", "eval_nothing")
    assert refused.exit_code == 2
    assert "there is no eval_nothing" in refused.stderr
