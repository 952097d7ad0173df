"""What the page tells of AirQA's runs: scores, comparisons, labels, and trajectories to read."""

import pytest
from lxml import html

from tests.airqa_runs import answer_row, run_row, turn_row
from tests.report_reading import lines
from tests.report_warehouse import empty_warehouse, insert, page_of

pytestmark = pytest.mark.slow

SCORE = {
    "run_id": "good",
    "family": "total",
    "tag": "total",
    "count": 2,
    "answers": 4,
    "correct": 3,
    "score": 0.75,
    "low": 0.25,
    "high": 1.0,
    "pass_k": [0.75, 0.5],
    "failed": 0,
    "judged": 1,
    "stand_in": 1,
    "turns": 2.5,
    "tokens": 1200.0,
    "seconds": 3.25,
    "cost": None,
}
NASTY = "<script>alert(1)</script>"


def made(*, releasable: bool):
    connection = empty_warehouse()
    insert(connection, "airqa.runs", run_row("good"), run_row("bad", summaries=None))
    other = SCORE | {"run_id": "bad", "correct": 1, "score": 0.25, "pass_k": [0.25, 0.0], "stand_in": 0}
    single = SCORE | {"family": "type", "tag": "single"}
    insert(connection, "airqa.scores", SCORE, other, single)
    pair = {"run_id": "bad", "other": "good", "family": "total", "tag": "total", "examples": 2, "better": 0}
    insert(
        connection,
        "airqa.comparisons",
        pair | {"worse": 1, "difference": -0.5, "low": -1.0, "high": 0.0, "p_value": 0.5, "p_adjusted": 1.0},
    )
    for turn, correct in ((2, False), (3, True)):
        insert(
            connection,
            "airqa.labels",
            {"run_id": "bad", "example_id": f"e{turn}", "label": "repetition", "correct": correct},
        )
    evaluator = '{"eval_func": "eval_int_exact_match", "eval_kwargs": {"gold": 4, "question": "?"}}'
    insert(
        connection,
        "airqa.examples",
        {"example_id": "e1", "question": f"How many {NASTY}?", "tags": ["single"], "evaluator": evaluator},
    )
    insert(connection, "airqa.answers", answer_row("good", "e1", 4), answer_row("bad", "e1", 5))
    insert(
        connection,
        "airqa.turns",
        turn_row("good", "e1", 1, "Query", {"sql": NASTY}, "[Error]: no table", error="sql"),
        turn_row("good", "e1", 2, "Query", {"sql": "select"}, f"the words of a paper {NASTY}"),
        turn_row("good", "e1", 3, "Answer", {"answer": 4}, None),
        turn_row("good", "e1", 1, "Answer", {"answer": 9}, None, 2),
    )
    insert(connection, "airqa.verdicts", {"run_id": "good", "example_id": "e1", "score": 1, "judge": None})
    insert(connection, "airqa.store", {"uuid": "u"})
    insert(connection, "airqa.papers", {"file_id": "f", "uuid": "u", "paper_id": "p"})
    licence = {"paper_id": "p", "licence": "CC BY", "releasable": releasable, "rejection_reason": None}
    insert(connection, "corpus.releasable_papers", licence)
    return connection


@pytest.fixture(scope="module")
def page() -> str:
    with made(releasable=True) as connection:
        return page_of(connection)


def test_runs_stand_by_their_score(page):
    numbers = ["2", "4", "3", "0", "1", "2.5", "1200.0", "3.2", "unknown"]
    assert lines(page, "airqa-scores")[1:] == [
        ["good", "", "0.750", "0.250–1.000", "0.500 (k = 2)", *numbers],
        ["bad", "", "0.250", "0.250–1.000", "0.000 (k = 2)", "2", "4", "1", *numbers[3:]],
    ]
    assert "1 verdict is that of a stand-in" in page
    assert "The paper store had no summaries to find for good." in page
    assert lines(page, "airqa-tags")[1:] == [["type: single"], ["good", "", "0.750", "0.250–1.000", "2", "3"]]


def test_pairs_and_labels(page):
    assert lines(page, "airqa-comparisons")[1:] == [
        ["all examples"],
        ["bad − good", "−0.500", "−1.000 to 0.000", "0.500", "1.000", "2", "0", "1"],
    ]
    assert lines(page, "airqa-labels")[1:] == [
        ["bad"],
        ["the same call twice or more", "2", "1", "33.3 %"],
    ]


def ways(page):
    return html.fromstring(page).xpath("//details[@class='way']")


def test_a_trajectory_can_be_read_and_nothing_in_it_runs(page):
    bad, good = ways(page)
    assert "not scored yet" in bad.text_content()
    turns = good.xpath(".//ol[@class='turns']/li")
    assert [turn.get("value") for turn in turns] == ["1", "2", "3"]
    assert turns[0].xpath(".//b/text()") == ["sql"]
    assert turns[1].xpath(".//pre/text()") == ['Query {"sql": "select"}', f"the words of a paper {NASTY}"]
    assert good.xpath(".//dd/text()") == ["4", 'eval_int_exact_match {"gold": 4}', "correct"]
    assert NASTY not in page


def test_what_papers_say_is_withheld_where_it_may_not_be_passed_on():
    with made(releasable=False) as connection:
        page = page_of(connection)
    _, good = ways(page)
    assert "the words of a paper" not in page
    assert "[Error]: no table" in good.text_content()
    assert good.text_content().count("What it read is withheld") == 1


def test_answers_that_their_own_family_would_judge_are_told():
    with made(releasable=True) as connection:
        refused = {"score": None, "judge": "j", "reason": "same_family"}
        insert(connection, "airqa.verdicts", {"run_id": "bad", "example_id": "e1", **refused})
        page = page_of(connection)
    assert "Not counted: 1 answers of models of the judge’s own family." in page
    bad, _ = ways(page)
    assert "not scored: the judge is of the model’s own family" in bad.text_content()


def test_without_a_run_the_page_says_nothing_of_airqa():
    with empty_warehouse() as connection:
        assert "AirQA" not in page_of(connection)
