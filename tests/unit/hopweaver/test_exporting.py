"""Questions of the tables in the files of HopWeaver's authors."""

import json

import pytest

from aimsciqa_assets.hopweaver.formats.exporting import files_of, result_of, write_files
from aimsciqa_assets.hopweaver.formats.objects import read_objects
from aimsciqa_assets.hopweaver.formats.results import bridge_result, comparison_result

COMMON = {
    "first_paper_id": "d1",
    "first_title": "Hollin Weir",
    "first_content": "A weir.",
    "second_paper_id": "d2",
    "second_title": "Salter's Weir",
    "second_content": "Another weir.",
    "entity_a": "Hollin Weir",
    "entity_b": None,
    "attribute": None,
    "question": "q",
    "answer": "a",
    "reasoning_path": None,
    "question_1": None,
    "answer_1": None,
    "question_2": None,
    "answer_2": None,
    "first_passage": "first",
    "second_passage": "second",
    "entity_type": None,
    "query": None,
    "connection": None,
    "analysis_path": None,
    "first_paragraph": None,
    "second_paragraph": None,
    "polisher_status": None,
    "polisher_reason": None,
    "polisher_reply": None,
    "polished_question": None,
    "polished_answer": None,
    "polished_path": None,
    "polished_first_passage": None,
    "polished_second_passage": None,
}
COMPARISON = COMMON | {
    "kind": "comparison",
    "entity_b": "Salter's Weir",
    "attribute": "year",
    "first_paragraph": "par a",
    "second_paragraph": "par b",
}
BRIDGE = COMMON | {
    "kind": "bridge",
    "reasoning_path": "path",
    "question_1": "q1",
    "answer_1": "Hollin Weir",
    "question_2": "q2",
    "answer_2": "a",
    "entity_type": "weir",
    "query": "another weir",
    "connection": "both",
}
POLISHED = {"polished_question": "q!", "polished_answer": "a!", "polished_path": "p!"}
POLISHED |= {"polished_first_passage": "first!", "polished_second_passage": "second!"}


@pytest.mark.parametrize(
    ("kind", "status", "expected"),
    [
        (COMPARISON, "pass", {"status": "PASS"}),
        (COMPARISON, "adjust", {"status": "ADJUST", "refined_question": "q!", "refined_answer": "a!"}),
        (COMPARISON, "rejected", {"status": "REJECTED", "reason": "dull"}),
        (COMPARISON, "error", {"status": "UNKNOWN", "raw_response": "well"}),
        (BRIDGE, "error", {"status": "ERROR", "message": "No outcome could be read: well"}),
        (
            BRIDGE,
            "reworked",
            {
                "status": "REWORKED",
                "refined_reasoning_path": "p!",
                "refined_question": "q!",
                "answer": "a!",
            },
        ),
    ],
)
def test_the_polisher_is_written_as_the_authors_write_it(tmp_path, kind, status, expected):
    row = kind | POLISHED | {"polisher_status": status, "polisher_reason": "dull", "polisher_reply": "well"}
    paths = write_files(files_of([row], "diverse", "t"), tmp_path / "new")
    (shape,) = read_objects(paths[0].open(encoding="utf-8"))
    assert shape["polish_result"] == expected


def test_each_kind_has_a_file_of_results_and_two_sets(tmp_path):
    changed = POLISHED | {"polisher_status": "reworked"}
    rows = [BRIDGE, COMPARISON | changed, COMPARISON | {"polisher_status": "rejected"}]
    paths = write_files(files_of(rows, "rerank", "t"), tmp_path)
    assert [path.name for path in paths] == [
        "multihop_batch_t.jsonl",
        "bridge_mhqa_rerank_t_original.json",
        "bridge_mhqa_rerank_t_polished.json",
        "comparison_batch_t.jsonl",
        "comparison_mhqa_rerank_t_original.json",
        "comparison_mhqa_rerank_t_polished.json",
    ]
    assert bridge_result(json.loads(paths[0].read_text())) == result_of(BRIDGE)
    lines = paths[3].read_text().splitlines()
    assert comparison_result(json.loads(lines[0])).polish.fact_b == "second!"
    assert json.loads(paths[2].read_text()) == []
    (polished,) = json.loads(paths[5].read_text())
    assert (polished["id"], polished["answer"], polished["document2"]) == ("polish_1", "a!", "second!")
