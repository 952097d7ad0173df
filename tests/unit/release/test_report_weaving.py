"""What the page and the summary of a run tell of HopWeaver's attempts."""

import pytest
from lxml import html

from aimsciqa_assets.platform.queries import query_of
from tests.report_reading import lines
from tests.report_warehouse import empty_warehouse, insert, page_of

pytestmark = pytest.mark.slow

ATTEMPTS = [
    # Kind, status, reason, question, what the polisher said and replied, documents tried, last reply.
    ("bridge", "accepted", None, "q", "pass", "[PASS]", 1, "r"),
    ("bridge", "accepted", None, "q", "adjust", "[ADJUST]", 3, "r"),
    ("bridge", "rejected", "rejected_by_polisher", "q", "rejected", "[REJECTED]", 1, "r"),
    ("bridge", "rejected", "not_recorded", "q", "error", None, 1, "r"),
    ("bridge", "rejected", "not_recorded", None, None, None, 0, None),
    ("bridge", "rejected", "no_bridge_entity", None, None, None, 0, "r"),
    ("comparison", "rejected", "every_document_failed", None, None, None, 2, "r"),
]


@pytest.fixture(scope="module")
def connection():
    with empty_warehouse() as made:
        for number, (kind, status, reason, question, said, reply, tried, last) in enumerate(ATTEMPTS):
            one = {"attempt_id": f"a{number}", "kind": kind, "rejection_reason": reason}
            item = {"item_id": f"i{number}", "status": status, "documents_tried": tried}
            texts = {"original_question": question, "polisher_status": said, "polisher_reply": reply}
            insert(made, "hopweaver.items", one | item | texts)
            early = {"attempt_id": f"a{number}", "position": 1, "reply": "early", "rejection_reason": None}
            ended = {"rejection_reason": None if last else reason}
            insert(made, "hopweaver.replies", early, early | {"position": 2, "reply": last} | ended)
        for rank, outcome in enumerate(("rejected", "rejected", "chosen", "not_tried")):
            why = "invalid_connection" if outcome == "rejected" else None
            found = {"attempt_id": "a0", "paper_id": f"p{rank}", "kind": "bridge", "rank": rank}
            insert(made, "hopweaver.candidates", found | {"outcome": outcome, "rejection_reason": why})
        yield made


@pytest.fixture(scope="module")
def page(connection) -> str:
    return page_of(connection)


def test_an_attempt_without_a_reply_is_not_counted_as_a_failure(page):
    assert lines(page, "success")[1:] == [
        # Two of four.
        ["bridge", "", "0.500", "0.150–0.850", "6", "2", "4", "2"],
        ["comparison", "", "0.000", "0.000–0.793", "1", "0", "0", "0"],
    ]


def test_documents_tried_are_those_of_questions(page):
    assert lines(page, "documents-tried") == [
        ["Kind", "share of the questions", "1", "3", "Mean"],
        ["bridge", "", "3", "1", "1.50"],
    ]


def test_what_the_polisher_said_is_counted(page):
    assert lines(page, "polishing")[1:] == [["bridge", "", "1", "1", "0", "1", "0", "1", "2"]]


def test_reasons_stand_by_kind_the_most_frequent_first(page):
    assert lines(page, "attempts-failed")[1:] == [
        ["bridge"],
        ["not recorded", "", "2"],
        ["no bridge entity", "", "1"],
        ["rejected by polisher", "", "1"],
        ["comparison"],
        ["every document failed", "", "1"],
    ]
    assert lines(page, "candidates-failed")[1:] == [["bridge"], ["invalid connection", "", "2"]]
    assert lines(page, "fates")[1:] == [
        ["Comparison question", "1", "0", "0", "1", "0", "0.0 %"],
        ["Bridge question", "6", "2", "0", "4", "0", "33.3 %"],
    ]


def test_a_page_without_aim_sciqa_has_no_empty_tables_of_it(page):
    document = html.document_fromstring(page)
    assert not document.xpath("//*[@id='questions' or @id='table-3']")
    assert "CIM: citation" not in page
    with empty_warehouse() as nothing:
        assert "Syntheses" not in page_of(nothing)
        assert "Questions in all" in page_of(nothing)


def test_the_summary_of_a_run_tells_the_same(connection):
    assert connection.sql(query_of("cli.weaving").text).fetchall() == [
        ("bridge", 6, 2, 4, 2, "0.50 (.15-.85)", 1.5),
        ("comparison", 1, 0, 0, 0, "0.00 (.00-.79)", None),
    ]
    fates = connection.sql(query_of("cli.fates").text).fetchall()
    assert ("items (bridge)", "rejected", "not_recorded", 2) in fates
