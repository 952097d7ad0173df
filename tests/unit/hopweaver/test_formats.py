"""The files of HopWeaver's authors: what is written is read again unchanged, theirs as they are."""

import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.hopweaver.formats import objects
from aimsciqa_assets.hopweaver.formats.datasets import (
    Example,
    example,
    example_shape,
    file_name,
    originals,
    polished_ones,
)
from aimsciqa_assets.hopweaver.formats.evaluations import (
    DIMENSIONS,
    METRICS,
    Judged,
    RetrievalResult,
    judged_rows,
    retrieval_results,
    retrieval_shape,
    written_judged,
    written_repeats,
)
from aimsciqa_assets.hopweaver.formats.objects import (
    FormatError,
    read_objects,
    written_lines,
    written_list,
)
from aimsciqa_assets.hopweaver.formats.results import (
    BridgeResult,
    ComparisonResult,
    Hop,
    PolishResult,
    Text,
    bridge_result,
    bridge_shape,
    comparison_line,
    comparison_result,
    comparison_results,
    comparison_shape,
)

SOURCE, TARGET = Text("d1", "Hollin Weir", "A weir."), Text("2", "Salter's Weir", "Another weir.")
BRIDGE = BridgeResult(
    *(SOURCE, TARGET, "Edith Marrow", "person", ("seg", "more"), "her other works", "she built both"),
    *(
        "seg a",
        "seg b",
        "a, then b",
        (Hop("Who?", "Edith Marrow", "Document A"), Hop("q", "a", "Document B")),
    ),
    *("What else?", "a", "path", "A, B"),
)
COMPARISON = ComparisonResult(
    *(SOURCE, TARGET, "Hollin Weir", "Salter's Weir", "year", "Which was first?", "Salter's Weir"),
    *("In 1823.", "In 1790.", "Par a", "Par b"),
)
ADJUSTED = PolishResult("ADJUST", "Which came first?", "Salter's Weir, then")
POLISHED = [
    PolishResult("PASS"),
    ADJUSTED,
    PolishResult("REWORKED", "q2", "a2", fact_a="f", fact_b="g"),
    PolishResult("REJECTED", reason="no"),
    PolishResult("UNKNOWN", raw_response="fine"),
]


def lines(text: str, **more):
    return list(read_objects(io.StringIO(text), **more))


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    ("before", "between", "after"), [("", "\n", "\n"), ("\ufeff", "", ""), ("[", ",\n", "]")]
)
def test_objects_are_read_however_they_are_separated(monkeypatch, indent, before, between, after):
    monkeypatch.setattr(objects, "_CHUNK", 3)
    written = [{"a": '}\n{"'}, {}, {"b": {"c": [1, {"d": "é"}]}}]
    dumped = between.join(json.dumps(one, indent=indent, ensure_ascii=False) for one in written)
    assert lines(before + dumped + after) == written


@given(st.lists(st.dictionaries(st.text(), st.text() | st.integers() | st.lists(st.text())), max_size=5))
def test_lines_and_lists_are_read_as_they_were_written(shapes):
    assert lines("".join(written_lines(shapes))) == shapes
    assert lines("".join(written_list(shapes))) == shapes
    assert json.loads("".join(written_list(shapes))) == shapes
    assert len("".join(written_lines(shapes)).split("\n")) == len(shapes) + 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": 1}\n{"b": ', "Object 2 is broken or cut off"),
        ('{"a": 1} x', "Before object 2 stands 'x'"),
        ("question,answer", "Before object 1 stands 'question,answer'"),
    ],
)
def test_a_broken_file_is_told_with_its_place(text, told):
    with pytest.raises(FormatError, match=told):
        lines(text)


@pytest.mark.parametrize("polish", [None, PolishResult("ADJUST", "q", "a", "p"), PolishResult("PASS")])
def test_a_bridge_result_is_read_as_it_was_written(polish):
    result = replace(BRIDGE, polish=polish)
    assert bridge_result(json.loads(json.dumps(bridge_shape(result)))) == result


def test_a_bridge_result_has_the_fields_of_the_authors():
    shape = bridge_shape(replace(BRIDGE, polish=PolishResult("REWORKED", "q", "a", "p")))
    assert list(shape) == [
        *("source_doc", "target_doc", "bridge_entity", "sub_questions", "multi_hop_question"),
        "polish_result",
    ]
    assert shape["sub_questions"]["analysis"]["doc_b_seg"] == "seg b"
    assert shape["polish_result"] == {
        "status": "REWORKED",
        "refined_reasoning_path": "p",
        "refined_question": "q",
        "answer": "a",
    }
    long = bridge_shape(replace(BRIDGE, source=Text("d", "t", "x" * 1001)))
    assert long["source_doc"]["content"] == "x" * 1000 + "..."


@pytest.mark.parametrize("polish", [None, *POLISHED])
def test_a_comparison_is_read_as_it_was_written_in_either_shape(polish):
    result = replace(COMPARISON, polish=polish)
    assert comparison_result(comparison_shape(result)) == result
    facts = (Text("d1", "Hollin Weir", "In 1823."), Text("2", "Salter's Weir", "In 1790."))
    line = comparison_line(result)
    assert comparison_result(line) == replace(result, source=facts[0], target=facts[1])
    assert comparison_results({"comparison_questions": [line, line]}) == [comparison_result(line)] * 2


def test_what_is_missing_in_a_result_is_empty():
    assert comparison_result({"entity_a": 5, "facts": None}).entity_a == "5"
    assert bridge_result({"bridge_entity": "x", "sub_questions": {"sub_questions": None}}).hops == ()


def test_the_polished_set_has_passed_and_changed_questions_with_their_answers():
    results = [replace(COMPARISON, polish=one) for one in POLISHED]
    assert [one.id for one in originals(results)] == ["orig_1", "orig_2", "orig_3", "orig_4", "orig_5"]
    assert [example_shape(one) for one in polished_ones(results)][1:] == [
        {
            "id": "polish_2",
            "question": "Which came first?",
            "answer": "Salter's Weir, then",
            "document1": "In 1823.",
            "document2": "In 1790.",
            "entity_a": "Hollin Weir",
            "entity_b": "Salter's Weir",
            "attribute_compared": "year",
            "status": "ADJUST",
        },
        {
            "id": "polish_3",
            "question": "q2",
            "answer": "a2",
            "document1": "f",
            "document2": "g",
            "entity_a": "Hollin Weir",
            "entity_b": "Salter's Weir",
            "attribute_compared": "year",
            "status": "REWORKED",
        },
    ]
    bridges = list(polished_ones([replace(BRIDGE, polish=PolishResult("ADJUST", "q"))]))
    assert bridges == [Example("polish_1", "q", "a", ("seg a", "seg b"), "ADJUST")]


def test_an_example_is_read_as_it_was_written():
    sampled = {"id": 7, "question": "q", "answer": "a", "question_type": "bridge", "level": "hard"}
    documents = {f"document{number}": f"t: {number}" for number in range(1, 11)}
    read = example(sampled | documents)
    assert read.documents[9] == "t: 10"
    assert example_shape(read) == sampled | {"id": "7"} | documents
    with pytest.raises(FormatError, match="'x' has no question"):
        example({"id": "x"})


def test_files_are_named_as_the_authors_name_them():
    assert file_name("", "rerank", "20261122_2045", "original") == "mhqa_rerank_20261122_2045_original.json"
    assert file_name("w", "diverse", "t", "polished") == "w_mhqa_diverse_t_polished.json"


MARKS = dict.fromkeys(DIMENSIONS, 4) | {"fluency": 1, "clarity": 5}
JUDGED = [
    Judged("orig_1", "bridge", "gpt", "q, with\nbreak", "a", ("d 1", "é"), multi_hop=True, marks=MARKS),
    Judged("orig_1", "bridge", "gemma", "q, with\nbreak", "a", ("d 1",), multi_hop=False, marks={}),
]


def test_marks_are_read_as_they_were_written_without_the_rows_for_people():
    text = written_judged(JUDGED)
    assert list(judged_rows(io.StringIO(text, newline=""))) == JUDGED
    assert text.count("human") == 1
    assert "Very Poor,Very Good,Good" in text
    assert JUDGED[0].overall == 3.8


def test_rows_of_averages_are_left_out_and_people_who_marked_are_not():
    header = "dataset,id,model,question,multi_hop_reasoning,fluency\n"
    text = header + "bridge,1,human,q,Yes,Good\nbridge,1,平均分,q,0.5,3.2\n,,总平均分,,0.5,3.1\n"
    (row,) = judged_rows(io.StringIO("\ufeff" + text))
    assert (row.question_type, row.model, row.marks) == ("bridge", "human", {"fluency": 4})


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("1,gpt,Yes,Superb", "fluency of 1 is 'Superb'"),
        ("1,gpt,Yes,3.5", "fluency of 1 is '3.5'"),
        ("1,gpt,maybe,Good", "multi_hop_reasoning of 1 is 'maybe'"),
    ],
)
def test_a_mark_that_is_none_is_told(row, told):
    with pytest.raises(FormatError, match=told):
        list(judged_rows(io.StringIO(f"id,model,multi_hop_reasoning,fluency\n{row}\n")))
    with pytest.raises(FormatError, match="it needs the columns"):
        list(judged_rows(io.StringIO("question,answer\na,b\n")))


def test_repeated_runs_are_read_as_they_were_written():
    runs = [replace(JUDGED[0], answer="", documents=(), repeat=number) for number in range(2)]
    assert list(judged_rows(io.StringIO(written_repeats(runs), newline=""))) == runs


def test_retrieval_results_are_read_as_they_were_written():
    result = RetrievalResult("bm25", {name: place / 10 for place, name in enumerate(METRICS)}, 50)
    shape = retrieval_shape("wiki", [result])
    assert list(shape["results"][0]) == ["method", *METRICS, "sample_count"]
    assert retrieval_results(json.loads(json.dumps(shape))) == [result]
    with pytest.raises(FormatError, match="'bm25' lacks map"):
        retrieval_results({"results": [{"method": "bm25"}]})
