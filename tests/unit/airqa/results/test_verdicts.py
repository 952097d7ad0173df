"""Answers scored by their evaluators, judged where these ask for it, and what counts as wrong without."""

import json

import pytest
from aimsciqa_resources.language_model import ModelReply
from aimsciqa_resources.language_model.dialogue import Ended, advance

from aimsciqa_assets.airqa.evaluation.judges import LexicalJudge
from aimsciqa_assets.airqa.examples.example import Example
from aimsciqa_assets.airqa.results.verdicts import Verdict, by_rules, by_stand_in, judged, refused
from tests.airqa_runs import answer_row, example_shape, failed_row, judged_shape

NUMBER = Example.model_validate(example_shape("a", 4))
CAT = Example.model_validate(judged_shape("a", "a black cat"))
FORMULA = Example.model_validate(
    judged_shape("a", "")
    | {
        "evaluator": {
            "eval_func": "eval_complex_math_formula_with_llm",
            "eval_kwargs": {"formulas": "x^2", "question": "?"},
        }
    }
)
OF = ("r", 1, "a")


def held(dialogue, *replies):
    """The requests of a dialogue, and its result."""
    requests = [next(dialogue)]
    for text in replies:
        step = advance(dialogue, requests[-1], ModelReply(requests[-1].key, text, None if text else "late"))
        if isinstance(step, Ended):
            return requests, step.result
        requests.append(step)
    raise AssertionError("the dialogue asks on")


@pytest.mark.parametrize(("answer", "score"), [("4", 1), (4.0, 1), ("5", 0), (None, 0), ([4], 0)])
def test_rules_score_an_answer(answer, score):
    assert by_rules(answer_row("r", "a", answer), NUMBER) == Verdict(*OF, score)


def test_what_has_no_verdict_counts_as_wrong_and_says_why():
    unknown = Example.model_validate(example_shape("a", evaluator={"eval_func": "eval_nothing"}))
    assert by_rules(failed_row("r", "a"), NUMBER) == Verdict(*OF, 0, reason="no_answer", detail="timeout")
    told = "there is no evaluation function 'eval_nothing': aimsciqa airqa evaluators"
    found = by_rules(answer_row("r", "a", 4), unknown)
    assert found == Verdict(*OF, 0, reason="unknown_function", detail=told)
    gone = by_rules(answer_row("r", "a", 4), None)
    assert (gone.score, gone.reason) == (None, "no_example")


def test_a_judge_is_asked_and_what_it_said_is_kept():
    row = answer_row("r", "a", "a cat, black")
    assert by_rules(row, CAT) is None
    requests, verdict = held(judged(row, CAT, "j-1"), "Same.\n```\nTrue\n```")
    assert [request.task for request in requests] == ["airqa_reference_answer"]
    assert verdict == Verdict(*OF, 1, "j-1", detail="Same.\n```\nTrue\n```")
    requests, verdict = held(judged(row, CAT, "j-1"), "Yes!", "```\nfalse\n```")
    assert len({request.key for request in requests}) == 1
    assert verdict == Verdict(*OF, 0, "j-1", detail="```\nfalse\n```")


def test_a_judge_without_a_reply_is_no_verdict_and_a_failure_of_the_account():
    _, verdict = held(judged(answer_row("r", "a", "a cat"), CAT, "j-1"), None)
    assert (verdict.score, verdict.reason, verdict.failure) == (0, "no_reply", "no_reply")
    assert "failure" not in verdict.row


def test_what_needs_no_judge_after_all_rests_on_none():
    with pytest.raises(StopIteration) as ended:
        next(judged(answer_row("r", "a", "$ x^{2} $"), FORMULA, "j-1"))
    assert ended.value.value == Verdict(*OF, 1)


def test_a_judge_of_the_own_family_gives_no_verdict_where_it_would_have_to_be_asked():
    row = answer_row("r", "a", "a cat")
    told = "Qwen/Qwen3-32B is of the family of Qwen2.5-7B"
    assert refused(row, CAT, "Qwen/Qwen3-32B", "Qwen2.5-7B") == Verdict(
        *OF, None, "Qwen/Qwen3-32B", reason="same_family", detail=told
    )
    assert refused(answer_row("r", "a", "$ x^{2} $"), FORMULA, "j", "j") == Verdict(*OF, 1)


def test_the_stand_in_marks_its_verdicts():
    name = "lexical stand-in (no model)"
    row = answer_row("r", "a", "it is a black cat")
    assert by_stand_in(row, CAT, LexicalJudge()) == Verdict(*OF, 1, name, stand_in=True)
    assert by_stand_in(row | {"answer": json.dumps("x^2")}, FORMULA, LexicalJudge()) == Verdict(*OF, 1)
