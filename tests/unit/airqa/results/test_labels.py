"""What rules tell of how an answer came about."""

import pytest

from aimsciqa_assets.airqa.examples.example import Example
from aimsciqa_assets.airqa.results.labels import Needed, label_rows, needed_papers
from tests.airqa_runs import PAPER, answer_row, example_shape, failed_row, turn_row

SEEN = '{"pdf_id": "%s", "text": "Zinc."}' % PAPER  # noqa: UP031, braces of JSON


def turn(number, action, arguments=None, observation=None, **more):
    return turn_row("r", "a", number, action, arguments or {}, observation, **more)


def labels(turns, answer=None, *, acts=True):
    needed = [Needed(PAPER, "Zinc of wheat")]
    given = answer or answer_row("r", "a", 4)
    rows = list(label_rows(given, turns, needed, acts=acts, correct=False))
    assert all((row["run_id"], row["repeat"], row["example_id"]) == ("r", 1, "a") for row in rows)
    return [(row["label"], row["turn"], row["detail"]) for row in rows]


def test_a_good_answer_has_no_label():
    turns = [turn(1, "Retrieve", {"query": "zinc"}, SEEN), turn(2, "Answer", {"answer": 4})]
    assert labels(turns) == []


def test_the_same_call_twice_is_a_repetition_whatever_the_order_of_its_arguments():
    turns = [
        turn(1, "Retrieve", {"query": "zinc", "limit": 5}, SEEN),
        turn(2, "Query", {"sql": "select 1"}, "[1]"),
        turn(3, "Retrieve", {"limit": 5, "query": "zinc"}, SEEN),
        turn(4, "Answer", {"answer": 1}),
        turn(5, "Answer", {"answer": 1}),
    ]
    assert labels(turns) == [("repetition", 3, "the same Retrieve 2 times")]


def test_actions_that_could_not_be_read():
    bad = [
        turn_row("r", "a", n, None, None, "[Error]: ...", error=error)
        for n, error in ((1, "unparsable"), (2, "unparsable"), (3, "arguments"))
    ]
    late = turn(4, "Query", {"sql": "x"}, "[Error]: late", error="late")
    found = labels([*bad, late, turn(5, "Retrieve", {}, SEEN), turn(6, "Answer")])
    assert found == [("unparsable_action", 1, "unparsable 2 times, arguments")]


def test_an_answer_without_any_observation_lacks_context():
    told = ("lack_of_context", None, "it answered without any observation")
    assert labels([turn(1, "Answer")]) == [told]
    assert labels([turn(1, "Query", {}, "[Error]: no such table", error="sql"), turn(2, "Answer")]) == [told]
    assert labels([turn(1, "Answer")], acts=False) == []


@pytest.mark.parametrize(
    "observation",
    [SEEN, f"paper {PAPER.upper()}", "title: zinc OF\n wheat"],
)
def test_a_paper_is_touched_by_its_id_or_its_title(observation):
    assert labels([turn(1, "Retrieve", {}, observation), turn(2, "Answer")]) == []
    assert labels([turn(1, "Query", {"sql": f"... '{PAPER}'"}, "[]"), turn(2, "Answer")]) == []


def test_a_paper_that_was_never_touched_is_missing():
    found = labels([turn(1, "Retrieve", {}, '{"pdf_id": "other"}'), turn(2, "Answer")])
    assert found == [("missing_paper", None, f"never touched: {PAPER}")]


def test_answers_that_failed_or_ran_out_of_turns():
    assert labels([], failed_row("r", "a"), acts=False) == [("no_answer", None, "timeout")]
    out = answer_row("r", "a", "[]", status="out_of_turns")
    turns = [turn(n, "Query", {"sql": str(n)}, f"[{PAPER}]") for n in (1, 2)]
    assert labels(turns, out) == [("out_of_turns", None, "no answer in 2 turns")]


def test_what_a_question_needs():
    titles = {PAPER: "Zinc of wheat"}
    anchored = Example.model_validate(example_shape("a", reference_pdf=["p2"]))
    assert needed_papers(anchored, titles) == [Needed(PAPER, "Zinc of wheat"), Needed("p2", "")]

    def retrieval(answer):
        evaluator = {
            "eval_func": "eval_paper_relevance_with_reference_answer",
            "eval_kwargs": {"question": "?", "reference_answer": answer},
        }
        return Example.model_validate(example_shape("a", anchor_pdf=[], evaluator=evaluator))

    assert needed_papers(retrieval("Lead of rice"), titles) == [Needed("", "Lead of rice")]
    assert needed_papers(retrieval(["Lead of rice", "Zinc of wheat"]), titles) == []
