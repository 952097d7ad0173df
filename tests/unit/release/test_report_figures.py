"""Tables and figures of the page, by the numbers in their cells."""

import pytest

from aimsciqa_assets.release.report.evaluation import retrieval
from tests.report_reading import lines, read, text_of
from tests.report_warehouse import empty_warehouse, insert, page_of

pytestmark = pytest.mark.slow


def test_numbers_stand_beside_the_bars(page):
    assert lines(page, "total")[1:] == [["results", "", "1,234"], ["abstract", "", "1"]]
    assert lines(page, "average")[1:] == [["results", "", "2.25"], ["abstract", "", "0.50"]]
    assert lines(page, "retrieval-im-cluster")[1:7] == [
        ["Hit@1"],
        ["all-MiniLM-L6-v2", "", "0.200", "0.100–0.400"],
        ["bm25", "", "0.100", "0.100–0.400"],
        ["Hit@3"],
        ["all-MiniLM-L6-v2", "", "0.250", "0.100–0.400"],
        ["bm25", "", "0.150", "0.100–0.400"],
    ]
    assert ["MAP", "0.350", "0.250"] in lines(page, "retrieval-measures")
    assert lines(page, "coverage")[1:] == [["results", "", "0.250", "2", "8"]]
    assert lines(page, "rejected")[1:] == [["multi_hop.items"], ["refused", "", "51"]]


def test_oracle_and_realistic_stand_side_by_side(page):
    baseline = "extractive rule-based baseline"
    assert lines(page, "answering-im")[1:] == [
        ["Accuracy, judged by lexical (compares words)"],
        [baseline, "", "0.625", "0.250", "−0.375"],
        ["Token F1"],
        [baseline, "", "0.500", "0.125", "−0.375"],
        ["BERTScore"],
        [baseline, "", "0.125", "−0.250", "−0.375"],
    ]
    assert ["bm25 − all-MiniLM-L6-v2", "Hit@1", "−0.125", "−0.200 to 0.050", "undefined"] in lines(
        page, "comparisons"
    )


def test_answers_that_cannot_be_used_are_shown_beside_the_means(page):
    shown = {tuple(row[1:4:2]) for row in lines(page, "answering-settings") if len(row) > 3}
    assert shown == {
        ("Setting", "Failed / no text / unreadable"),
        ("oracle", "3 / 1 / 2"),
        ("realistic", "3 / 1 / 2"),
    }


def test_ratings_and_agreement(page):
    assert lines(page, "judged-0") == [
        ["Rated", "share of the ratings", "1", "2", "3", "4", "5", "Unread", "Mean"],
        ["fluency", "", "0", "0", "0", "1", "0", "1", "4.00"],
    ]
    assert lines(page, "judged-multi-hop")[1:] == [["gemma", "", "0", "1", "1.00"]]
    assert lines(page, "audited-0")[1:] == [["completeness", "", "0", "1", "0", "0", "1", "3.50"]]
    assert lines(page, "reliability")[1:] == [
        ["gemma", "fluency", "1", "1", "4.000", "undefined", "undefined", "undefined"]
    ]
    assert lines(page, "agreement")[1:] == [
        ["sheet-1", "completeness", "1", "1", "3.500", "1", "0.938", "undefined", "undefined"]
    ]


def test_what_is_undefined_is_called_so(page):
    assert ["average answer length", "undefined", "characters"] in lines(page, "table-2")
    assert lines(page, "table-3")[1:] == [["IM, dev", "1", *["unknown"] * 3, *["undefined"] * 5]]


def test_the_share_of_a_gate_is_of_the_verdicts(page):
    gate = "closed book" + "memory does not give the answer"
    assert lines(page, "gates")[1:] == [[gate, "", "50.0 %", "1", "1", "0"]]


def test_the_ledger_shows_who_tested_and_how_sure_the_share_is():
    counts = {"passed": 3, "failed": 1, "unknown": 2}
    sure = {"variant": "bridge", "test": "twin", "model": "rules", "value": 0.75, "low": 0.25, "high": 1.0}
    undecided = {
        "variant": "bridge",
        "test": "renamed",
        "model": "none",
        "passed": 0,
        "failed": 0,
        "unknown": 2,
    }
    with empty_warehouse() as connection:
        insert(connection, "quality.necessity_rates", sure | counts, undecided)
        insert(connection, "quality.difficulty", {"item_id": "i", "variant": "bridge", "cell": "2 hops"})
        shown = page_of(connection)
    named = "the answer stays when the bridge gets a made-up name"
    near = "with a near document instead there is no answer"
    assert lines(shown, "necessity")[1:] == [
        ["BRIDGE"],
        [f"renamed{named}", "none", "", "undefined", "–", "0", "0", "2"],
        [f"twin{near}", "rules", "", "0.750", "0.250–1.000", "3", "1", "2"],
    ]
    assert lines(shown, "difficulty")[1:] == [["BRIDGE"], ["2 hops", "", "1"]]


@pytest.mark.parametrize(
    ("least", "most", "said"),
    [
        (None, None, "The query is the retrieval question alone."),
        (1, 1, "The query is the retrieval question alone. For each query, one paper is right."),
        (2, 2, "The query is the retrieval question alone. For each query, 2 papers are right."),
        (1, 3, "The query is the retrieval question alone. For each query, 1 to 3 papers are right."),
    ],
)
def test_how_many_papers_are_right_for_a_query_is_said_from_the_items(least, most, said):
    nothing = {"retrieval_scores": [], "retrieval_comparisons": [], "evidence_access": []}
    assert retrieval(nothing | {"right_papers": [{"least": least, "most": most}]}).lead == said


def test_the_targets_of_the_items_are_counted(page):
    assert "For each query, one paper is right." in page


def test_the_page_says_which_judges_are_chosen_and_what_they_say_together(page):
    assert lines(page, "judge-choice")[1:] == [
        ["gemma", "0.750", "undefined", "undefined", "1.25", "chosen", "yes"],
        ["qwen", "undefined", "undefined", "undefined", "undefined", "its family wrote items", "no"],
    ]
    assert lines(page, "rating-scores")[-1] == ["fluency", "", "4.250", "4.000–4.500", "12", "2"]


def test_the_page_says_whether_documents_are_found_and_whether_they_help(page):
    assert lines(page, "evidence-access")[-1] == ["bm25", "", "0.625", "0.500–0.750", "40", "3", "2"]
    assert "count as 0" in text_of(read(page).get_element_by_id("evidence-access"))
    assert lines(page, "answerability")[-1] == ["extractive", "0.125", "–", "0.500", "–", "0.375", "40"]
