"""The items on the page: their list, their order, evidence, reviews, and what may not be shown."""

import base64
import json
import zlib

import pytest
from lxml import html

from tests.report_reading import index_of, read, text_of
from tests.report_warehouse import (
    add_evaluation,
    add_item,
    add_paper,
    browsed,
    empty_warehouse,
    full_warehouse,
    insert,
    page_of,
)

pytestmark = pytest.mark.slow


def test_one_item_without_a_benchmark():
    with empty_warehouse() as connection:
        add_paper(connection, "PMC1")
        add_paper(connection, "PMC2")
        add_item(connection, "only", "PMC1", "PMC2")
        item = read(page_of(connection)).get_element_by_id("item-only")
    assert [text_of(p) for p in item.xpath(".//p[@class='missing']")] == [
        "No retriever has ranked it yet.",
        "No model has answered it yet.",
    ]


def test_evidence_is_marked_in_the_paragraph(page):
    source, target = read(page).get_element_by_id("item-item-im").xpath(".//section")
    assert [(mark.get("class"), mark.text) for mark in source.iter("mark")] == [
        ("core", "Zinc rose to 12 mg .")
    ]
    assert [(mark.get("class"), mark.text) for mark in target.iter("mark")] == [
        ("core", "Zinc rose to 12 mg ."),
        ("retrieval", " Iron fell ."),
    ]
    assert text_of(target.xpath(".//blockquote")[0]) == "Zinc rose to 12 mg . Iron fell ."


def test_a_paper_that_may_not_be_passed_on_shows_its_title_alone():
    with empty_warehouse() as connection:
        add_paper(
            connection, "PMC1", text="Secret text. More of it.", releasable=False, reason="no_derivatives"
        )
        add_paper(connection, "PMC2")
        add_item(connection, "item", "PMC1", "PMC2", words="secret words")
        add_evaluation(connection, "item", words="secret words")
        page = page_of(connection)
    assert "ecret" not in page
    assert "Question core of PMC1" not in page
    source, target = read(page).get_element_by_id("item-item").xpath(".//section")
    assert "Title of PMC1" in text_of(source)
    assert "may not be passed on (no derivatives)" in text_of(source)
    assert [mark.text for mark in target.iter("mark")] == ["Zinc rose.", " Iron fell."]


def test_a_prediction_from_a_third_paper_that_may_not_be_passed_on_is_not_shown():
    with full_warehouse() as connection:
        add_paper(connection, "PMC3", releasable=False)
        connection.execute("update benchmark.answers set read_paper_id = 'PMC3' where setting = 'realistic'")
        page = page_of(connection)
    assert "Prediction oracle" in page
    assert "Prediction realistic" not in page
    assert "it read a paper that may not be passed on" in page


def unpacked(page: str) -> list[str]:
    """The articles that the browser unpacks, in their order."""
    chunks = read(page).xpath("//script[@data-chunk]/text()")
    return [article for chunk in chunks for article in json.loads(zlib.decompress(base64.b64decode(chunk)))]


def test_all_items_are_there_the_best_first_and_after_twenty_they_are_packed():
    with empty_warehouse() as connection:
        for paper in ("PMC1", "PMC2"):
            add_paper(connection, paper)
        add_paper(connection, "PMC3", releasable=False)
        for number in range(130):
            own = {"core_source_qa_id": f"fact-{number}"}
            add_item(connection, f"im-{number:03}", "PMC1", "PMC3" if number < 10 else "PMC2", **own)
        insert(connection, "benchmark.gates", {"item_id": "im-010", "gate": "closed_book", "verdict": "fail"})
        add_item(connection, "rejected", "PMC1", "PMC2", status="rejected", rejection_reason="title_leak")
        page = page_of(connection)
        connection.execute("create table kept as from multi_hop.items")
        connection.execute("delete from multi_hop.items")
        connection.execute("insert into multi_hop.items from kept order by item_id desc")
        assert page_of(connection) == page
        few = page_of(connection, most=25)
    order = [f"im-{number:03}" for number in (*range(11, 130), 10, *range(10))] + ["rejected"]
    index = index_of(page)
    assert [item[0] for item in index["items"]] == order
    assert (index["packed"], index["chunk"]) == (20, 100)
    assert read(page).xpath("//article/@id") == [f"item-{item}" for item in order[:20]]
    articles = [html.fragment_fromstring(article) for article in unpacked(page)]
    assert [article.get("id") for article in articles] == [f"item-{item}" for item in order[20:]]
    assert "Item 21 of 131" in text_of(articles[0])
    assert "All 131 items" in text_of(read(page).get_element_by_id("browse"))
    assert len(unpacked(few)) == 5
    assert "The 25 best of 131 items" in text_of(read(few).get_element_by_id("browse"))


def test_of_items_about_the_same_facts_the_best_one_stands_before_the_second_of_any():
    with empty_warehouse() as connection:
        for paper in ("PMC1", "PMC2", "PMC3"):
            add_paper(connection, paper)
        add_item(connection, "a", "PMC1", "PMC2")
        add_item(connection, "b", "PMC2", "PMC1")
        add_item(connection, "c", "PMC1", "PMC3")
        assert [row["item_id"] for row in browsed(connection).listed] == ["a", "c", "b"]
        insert(connection, "benchmark.gates", {"item_id": "c", "gate": "closed_book", "verdict": "pass"})
        assert [row["item_id"] for row in browsed(connection).listed] == ["c", "a", "b"]


def test_what_the_list_is_filtered_by():
    with full_warehouse() as connection:
        add_item(
            connection, "rejected", "PMC1", "doi:10.5/a", status="rejected", rejection_reason="title_leak"
        )
        connection.execute(
            "update release.items set released = false, rejection_reason = 'failed_closed_book'"
        )
        items = {item[0]: item[2:9] for item in index_of(page_of(connection))["items"]}
    against = ["relational appropriateness"]
    assert items == {
        "item-cim": ["accepted", "cim", "dev", "", [], against, "none"],
        "item-im": ["not released", "im", "dev", "failed closed book", ["closed book"], against, "none"],
        "rejected": ["rejected", "im", "none", "title leak", [], against, "none"],
    }


def test_a_rejected_item_shows_its_papers_and_why():
    with full_warehouse() as connection:
        reason = {"status": "rejected", "rejection_reason": "title_leak", "merged_question": None}
        add_item(connection, "no", "PMC1", "doi:10.5/a", **reason)
        item = read(page_of(connection)).get_element_by_id("item-no")
    assert text_of(item.xpath(".//p[@class='fate']")[0]) == "rejected title leak"
    assert text_of(item.xpath(".//h3")[0]) == "No question was written."
    assert [mark.text for mark in item.iter("mark")] == [
        "Zinc rose to 12 mg .",
        "Zinc rose to 12 mg .",
        " Iron fell .",
    ]


def test_reviews_and_edits_are_shown():
    texts = {"of_question": "Merged question of item-im ?", "of_answer": "Merged answer ."}
    with full_warehouse() as connection:
        review = {"item_id": "item-im", "reviewer": "Anna", "number": 1, "decision": "accept", "score": 4}
        insert(
            connection, "benchmark.reviews", review | texts | {"question": "Better?", "note": "<b>Fine</b>"}
        )
        old = review | texts | {"reviewer": "Ben", "of_answer": "what it was before"}
        insert(connection, "benchmark.reviews", old)
        decided = {"item_id": "item-im", "decision": "accepted", "question": "Better?"}
        insert(connection, "benchmark.review_decisions", decided)
        page = page_of(connection)
    item = read(page).get_element_by_id("item-item-im")
    assert text_of(item.xpath(".//h3")[0]) == "Better?"
    assert (
        "It was made as: Merged question of item-im ? Answer Merged answer . "
        "Predictions below are answers to these words."
    ) in text_of(item)
    assert [text_of(said) for said in item.xpath(".//div[@class='reviews']//li")] == [
        "Anna accepts it, rates it 4 of 5, edited the question: <b>Fine</b>"
    ]
    assert index_of(page)["items"][0][:2] == ["item-im", "item-item-im"]
