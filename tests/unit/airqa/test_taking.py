"""Examples taken into a home: new, known, changed and rejected lines, papers that are not there."""

import json
from pathlib import Path

import pytest
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.airqa.examples.taking import example_of, missing_papers, take_examples

PAPER = "16f7e6e6-6bfa-5c74-9c8b-1adc5bf7e3b9"


def example(uuid="a", gold=4, **more):
    evaluator = {"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": gold}}
    return {
        "uuid": uuid,
        "question": "How many?",
        "tags": ["single", "text", "objective"],
        "anchor_pdf": [PAPER],
        "evaluator": evaluator,
    } | more


@pytest.fixture
def home(tmp_path):
    files, warehouse = FileStore(folder=str(tmp_path / "files")), Warehouse(str(tmp_path / "w.duckdb"))

    def take(name: str, *lines, replace=False):
        path: Path = tmp_path / name
        written = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
        path.write_bytes(b"\n".join(written))
        return take_examples(path, files, warehouse, replace=replace)

    take.files, take.warehouse = files, warehouse
    return take


def counts(taken):
    return taken.new, taken.changed, taken.known, taken.examples, dict(taken.reasons)


def record(warehouse):
    query = (
        "select table_name, fingerprint from ops.materializations where table_name like 'airqa.%' order by 1"
    )
    return warehouse.read(query).rows()


def test_a_damaged_file_costs_only_its_bad_lines(home):
    taken = home(
        "e.jsonl",
        example("a"),
        b'{"uuid": "b", "que',
        b"\xff\xfe",
        example(""),
        example("a", 5),
        example("c", colour="red"),
        [],
    )
    assert counts(taken) == (2, 0, 0, 2, {"unreadable": 4, "same_id": 1})
    rows = home.warehouse.read(
        "select line, example_id, rejection_reason, detail from airqa.rejected_examples"
    )
    assert [row[:3] for row in rows.rows()] == [
        (2, None, "unreadable"),
        (3, None, "unreadable"),
        (4, None, "unreadable"),
        (5, "a", "same_id"),
        (7, None, "unreadable"),
    ]
    assert rows["detail"][3] == "e.jsonl:1 has its uuid a"
    assert taken.problems[3] == "line 5: e.jsonl:1 has its uuid a"
    held = home.warehouse.read("select example_id, file_name, evaluator, file_id, shape from airqa.examples")
    assert [row[:3] for row in held.rows()] == [
        ("a", "e.jsonl:1", '{"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 4}}'),
        ("c", "e.jsonl:6", '{"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 4}}'),
    ]
    assert home.files.get(held["file_id"][0]).startswith(b'{"uuid": "a"')
    assert example_of(held.row(1, named=True)).shape() == example("c", colour="red")


def test_the_same_file_again_changes_nothing(home):
    assert counts(home("e.jsonl", example("a"), b"{"))[:3] == (1, 0, 0)
    before = record(home.warehouse)
    assert counts(home("e.jsonl", example("a"), b"{")) == (0, 0, 1, 1, {"unreadable": 1})
    assert record(home.warehouse) == before
    assert home.warehouse.read("from airqa.rejected_examples").height == 1


def test_another_example_with_a_known_uuid_is_told_and_replaces_only_when_asked(home):
    home("e.jsonl", example("a"), example("b"))
    taken = home("f.jsonl", example("a", 5), example("c"))
    assert counts(taken) == (1, 0, 0, 3, {"other_content": 1})
    assert taken.problems == [
        "line 1: another example has its uuid a already: --replace puts this one in its place"
    ]
    gold = "json_extract_string(evaluator, '$.eval_kwargs.gold')"
    golds = f"select {gold} from airqa.examples where example_id = 'a'"
    assert home.warehouse.read(golds).rows() == [("4",)]
    before = record(home.warehouse)
    assert counts(home("f.jsonl", example("a", 5), example("c"), replace=True)) == (0, 1, 1, 3, {})
    assert home.warehouse.read(golds).rows() == [("5",)]
    assert home.warehouse.read("from airqa.rejected_examples").height == 0
    assert record(home.warehouse) != before


def test_half_a_surrogate_pair_stays_the_same_example(home):
    odd = example("a", question="\ud800 what?")
    assert counts(home("e.jsonl", odd))[:3] == (1, 0, 0)
    assert counts(home("e.jsonl", odd))[:3] == (0, 0, 1)


def test_papers_that_the_store_does_not_have_are_told(home):
    taken = home("e.jsonl", example("a"), example("b", anchor_pdf=[], conference=["acl2023"]))
    assert taken.missing == {"a": [PAPER]}
    rows = home.warehouse.read("select shape from airqa.examples order by example_id").iter_rows(named=True)
    assert missing_papers(map(example_of, rows), [PAPER]) == {}
