"""The page as a whole, over small warehouses: it is safe, complete and says what it rests on."""

import base64
import hashlib
import re

import pytest

from tests.report_reading import index_of, lines, read, text_of
from tests.report_warehouse import (
    add_item,
    add_paper,
    empty_warehouse,
    full_warehouse,
    insert,
    page_of,
)

pytestmark = pytest.mark.slow

HOSTILE = (
    """</script></style><script>alert("1")</script><img src=x onerror='alert(2)'>&amp;"' {{ 7*7 }} ]]>"""
)


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


def test_giant_texts_do_not_make_a_giant_page():
    with full_warehouse("word " * 100_000) as connection:
        assert len(page_of(connection)) < 500_000


def test_the_baseline_is_called_one(page):
    document = read(page)
    assert "Made with the scripted model" in text_of(document.xpath("//header")[0])
    assert ["multi-hop items", "scripted rule-based baseline", "x", "2"] in lines(page, "models")
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
        "2 ask nearly the same as an earlier item, or of the same facts",
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
