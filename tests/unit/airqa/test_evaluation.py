"""The 19 evaluation functions: the benchmark's verdicts, and what its cases do not show."""

import json
import math

import pytest
from aimsciqa_resources.language_model import ModelReply
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from aimsciqa_assets.airqa import score
from aimsciqa_assets.airqa.evaluation.functions import (
    FUNCTIONS,
    UnknownFunctionError,
    asks_a_judge,
    with_joined,
)
from aimsciqa_assets.airqa.evaluation.fuzzy import FUZZ_METHODS
from aimsciqa_assets.airqa.evaluation.judged import NoReplyError
from aimsciqa_assets.airqa.evaluation.judges import LexicalJudge
from aimsciqa_assets.airqa.evaluation.scoring import NoJudgeError, scored
from tests.reference_cases import all_cases


def given_by(name, answer, **arguments):
    return score({"eval_func": f"eval_{name}", "eval_kwargs": arguments}, answer)


@pytest.mark.parametrize("case", all_cases("airqa-evaluators"))
def test_verdicts_of_the_benchmark(case):
    verdict = score({"eval_func": case["eval_func"], "eval_kwargs": case["eval_kwargs"]}, case["prediction"])
    # What only `eval()` can read is a text here.
    expected = 0.0 if "literal_eval" in case.get("sensitive_to", ()) else case["evaluator_score"]
    assert verdict == expected


@pytest.mark.parametrize("name", [name for name in fuzz.__all__ if name != "partial_ratio_alignment"])
def test_every_scorer_of_rapidfuzz_has_its_name(name):
    assert FUZZ_METHODS[name]("GNU Linux", "GNU Linux") == 100
    assert FUZZ_METHODS[name]("abc", "xyz") == 0


@pytest.mark.parametrize(
    ("one", "other", "score"),
    [
        ("", "a", 0),
        ("new york mets", "new YORK mets!", 100),
        ("new york mets vs atlanta braves", "atlanta braves vs new york mets", 95),
        ("new york mets", "the wonderful new york mets", 90),
        ("mets", "the wonderful new york mets of the city of new york", 60),
    ],
)
def test_the_weighted_ratio_is_that_of_fuzzywuzzy(one, other, score):
    assert FUZZ_METHODS["WRatio"](one, other) == score


@pytest.mark.parametrize("case", all_cases("airqa-fuzzy-scores"))
def test_scores_of_fuzzywuzzy(case):
    expected = {name: score for name, score in case.items() if name not in {"a", "b"}}
    assert {name: FUZZ_METHODS[name](case["a"], case["b"]) for name in expected} == expected


@pytest.mark.parametrize(
    ("name", "answer", "arguments", "expected"),
    [
        ("string_exact_match", "a\u00a0b", {"gold": "ab", "ignore_blank": True}, 1),
        ("string_exact_match", "A b", {"gold": "a b"}, 0),
        ("string_exact_match", ["a"], {"gold": "['a']"}, 1),
        ("string_exact_match", 1, {"gold": True, "lowercase": True}, 0),
        ("string_exact_match", "x", {}, 0),
        ("string_exact_match", "x", {"gold": "x", "pred": "x"}, 0),
        ("string_exact_match", "[ERROR]: no", {"gold": "[ERROR]: no"}, 0),
        ("string_exact_match", " [ERROR]: no", {"gold": "[ERROR]: no"}, 1),
        ("string_fuzzy_match", "ab", {"gold": "a  b", "ignore_blank": True}, 1),
        ("string_fuzzy_match", "b \n a", {"gold": "a b", "fuzz_method": "token_sort_ratio"}, 1),
        ("string_fuzzy_match", "AB", {"gold": "ab"}, 0),
        ("string_fuzzy_match", "AB", {"gold": "ab", "fuzz_method": "token_set_ratio"}, 1),
        ("string_fuzzy_match", "naïve", {"gold": "nave", "fuzz_method": "token_sort_ratio"}, 1),
        (
            "string_fuzzy_match",
            "βeta",
            {"gold": "eta", "fuzz_method": "token_sort_ratio", "threshold": 99},
            0,
        ),
        ("string_fuzzy_match", "wrong", {"gold": "w", "threshold": 0.9}, 1),
        ("string_fuzzy_match", "a", {"gold": "a", "fuzz_method": "no_ratio"}, 0),
        ("string_fuzzy_match", "a", {"gold": "a", "fuzz_method": "partial_ratio_alignment"}, 0),
        ("string_fuzzy_match", "GNU, Linux!", {"gold": "gnu linux", "fuzz_method": "QRatio"}, 1),
        ("string_fuzzy_match", "linux gnu", {"gold": "GNU Linux", "fuzz_method": "QRatio"}, 0),
        ("string_fuzzy_match", "Linux GNU", {"gold": "gnu linux", "fuzz_method": "WRatio"}, 1),
        (
            "string_fuzzy_match",
            "the ICLR",
            {"gold": "iclr", "fuzz_method": "WRatio", "threshold": 90},
            1,
        ),
        (
            "string_fuzzy_match",
            "the ICLR",
            {"gold": "iclr", "fuzz_method": "WRatio", "threshold": 91},
            0,
        ),
        ("string_fuzzy_match", "b a c d", {"gold": "a b", "fuzz_method": "partial_token_sort_ratio"}, 1),
        ("string_fuzzy_match", "z a", {"gold": "a b", "fuzz_method": "partial_token_set_ratio"}, 1),
        ("string_fuzzy_match", "B a", {"gold": "a b", "fuzz_method": "token_ratio"}, 1),
        ("string_fuzzy_match", "b a c", {"gold": "A", "fuzz_method": "partial_token_ratio"}, 1),
        (
            "element_included",
            "Linux GNU",
            {"gold": ["gnu linux"], "fuzz_method": "WRatio", "threshold": 90},
            1,
        ),
        ("string_fuzzy_match", "a", {"gold": "a", "threshold": "95"}, 0),
        ("bool_exact_match", "YES", {"gold": True}, 1),
        ("bool_exact_match", "F", {"gold": False}, 1),
        ("bool_exact_match", "yes ", {"gold": True}, 0),
        ("bool_exact_match", 1.0, {"gold": True}, 1),
        ("bool_exact_match", 2, {"gold": True}, 0),
        ("bool_exact_match", math.nan, {"gold": False}, 0),
        ("bool_exact_match", "true", {"gold": "false"}, 1),
        ("bool_exact_match", False, {"gold": 0}, 1),
        ("int_exact_match", 42.9, {"gold": 42}, 1),
        ("int_exact_match", "42.0", {"gold": 42}, 0),
        ("int_exact_match", "1_000", {"gold": 1000}, 1),
        ("int_exact_match", "\u0664\u0662", {"gold": 42}, 1),
        ("int_exact_match", True, {"gold": 1}, 1),
        ("int_exact_match", "42", {"gold": "42"}, 1),
        ("int_exact_match", math.inf, {"gold": 42}, 0),
        ("float_exact_match", "1e-9", {"gold": 0}, 0),
        ("float_exact_match", "-0.0", {"gold": 0}, 1),
        ("float_exact_match", "0.004", {"gold": 0, "ndigits": 2}, 1),
        ("float_exact_match", "1e400", {"gold": math.inf}, 1),
        ("float_exact_match", "nan", {"gold": math.nan}, 0),
        ("float_exact_match", "99", {"gold": 100, "tolerance": 0.01}, 1),
        ("float_exact_match", "98.99", {"gold": 100, "tolerance": 0.01}, 0),
        ("float_exact_match", "2.5", {"gold": "2.5"}, 0),
        ("float_exact_match", "2.5", {"gold": 2.4, "ndigits": 0}, 1),
        ("float_exact_match", "2.5", {"gold": 2.6, "ndigits": 0}, 0),
        ("float_exact_match", "1", {"gold": 1, "ndigits": -(10**12)}, 1),
        ("float_exact_match", "1", {"gold": 1, "tolerance": -1}, 0),
        ("float_exact_match", "1", {"gold": 1, "ndigits": 1.0}, 0),
        ("float_exact_match", True, {"gold": 1.0}, 1),
        ("structured_object_exact_match", "a", {"gold": ["a"]}, 1),
        ("structured_object_exact_match", "'a'", {"gold": ["a"]}, 0),
        ("structured_object_exact_match", "{'x'}", {"gold": ["x"]}, 1),
        ("structured_object_exact_match", "['True']", {"gold": [True]}, 0),
        ("structured_object_exact_match", "[True]", {"gold": [1]}, 1),
        ("structured_object_exact_match", "[1.9]", {"gold": [1]}, 1),
        ("structured_object_exact_match", "[None]", {"gold": ["None"]}, 1),
        ("structured_object_exact_match", "None", {"gold": None}, 1),
        ("structured_object_exact_match", "nothing at all", {"gold": {}}, 1),
        ("structured_object_exact_match", "[1]", {"gold": {}}, 0),
        ("structured_object_exact_match", "{'A': 1}", {"gold": {"a": 1}}, 0),
        ("structured_object_exact_match", "{'A': 1}", {"gold": {"a": 1}, "lowercase": True}, 1),
        ("structured_object_exact_match", "{1: 2}", {"gold": {"1": 2}}, 0),
        ("structured_object_exact_match", "{'1': 2}", {"gold": {1: 2}}, 1),
        ("structured_object_exact_match", "{1: 2}", {"gold": {1: 2}}, 1),
        ("structured_object_exact_match", "{1: 2}", {"gold": {"a": 2}, "lowercase": True}, 0),
        ("structured_object_exact_match", '{"a": "[1, 2]"}', {"gold": {"a": [1, 2]}}, 1),
        ("structured_object_exact_match", '["{\\"a\\": 1}"]', {"gold": [{"a": 1}]}, 1),
        ("structured_object_exact_match", "[10, 9]", {"gold": [9, 10], "ignore_order": True}, 1),
        ("structured_object_exact_match", "['10', 9]", {"gold": [9, 10], "ignore_order": True}, 1),
        ("structured_object_exact_match", "[' a', 'B']", {"gold": ["B", "a"], "ignore_order": True}, 0),
        ("structured_object_exact_match", "['abcdefghix']", {"gold": ["abcdefghij"], "threshold": 90}, 1),
        ("structured_object_exact_match", "['abcdefghix']", {"gold": ["abcdefghij"], "threshold": -1}, 0),
        ("structured_object_exact_match", "a b", {"gold": "ab", "ignore_blank": True}, 1),
        ("element_included", "b", {"gold": "abc"}, 1),
        ("element_included", 3.14159, {"gold": [3.14], "element_type": "float"}, 1),
        ("element_included", 3.14159, {"gold": [3.14], "element_type": "float", "ndigits": None}, 0),
        ("element_included", "[1, 2]", {"gold": [[2, 1]], "element_type": "list", "ignore_order": True}, 1),
        ("element_included", "1", {"gold": 1}, 0),
        ("element_list_included", "[]", {"gold": []}, 1),
        ("element_list_included", "", {"gold": ["a"]}, 0),
        ("element_list_included", "'[]'", {"gold": ["a"]}, 0),
        ("element_list_overlap", "['a']", {"gold": ["a"], "count": 0}, 1),
        ("element_list_overlap", "['z']", {"gold": ["a"], "count": 0}, 0),
        ("element_list_overlap", "[1, '1']", {"gold": ["1"], "count": 2}, 0),
        ("element_list_overlap", "['a', 'A']", {"gold": ["a"], "count": 2, "lowercase": True}, 1),
        (
            "paper_relevance_with_reference_answer",
            "A TITLE",
            {"question": "", "reference_answer": "a title"},
            1,
        ),
        (
            "paper_relevance_with_reference_answer",
            "a title ",
            {"question": "", "reference_answer": "a title"},
            0,
        ),
        ("paper_relevance_with_reference_answer", "x", {"question": "", "reference_answer": ["a", "x"]}, 1),
        ("paper_relevance_with_reference_answer", 5, {"question": "", "reference_answer": "5"}, 0),
        ("paper_relevance_with_reference_answer", "5", {"question": "", "reference_answer": 5}, 0),
        ("paper_relevance_with_reference_answer", "x", {"reference_answer": "x"}, 0),
        (
            "paper_relevance_with_reference_answer",
            "x",
            {"question": "", "reference_answer": "x", "more": 1},
            0,
        ),
        ("conjunction", "[]", {"eval_func_list": [], "eval_kwargs_list": []}, 1),
        ("conjunction", "nothing", {"eval_func_list": [], "eval_kwargs_list": []}, 0),
        ("conjunction", "[1]", {"eval_func_list": ["eval_int_exact_match"], "eval_kwargs_list": []}, 1),
        ("conjunction", "[1]", {"eval_func_list": ["eval_nothing"], "eval_kwargs_list": [{}]}, 0),
        ("conjunction", "[]", {"eval_func_list": [], "eval_kwargs_list": [], "more": 1}, 0),
        ("disjunction", "[]", {"eval_func_list": [], "eval_kwargs_list": []}, 0),
        ("negation", "1", {"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 1}}, 0),
        ("negation", "1", {"eval_func": "eval_nothing", "eval_kwargs": {}}, 0),
        ("negation", "[ERROR]: x", {"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 1}}, 0),
    ],
)
def test_oddities(name, answer, arguments, expected):
    assert given_by(name, answer, **arguments) == expected


def test_functions_that_join_others_can_be_joined():
    one = {"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 1}}
    none = {"eval_func_list": ["eval_negation"] * 2, "eval_kwargs_list": [one, one]}
    assert given_by("conjunction", "[2, 'x']", **none) == 1
    assert given_by("conjunction", "[2, 1]", **none) == 0
    assert given_by("disjunction", "[2, 1]", **none) == 1


def test_there_are_19_functions():
    assert len(FUNCTIONS) == 19
    assert {name.startswith("eval_") for name in FUNCTIONS} == {True}


def test_an_evaluator_without_a_function_is_no_verdict_on_the_answer():
    with pytest.raises(UnknownFunctionError, match="no evaluation function 'eval_nothing'"):
        score({"eval_func": "eval_nothing", "eval_kwargs": {}}, "x")
    with pytest.raises(UnknownFunctionError):
        score({}, "x")


@pytest.mark.parametrize(
    "answer",
    [10**10_000, [10**10_000], "9" * 10_000, "x" * 900_000, "x" * 2_000_000, "[" * 500_000],
    ids=["number", "list of one", "digits", "text", "longer text", "brackets"],
)
@pytest.mark.parametrize(
    ("name", "gold"),
    [
        ("string_exact_match", "a"),
        ("string_fuzzy_match", "a" * 500),
        ("bool_exact_match", True),
        ("int_exact_match", 1),
        ("float_exact_match", 1.0),
        ("structured_object_exact_match", [1]),
        ("structured_object_exact_match", {"a": 1}),
        ("element_list_included", ["a"]),
    ],
)
def test_hostile_answers_are_wrong(name, gold, answer):
    assert given_by(name, answer, gold=gold) == 0


def test_the_best_part_of_long_texts_is_found_within_bounds():
    whole = "".join(f"{number * number} " for number in range(3_000))
    part = whole[5_000:15_000].replace("7", "x")
    # 544 of its 10,000 characters differ.
    assert FUZZ_METHODS["partial_ratio"](part, whole) == 95


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
UNJUDGED = sorted(name for name in FUNCTIONS if not name.endswith("_llm"))
OPTIONS = st.fixed_dictionaries(
    {"gold": JSON},
    optional={
        "lowercase": st.booleans(),
        "ignore_blank": st.booleans(),
        "ignore_order": st.booleans(),
        "threshold": st.integers(-1, 100) | JSON,
        "fuzz_method": st.sampled_from(sorted(FUZZ_METHODS)) | JSON,
        "ndigits": st.integers(-3, 6) | JSON,
        "tolerance": st.floats(0, 1) | JSON,
        "count": st.integers(0, 3) | JSON,
        "element_type": st.sampled_from(["str", "int", "float", "structured"]) | JSON,
        "question": JSON,
        "reference_answer": JSON,
        "eval_func": st.sampled_from(UNJUDGED) | JSON,
        "eval_kwargs": JSON,
        "eval_func_list": st.lists(st.sampled_from(UNJUDGED), max_size=2) | JSON,
        "eval_kwargs_list": JSON,
    },
)


@given(st.sampled_from(UNJUDGED), JSON | JSON.map(repr) | JSON.map(json.dumps), OPTIONS | JSON)
def test_every_verdict_is_0_or_1(name, answer, arguments):
    assert score({"eval_func": name, "eval_kwargs": arguments}, answer) in {0.0, 1.0}


NUMBERS = st.recursive(
    st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(NUMBERS, st.booleans())
def test_an_answer_that_repeats_the_right_one_passes(gold, ignore_order):
    for answer in (gold, repr(gold), json.dumps(gold)):
        assert given_by("structured_object_exact_match", answer, gold=gold, ignore_order=ignore_order) == 1


class Saying:
    """A judge that says what it was told to say, and remembers what it was asked."""

    name = "saying"

    def __init__(self, *replies):
        self.replies = list(replies)
        self.asked = []

    def reply(self, request):
        self.asked.append(request)
        return self.replies.pop(0)


REFERENCE = {
    "eval_func": "eval_reference_answer_with_llm",
    "eval_kwargs": {"question": "Why?", "reference_answer": "Because the loss is convex.", "seed": 1},
}


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("It fits.\n```txt\nTrue\n```", 1),
        ("```true```", 1),
        ("```txt True ```", 1),
        ("```\n FALSE \n```", 0),
        ("```txt\nTrue\n``` no, ```txt\nFalse\n```", 0),
        ("```txt\nFalse\n``` no, ```txt\nTrue\n```", 1),
    ],
)
def test_the_last_block_is_the_verdict(reply, expected):
    judge = Saying(reply)
    assert score(REFERENCE, "It is convex.", judge) == expected
    assert [request.task for request in judge.asked] == ["airqa_reference_answer"]
    assert "Given answer: It is convex." in judge.asked[0].messages[-1].text


@pytest.mark.parametrize("bad", ["True", "```txt\nnot true\n```", "```\nTrue.\n```", "```True", ""])
def test_a_reply_without_a_verdict_goes_back_once_and_then_means_no(bad):
    judge = Saying(bad, "```txt\nTrue\n```")
    assert score(REFERENCE, "x", judge) == 1
    assert judge.asked[1].purpose == "repair"
    assert score(REFERENCE, "x", Saying(bad, bad)) == 0


def test_without_a_judge_there_is_no_verdict():
    with pytest.raises(NoJudgeError, match="give a judge, or LexicalJudge"):
        score(REFERENCE, "x")


def test_a_judge_without_a_reply_is_no_verdict():
    asking = scored(REFERENCE, "x", "key of mine")
    assert next(asking).key == "key of mine"
    with pytest.raises(NoReplyError, match="airqa_reference_answer: no reply \\(refused\\)"):
        asking.send(ModelReply("key of mine", None, "refused"))


def test_a_failed_run_and_a_broken_evaluator_ask_nobody():
    assert score(REFERENCE, "[ERROR]: out of turns") == 0
    assert score({**REFERENCE, "eval_kwargs": {"question": "Why?"}}, "x") == 0
    for count in (0, 2):
        points = {"question": "?", "scoring_points": ["a", "b"], "count": count}
        assert given_by("partial_scoring_points_with_llm", "x", **points) == 0


def test_functions_that_join_others_ask_only_as_long_as_it_matters():
    both = {"eval_func_list": ["eval_int_exact_match", REFERENCE["eval_func"]]}
    both["eval_kwargs_list"] = [{"gold": 1}, REFERENCE["eval_kwargs"]]
    assert given_by("conjunction", "[2, 'x']", **both) == 0
    assert given_by("disjunction", "[1, 'x']", **both) == 1
    conjunction = {"eval_func": "eval_conjunction", "eval_kwargs": both}
    assert score(conjunction, "[1, 'x']", Saying("```txt\nTrue\n```")) == 1
    assert asks_a_judge(conjunction)
    assert asks_a_judge({"eval_func": "eval_negation", "eval_kwargs": REFERENCE})
    assert not asks_a_judge(
        {"eval_func": "eval_negation", "eval_kwargs": {"eval_func": "eval_int_exact_match"}}
    )
    assert not asks_a_judge({"eval_func": "eval_conjunction", "eval_kwargs": [1]})


FORMULAS = {"question": "?", "formulas": "$\\mathcal{L} = \\left( x + y_{1} \\right)$"}


@pytest.mark.parametrize(
    "answer",
    [
        "\\mathcal{L}=(x+y_1)",
        "$$ \\mathcal{L} = \\bigl(x\\,+\\,y_1\\bigr). $$",
        "```latex\n\\[\\mathcal{L} = (\\mathrm{x} + y_{1})\\]\n```",
    ],
)
def test_formulas_that_are_the_same_latex_need_no_judge(answer):
    assert given_by("complex_math_formula_with_llm", answer, **FORMULAS) == 1


@pytest.mark.parametrize(
    "answer", ["\\mathcal{L}=(y_1+x)", "\\mathcal{L}=(x+y_2)", "\\mathcal{L}=(X+y_1)", ""]
)
def test_formulas_that_differ_go_to_the_judge(answer):
    evaluator = {"eval_func": "eval_complex_math_formula_with_llm", "eval_kwargs": FORMULAS}
    with pytest.raises(NoJudgeError):
        score(evaluator, answer)
    assert score(evaluator, answer, Saying("```txt\nTrue\n```")) == 1


def test_commands_are_not_glued_to_letters():
    arguments = {"question": "?", "formulas": ["\\alpha x", "b"]}
    assert given_by("complex_math_formula_with_llm", "\\alpha  x b", **arguments) == 1
    with pytest.raises(NoJudgeError):
        given_by("complex_math_formula_with_llm", "\\alphax b", **arguments)


POINTS = ["uses dropout", "trains for ten epochs"]


@pytest.mark.parametrize(
    ("name", "more", "answer", "expected"),
    [
        ("reference_answer", {"reference_answer": "a convex loss"}, "The loss was convex.", 1),
        ("reference_answer", {"reference_answer": "a convex loss"}, "The data are noisy.", 0),
        ("candidate_reference_answer", {"candidate_reference_answers": ["cats", "dogs"]}, "Dogs!", 1),
        ("scoring_points", {"scoring_points": POINTS}, "It uses dropout.", 0),
        ("scoring_points", {"scoring_points": POINTS}, "It uses dropout, trains for ten epochs.", 1),
        ("partial_scoring_points", {"scoring_points": POINTS}, "It uses dropout.", 1),
        (
            "reference_answer_and_scoring_points",
            {"scoring_points": POINTS[:1], "reference_answer": "BERT"},
            "It uses dropout.",
            0,
        ),
        ("complex_math_formula", {"formulas": ["a + b"]}, "c", 0),
    ],
)
def test_the_stand_in_counts_words_and_says_so(name, more, answer, expected):
    evaluator = {"eval_func": f"eval_{name}_with_llm", "eval_kwargs": {"question": "?", **more}}
    assert score(evaluator, answer, LexicalJudge()) == expected
    assert "no model" in LexicalJudge.name


def test_the_prompts_tell_of_points_and_their_order():
    arguments = {"question": "Which?", "scoring_points": [" one ", "two"], "ignore_order": False}
    judge = Saying(*["```False```"] * 2)
    for ignore_order in (False, True):
        arguments["ignore_order"] = ignore_order
        score({"eval_func": "eval_scoring_points_with_llm", "eval_kwargs": arguments}, "x", judge)
    texts = ["\n".join(message.text for message in request.messages) for request in judge.asked]
    assert "- one\n- two" in texts[0]
    assert ["must come in the order" in text for text in texts] == [True, False]


def test_evaluators_that_are_joined_have_their_places():
    inner = {"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 1}}
    both = {"eval_func_list": ["eval_negation", "eval_int_exact_match"], "eval_kwargs_list": [inner, {}]}
    places = with_joined({"eval_func": "eval_conjunction", "eval_kwargs": both})
    assert [(place, one["eval_func"]) for place, one in places] == [
        ("", "eval_conjunction"),
        ("[0]", "eval_negation"),
        ("[0][not]", "eval_int_exact_match"),
        ("[1]", "eval_int_exact_match"),
    ]
