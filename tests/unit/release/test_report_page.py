"""The page as a browser would read it, over small warehouses."""

import base64
import hashlib
import json
import re
import zlib

import pytest
from lxml import html

from aimsciqa_assets.release.report.evaluation import retrieval
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

HOSTILE = (
    """</script></style><script>alert("1")</script><img src=x onerror='alert(2)'>&amp;"' {{ 7*7 }} ]]>"""
)


def read(page: str):
    return html.document_fromstring(page)


def text_of(element) -> str:
    return " ".join(element.text_content().split())


def lines(page: str, exhibit: str) -> list[list[str]]:
    """The cells of a table or figure, without what its pictures say."""
    figure = read(page).get_element_by_id(exhibit)
    for said in list(figure.iter("title")):
        said.getparent().remove(said)
    for ticks in figure.xpath(".//*[@class='axis']"):
        ticks.clear(keep_tail=True)
    return [[text_of(cell) for cell in row.iter("th", "td")] for row in figure.iter("tr")]


@pytest.fixture(scope="module")
def page() -> str:
    with full_warehouse() as connection:
        return page_of(connection)


def test_without_data_every_table_and_figure_says_so_in_a_line():
    with empty_warehouse() as connection:
        document = read(page_of(connection))
    figures = document.xpath("//figure")
    assert len(figures) > 15
    for figure in figures:
        assert text_of(figure.xpath(".//p[@class='missing']")[0])
        assert not figure.xpath(".//table | .//svg")
    assert text_of(document.get_element_by_id("browse")) == "Browse items No items yet."
    assert not document.xpath("//dl[@class='headlines']//dd[text() != '0']")


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


def test_the_page_fetches_nothing_and_runs_no_script_but_its_own(page):
    document = read(page)
    policy = document.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    (script,) = document.xpath("//script[not(@type)]")
    digest = base64.b64encode(hashlib.sha256(script.text.encode()).digest()).decode()
    assert policy.startswith("default-src 'none';")
    assert f"script-src 'sha256-{digest}'" in policy
    assert document.xpath("//link/@href") == ["data:,"]
    assert document.xpath("//@src | //@srcset | //iframe | //object | //form") == []
    style = document.xpath("string(//style)")
    assert "url(" not in style
    assert "@import" not in style
    links = {href for href in document.xpath("//a/@href") if not href.startswith("#")}
    assert document.xpath("//a[@href='/review']/parent::li/@hidden")
    assert links - {"/review"} == {
        "https://pmc.ncbi.nlm.nih.gov/articles/PMC1/",
        "https://doi.org/10.5/a%20b%3Cc%3E",
    }


def test_every_link_inside_the_page_leads_somewhere(page):
    document = read(page)
    anchors = document.xpath("//@id")
    assert len(anchors) == len(set(anchors))
    assert {href[1:] for href in document.xpath("//a/@href") if href.startswith("#")} <= set(anchors)


def test_hostile_texts_are_texts(page):
    with full_warehouse(HOSTILE) as connection:
        hostile = page_of(connection, name=HOSTILE)
    document, tame = read(hostile), read(page)
    tags = [element.tag for element in document.iter() if isinstance(element.tag, str)]
    assert tags == [element.tag for element in tame.iter() if isinstance(element.tag, str)]
    assert {name for element in document.iter() for name in element.attrib if name.startswith("on")} == set()
    assert [script.get("type") for script in document.iter("script")] == ["application/json", None]
    assert document.xpath("string(//script[not(@type)])") == tame.xpath("string(//script[not(@type)])")
    assert "<" not in document.get_element_by_id("index").text
    assert f"Merged question of item-im {HOSTILE}?" in [item[9] for item in index_of(hostile)["items"]]
    shown = " ".join(HOSTILE.split())
    assert text_of(document.xpath("//h1")[0]) == shown
    item = text_of(document.get_element_by_id("item-item-im"))
    for said in (
        f"Merged question of item-im {shown}?",
        f"Merged answer {shown}.",
        f"Identified {shown}.",
        f"Zinc rose to 12 mg {shown}.",
        f"Question retrieval {shown}?",
        f"Title {shown}",
        f"Results {shown}",
        f"Prediction oracle {shown}",
    ):
        assert said in item


def test_characters_that_html_does_not_allow_are_replaced():
    with full_warehouse("a\x00b\x1bc\x7f") as connection:
        page = page_of(connection)
    assert re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", page) is None
    assert "a\ufffdb\ufffdc\ufffd" in page


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


def index_of(page: str) -> dict:
    return json.loads(read(page).get_element_by_id("index").text)


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


def test_giant_texts_do_not_make_a_giant_page():
    with full_warehouse("word " * 100_000) as connection:
        assert len(page_of(connection)) < 500_000


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


def test_the_baseline_is_called_one(page):
    document = read(page)
    assert "rule-based baseline" in text_of(document.xpath("//header")[0])
    assert ["multi-hop items", "extractive rule-based baseline", "x", "2"] in lines(page, "models")
    assert "rule-based baseline" in text_of(document.get_element_by_id("item-item-im"))


def test_recorded_replies_are_called_so():
    with empty_warehouse() as connection:
        for paper in ("source", "target"):
            add_paper(connection, paper)
        add_item(connection, "item", "source", "target", model="recorded:jane", model_revision="x")
        page = page_of(connection)
    document = read(page)
    notes = [text_of(note) for note in document.xpath("//header//p[@role='note']")]
    assert [note for note in notes if note.startswith("Recorded replies. Rows marked recorded:jane")]
    badges = document.get_element_by_id("item-item").xpath(".//p[@class='kicker']/span[@class='badge']")
    assert [text_of(badge) for badge in badges] == ["recorded:jane"]
    assert ["multi-hop items", "recorded:jane", "x", "1"] in lines(page, "models")


def test_the_head_says_how_many_items_are_left_out_and_why():
    with empty_warehouse() as connection:
        for paper in ("PMC1", "PMC2"):
            add_paper(connection, paper)
        reasons = [
            *[None] * 3,
            *["failed_no_duplicate"] * 2,
            "failed_single_document",
            "target_licence_unknown",
            "source_licence_unknown",
            "leaks_into_test",
        ]
        for number, reason in enumerate(reasons):
            add_item(connection, f"i{number}", "PMC1", "PMC2")
            fate = {"item_id": f"i{number}", "released": reason is None, "rejection_reason": reason}
            insert(connection, "release.items", fate)
        add_item(connection, "new", "PMC1", "PMC2")
        add_item(connection, "refused", "PMC1", "PMC2", status="rejected", rejection_reason="title_leak")
        # Of the third, an item was made before its mirror came.
        mirrors = [{"relation_id": relation} for relation in ("r1", "r2", "of an item")]
        insert(connection, "relations.mirrors", *mirrors)
        connection.execute("update multi_hop.items set relation_id = 'of an item' where item_id = 'i1'")
        told = read(page_of(connection)).get_element_by_id("left-out")
    assert [text_of(line) for line in told.iter("p", "li")] == [
        "Of 10 accepted items, 3 are in the release. Of the others,",
        "2 ask nearly the same as an earlier item",
        "2 rest on a paper whose licence is not known",
        "1 was answered right from one paper alone",
        "1 is a dev item that would give away parts of the test split",
        "1 is not decided on yet",
        "2 relations were not asked about: another one, at least as strong, goes the other way on the same "
        "core pair.",
    ]


def test_the_head_says_so_where_nothing_is_left_out():
    with empty_warehouse() as connection:
        assert "left-out" not in read(page_of(connection)).xpath("//header//@id")
        for paper in ("PMC1", "PMC2"):
            add_paper(connection, paper)
        for item in ("i1", "i2"):
            add_item(connection, item, "PMC1", "PMC2")
            insert(connection, "release.items", {"item_id": item, "released": True})
        told = read(page_of(connection)).get_element_by_id("left-out")
    assert text_of(told) == "All 2 accepted items are in the release."


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
