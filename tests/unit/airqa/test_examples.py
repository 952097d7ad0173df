"""Examples: any order of keys, unknown keys kept, absent ones not made up, bad lines told."""

import json

from aimsciqa_assets.airqa.examples.files import BadLine, Result, read_examples, read_results, write_examples

RELEASED = {
    "uuid": "00608f20-e3f5-5fdc-8979-4efeb0756d8e",
    "question": "Which naïve baseline wins?",
    "answer_format": "",
    "tags": ["single", "text", "objective"],
    "anchor_pdf": ["16f7e6e6-6bfa-5c74-9c8b-1adc5bf7e3b9"],
    "reference_pdf": [],
    "conference": [],
    "evaluator": {"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 4, "nidigits": 1}},
}


def written(tmp_path, *lines):
    path = tmp_path / "examples.jsonl"
    path.write_bytes(
        b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    )
    return path


def test_examples_come_back_as_they_were(tmp_path):
    more = {**RELEASED, "uuid": "b", "state": {"m": True}, "anchor_image": "f.png", "annotator": "human"}
    examples, bad = read_examples(written(tmp_path, RELEASED, dict(reversed(more.items()))))
    assert bad == []
    write_examples(tmp_path / "again.jsonl", examples)
    lines = (tmp_path / "again.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [RELEASED, more]
    assert list(json.loads(lines[1])) == [
        *("uuid", "question", "answer_format", "tags", "anchor_pdf", "reference_pdf", "conference"),
        *("evaluator", "state", "annotator", "anchor_image"),
    ]
    assert "naïve" in lines[0]


def test_lines_that_are_no_examples_are_told_and_the_rest_is_read(tmp_path):
    path = written(tmp_path, b"\xef\xbb\xbf" + json.dumps(RELEASED).encode(), b"{", b"\xff", [1], b"", b"")
    with path.open("a") as file:
        file.write(json.dumps({"uuid": "x", "question": 1, "evaluator": {}}) + "\n")
    examples, bad = read_examples(path)
    assert [example.uuid for example in examples] == [RELEASED["uuid"]]
    assert [one.line for one in bad] == [2, 3, 4, 6]
    assert [one.reason for one in bad[:3]] == [
        "it is no JSON: Expecting property name enclosed in double quotes at character 2",
        "it is not UTF-8 (byte 1)",
        "it is no JSON object",
    ]
    assert bad[3].reason == "question: Input should be a valid string; evaluator.eval_func: Field required"


def test_examples_hold_any_mark_and_name_each_key_once(tmp_path):
    marked = RELEASED | {"question": "One\u2028two\x85three?"}
    line = json.dumps(RELEASED).encode()
    doubled, no_number = line.replace(b"{", b'{"uuid": "x", ', 1), line.replace(b"{", b'{"more": NaN, ', 1)
    path = written(tmp_path, json.dumps(marked, ensure_ascii=False).encode(), doubled, no_number)
    examples, bad = read_examples(path)
    assert [example.question for example in examples] == ["One\u2028two\x85three?"]
    assert bad == [
        BadLine(2, "it is no JSON: an object has the key 'uuid' twice"),
        BadLine(3, "it is no JSON: NaN is not a finite number"),
    ]


def test_results_have_any_answer(tmp_path):
    path = written(tmp_path, {"uuid": "a", "answer": None}, {"uuid": "b"}, {"answer": 1, "uuid": "c", "x": 1})
    results, bad = read_results(path)
    assert results == [Result("a", None), Result("c", 1)]
    assert bad == [BadLine(2, "it is no object with uuid and answer")]
