"""Files of results, byte by byte."""

import json

import pytest
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.airqa.examples.example import Example
from aimsciqa_assets.airqa.results.files import write_run, write_runs
from aimsciqa_assets.airqa.results.trajectories import Trajectory
from tests.airqa_runs import answer_row, example_shape, failed_row, run_row, turn_row, write_rows

CREATED = "2026-01-02T03:04:05+00:00"
ANSWERS = [
    (answer_row("r", "a", [4, "é"]), 1),
    (answer_row("r", "../b", "5"), 0),
    (failed_row("r", "c"), 0),
]


def verdict(row, score):
    return row | {"score": score, "judge": None, "stand_in": False, "no_verdict": None}


@pytest.fixture
def place(tmp_path):
    run = run_row("r", baseline="agentic_hybrid")
    turns = [
        turn_row("r", "a", 1, "Query", {"sql": "select 1"}, "[1]\n(1 row)"),
        turn_row("r", "a", 2, None, None, "[Error]: no action", error="unparsable"),
        turn_row("r", "a", 3, "View", {"page_number": 2}, "The page.", has_image=True),
        turn_row("r", "a", 4, "Answer", {"answer": [4, "é"]}, None),
    ]
    tags = {"c": ("retrieval", "text", "subjective")}
    found = [
        Trajectory(
            run,
            verdict(row, score),
            turns if row["example_id"] == "a" else [],
            Example.model_validate(example_shape(row["example_id"], 4, *tags.get(row["example_id"], ()))),
        )
        for row, score in ANSWERS
    ]
    write_run(run, found, tmp_path, CREATED)
    return tmp_path


def test_answers(place):
    assert (place / "result.jsonl").read_bytes() == (
        b'{"uuid": "a", "answer": [4, "\xc3\xa9"]}\n'
        b'{"uuid": "../b", "answer": "5"}\n'
        b'{"uuid": "c", "answer": "[ERROR]: timeout"}\n'
    )


def test_a_trajectory_has_a_message_a_line(place):
    assert sorted(path.name for path in (place / "trajectories").iterdir()) == [
        "..%2Fb.jsonl",
        "a.jsonl",
        "c.jsonl",
    ]
    written = (place / "trajectories" / "a.jsonl").read_text(encoding="utf-8")
    thought = "[Thought]: I look.\\n[Action]:\\n"
    assert written == (
        '{"role": "system", "content": "You search papers."}\n'
        '{"role": "user", "content": "How many a?"}\n'
        f'{{"role": "assistant", "content": "{thought}Query()"}}\n'
        '{"role": "user", "content": "[Observation]:\\n[1]\\n(1 row)"}\n'
        '{"role": "assistant", "content": "nonsense"}\n'
        '{"role": "user", "content": "[Observation]: [Error]: no action"}\n'
        f'{{"role": "assistant", "content": "{thought}View()"}}\n'
        '{"role": "user", "content": [{"type": "text", "text": "[Observation]: The page."}, '
        '{"type": "image_url", "image_url": {"url": "view:{\\"page_number\\": 2}"}}]}\n'
        f'{{"role": "assistant", "content": "{thought}Answer()"}}\n'
        '{"role": "user", "content": "[Observation]: [4, \\"é\\"]"}\n'
    )
    # So its authors count the turns of a file.
    assert written.count("\n") // 2 - 1 == 4


def test_the_table_of_scores(place):
    assert (place / "evaluation.txt").read_text() == (
        "family      tag         total  correct  score\n"
        "type        single          2        1  50.00\n"
        "type        retrieval       1        0   0.00\n"
        "type        average                     25.00\n"
        "element     text            3        1  33.33\n"
        "element     average                     33.33\n"
        "evaluation  objective       2        1  50.00\n"
        "evaluation  subjective      1        0   0.00\n"
        "evaluation  average                     25.00\n"
        "total                       3        1  33.33\n"
    )


def test_the_log_of_inspect_ai(place):
    log = json.loads((place / "inspect.json").read_text(encoding="utf-8"))
    # What reads the head of a log alone stops at its samples.
    assert [*log] == ["version", "status", "eval", "plan", "results", "stats", "samples"]
    assert [path.name for path in place.glob("inspect*")] == ["inspect.json"]
    samples = log.pop("samples")
    usage = {"m-1": {"input_tokens": 270, "output_tokens": 30, "total_tokens": 300}}
    metrics = {"accuracy": {"name": "accuracy", "value": 1 / 3}}
    assert log == {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": "r-1",
            "run_id": "r",
            "created": CREATED,
            "task": "airqa",
            "task_id": "airqa",
            "task_args": {"baseline": "agentic_hybrid", "turns": 20},
            "solver": "agentic_hybrid",
            "dataset": {"name": "airqa", "samples": 3, "sample_ids": ["a", "../b", "c"]},
            "model": "m-1",
            "config": {"epochs": 1},
            "metadata": {"repeat": 1, "prompt_version": "p"},
        },
        "plan": {"name": "plan", "steps": [{"solver": "agentic_hybrid", "params": {}}]},
        "results": {
            "total_samples": 3,
            "completed_samples": 3,
            "scores": [{"name": "airqa", "scorer": "airqa", "scored_samples": 3, "metrics": metrics}],
        },
        "stats": {"started_at": CREATED, "completed_at": CREATED, "model_usage": usage},
    }
    first, second, third = samples
    assert (first["target"], first["input"], first["epoch"]) == ('{"gold": 4}', "How many a?", 1)
    assert first["scores"] == {"airqa": {"value": "C", "answer": '[4, "é"]', "explanation": None}}
    assert second["scores"]["airqa"]["value"] == "I"
    assert third["error"] == {"message": "timeout", "traceback": "", "traceback_ansi": ""}
    assert [message["role"] for message in first["messages"]] == [
        "system",
        "user",
        *["assistant", "user"] * 4,
    ]
    assert first["messages"][7]["content"][1] == {"type": "text", "text": 'view:{"page_number": 2}'}
    assert first["output"]["choices"][0]["message"]["content"].endswith("Answer()")


def test_every_repetition_of_a_home_has_its_folder(tmp_path):
    warehouse = Warehouse(str(tmp_path / "w.duckdb"))
    runs = [run_row("r", n) for n in (1, 2)]
    answers = [answer_row("r", f"e{n}", 4, repeat) for repeat in (1, 2) for n in range(150)]
    turns = [turn_row("r", "e7", 1, "Answer", {"answer": 4}, None, 2)]
    write_rows(warehouse, runs=runs, answers=answers, turns=turns)
    written = list(write_runs(warehouse, tmp_path / "out", CREATED))
    assert written == [tmp_path / "out" / "r" / "1", tmp_path / "out" / "r" / "2"]
    for place in written:
        assert len((place / "result.jsonl").read_text().splitlines()) == 150
    lines = [len((place / "trajectories" / "e7.jsonl").read_text().splitlines()) for place in written]
    assert lines == [2, 4]
