"""The checker: every rule of the benchmark, and the defects of released evaluators."""

import pytest

from aimsciqa_assets.airqa.examples.checks import problems_of
from aimsciqa_assets.airqa.examples.defects import defects_of
from aimsciqa_assets.airqa.examples.example import Example

UUID = "00608f20-e3f5-5fdc-8979-4efeb0756d8e"
PAPER = "16f7e6e6-6bfa-5c74-9c8b-1adc5bf7e3b9"
SINGLE = {
    "uuid": UUID,
    "question": "How many layers has it?",
    "tags": ["single", "text", "table", "objective"],
    "anchor_pdf": [PAPER],
    "evaluator": {"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 4}},
}
RETRIEVAL = {
    **SINGLE,
    "tags": ["retrieval", "text", "objective"],
    "anchor_pdf": [],
    "conference": ["acl2023"],
}


def rules(base, **changes):
    return [problem.rule for problem in problems_of([Example.model_validate({**base, **changes})])]


@pytest.mark.parametrize("base", [SINGLE, RETRIEVAL])
def test_a_good_example_has_no_problem(base):
    assert rules(base) == []


@pytest.mark.parametrize(
    ("base", "changes", "expected"),
    [
        (SINGLE, {"question": " "}, ["empty_field"]),
        (SINGLE, {"uuid": ""}, ["empty_field"]),
        (SINGLE, {"uuid": "7"}, ["malformed_uuid"]),
        (SINGLE, {"tags": []}, ["empty_field"]),
        (SINGLE, {"tags": ["single", "text"]}, ["missing_tag"]),
        (SINGLE, {"tags": ["single", "objective"]}, ["missing_tag"]),
        (SINGLE, {"tags": ["text", "objective"]}, ["missing_tag"]),
        (SINGLE, {"tags": ["single", "multiple", "text", "objective"]}, ["too_many_tags"]),
        (SINGLE, {"tags": ["single", "text", "objective", "subjective"]}, ["too_many_tags"]),
        (SINGLE, {"tags": ["single", "figure", "text", "objective"]}, ["unknown_tag"]),
        (SINGLE, {"tags": ["single", "text", "text", "objective"]}, ["repeated_tag"]),
        (SINGLE, {"anchor_pdf": []}, ["no_place"]),
        (SINGLE, {"anchor_pdf": [], "reference_pdf": [PAPER]}, []),
        (SINGLE, {"anchor_pdf": ["2301.00001"]}, ["malformed_uuid"]),
        (SINGLE, {"conference": ["acl2023"]}, ["needless_conference"]),
        (RETRIEVAL, {"conference": []}, ["no_place", "missing_conference"]),
        (RETRIEVAL, {"conference": ["ACL 2023"]}, ["malformed_conference"]),
        (RETRIEVAL, {"anchor_pdf": [PAPER]}, ["given_away"]),
        (RETRIEVAL, {"tags": ["comprehensive", "text", "objective"], "anchor_pdf": [PAPER]}, ["given_away"]),
        (
            SINGLE,
            {"evaluator": {"eval_func": "eval_int_exact_match", "eval_kwargs": {}}},
            ["empty_field", "missing_parameter"],
        ),
    ],
)
def test_rules(base, changes, expected):
    assert rules(base, **changes) == expected


def test_two_examples_of_one_uuid_are_told():
    problems = problems_of([Example.model_validate(SINGLE)] * 2)
    assert [(problem.uuid, problem.rule) for problem in problems] == [(UUID, "repeated_uuid")] * 2


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("eval_float_exact_match", {"gold": 0.5, "nidigits": 3}, ["unknown_parameter"]),
        ("eval_string_exact_match", {"gold": "a", "ignore_case": True}, ["unknown_parameter"]),
        ("eval_float_exact_match", {"gold": "2463.5", "ndigits": 1}, ["wrong_kind"]),
        ("eval_string_exact_match", {"gold": ["a"]}, ["wrong_kind"]),
        ("eval_int_exact_match", {"gold": 4.5}, ["wrong_kind"]),
        ("eval_int_exact_match", {"gold": True}, ["wrong_kind"]),
        ("eval_bool_exact_match", {"gold": "false"}, ["wrong_kind"]),
        ("eval_string_fuzzy_match", {"gold": "a", "threshold": 0.9}, ["wrong_scale"]),
        ("eval_string_fuzzy_match", {"gold": "a", "threshold": 101}, ["wrong_scale"]),
        ("eval_string_fuzzy_match", {"gold": "a", "fuzz_method": "rate"}, ["unknown_choice"]),
        ("eval_string_fuzzy_match", {"gold": "a", "fuzz_method": "WRatio"}, []),
        ("eval_element_included", {"gold": ["a"], "element_type": "WRatio"}, ["unknown_choice"]),
        ("eval_structured_object_exact_match", {"gold": ["a"], "threshold": -1}, []),
        ("eval_structured_object_exact_match", {"gold": ["'"], "ndigits": None}, []),
        ("eval_structured_object_exact_match", {"gold": ["a", float("nan")]}, ["never_passes"]),
        ("eval_structured_object_exact_match", {"gold": {"a": True}}, []),
        ("eval_element_list_overlap", {"gold": ["a"], "count": 2}, ["never_passes"]),
        ("eval_element_list_overlap", {"gold": ["a"], "count": 0}, ["count_out_of_range"]),
        ("eval_element_included", {"gold": []}, ["never_passes"]),
        ("eval_element_included", {"gold": "abc"}, ["wrong_kind"]),
        ("eval_element_list_included", {"gold": ["a"], "element_type": "list"}, ["unknown_choice"]),
        (
            "eval_partial_scoring_points_with_llm",
            {"question": "?", "scoring_points": ["a"]},
            ["count_out_of_range"],
        ),
        ("eval_reference_answer_with_llm", {"question": "?", "reference_answer": "a", "llm_model": "m"}, []),
        ("eval_reference_answer_with_llm", {"reference_answer": "a"}, ["missing_parameter"]),
        (
            "eval_paper_relevance_with_reference_answer",
            {"question": "?", "reference_answer": "a", "lowercase": True},
            ["unknown_parameter"],
        ),
        (
            "eval_paper_relevance_with_reference_answer",
            {"question": "?", "reference_answer": []},
            ["never_passes"],
        ),
        (
            "eval_conjunction",
            {"eval_func_list": ["eval_int_exact_match"], "eval_kwargs_list": []},
            ["lists_differ"],
        ),
        (
            "eval_conjunction",
            {"eval_func_list": ["eval_int_exact_match"] * 2, "eval_kwargs_list": [{"gold": 1}, {"gold": 2}]},
            [],
        ),
        (
            "eval_conjunction",
            {"eval_func_list": ["eval_int_match"], "eval_kwargs_list": [{"gold": 1}]},
            ["unknown_function"],
        ),
        (
            "eval_negation",
            {"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": "x"}},
            ["wrong_kind"],
        ),
        ("eval_disjunction", {"eval_func_list": [], "eval_kwargs_list": []}, ["never_passes"]),
        ("eval_scidqa", {"question": "?", "reference_answer": "A: so"}, []),
    ],
)
def test_defects(name, arguments, expected):
    assert [rule for rule, _ in defects_of({"eval_func": name, "eval_kwargs": arguments})] == expected


def test_a_defect_says_where_it_is_and_what_was_meant():
    inner = {"eval_func_list": ["eval_float_exact_match"], "eval_kwargs_list": [{"gold": 0.5, "nidigits": 3}]}
    assert defects_of({"eval_func": "eval_conjunction", "eval_kwargs": inner}) == [
        ("unknown_parameter", "evaluator [0]: nidigits is no parameter (ndigits?): it is ignored")
    ]
    assert defects_of({"eval_func": "eval_int_match", "eval_kwargs": {}}) == [
        ("unknown_function", "there is no function eval_int_match: eval_int_exact_match?")
    ]
