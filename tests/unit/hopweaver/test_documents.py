"""Documents: their text, exact places in them, what they may be, and the draw of sources."""

import pytest

from aimsciqa_assets.hopweaver.documents import (
    Document,
    Limits,
    Place,
    Standing,
    documents_of,
    drawn_sources,
    names,
    standing,
)

TEXT = "Zinc (Zn) rose by 3 %\nin May.  It fell in June. It fell in June."
DOCUMENT = Document("d", "On zinc", (("p1", "Zinc matters."), ("p2", TEXT)))


def test_paragraphs_come_in_the_order_of_their_rows():
    paragraphs = [
        {"paper_id": "b", "paragraph_id": "b1", "text": "x"},
        {"paper_id": "a", "paragraph_id": "a1", "text": "y"},
        {"paper_id": "b", "paragraph_id": "b2", "text": "z"},
    ]
    papers = [{"paper_id": "b", "title": "B"}, {"paper_id": "c", "title": "C"}]
    assert list(documents_of(papers, paragraphs)) == [
        Document("b", "B", (("b1", "x"), ("b2", "z"))),
        Document("c", "C", ()),
    ]
    assert DOCUMENT.text == f"On zinc\n\nZinc matters.\n\n{TEXT}"


@pytest.mark.parametrize(
    ("quote", "place"),
    [
        ("Zinc", Place("p1", 0, 4, "Zinc")),
        ("rose by 3 % in May. It fell", Place("p2", 10, 38, "rose by 3 %\nin May.  It fell")),
        ("  It fell in June. ", Place("p2", 31, 47, "It fell in June.")),
        ("zinc matters.", None),
        ("Zinc matters. Zinc (Zn)", None),
        ("Z.nc", None),
        (" ", None),
        ("", None),
    ],
)
def test_a_quote_is_found_with_the_white_space_of_its_paragraph(quote, place):
    found = DOCUMENT.find(quote)
    assert found == place
    if found:
        assert dict(DOCUMENT.paragraphs)[found.paragraph_id][found.start : found.end] == found.text


@pytest.mark.parametrize("text", ["In \u00c9vreux.", "In E\u0301vreux."])
@pytest.mark.parametrize("quote", ["\u00c9vreux", "E\u0301vreux"])
def test_a_quote_is_found_in_either_form_of_its_accents(text, quote):
    found = Document("d", "Title", (("p", text),)).find(quote)
    assert found == Place("p", 3, len(text) - 1, text[3:-1])


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        (Limits(10, 0, 0), Standing("source")),
        (Limits(100, 0, 0), Standing("candidate", "too_short")),
        (Limits(10, 20, 0), Standing("source")),
        (Limits(10, 19, 0), Standing("excluded", "too_many_words")),
        (Limits(10, 0, 25), Standing("source")),
        (Limits(100, 0, 24), Standing("excluded", "too_many_tokens")),
    ],
)
def test_what_a_document_may_be(limits, expected):
    assert standing(DOCUMENT, 25, limits) == expected


def test_a_document_without_text_is_none():
    assert standing(Document("d", "Title", ()), 1, Limits(1, 0, 0)) == Standing("excluded", "no_text")


def test_sources_are_drawn_alike_whatever_their_order():
    ids = [f"d{number}" for number in range(20)]
    assert drawn_sources(reversed(ids), "bridge", 3, 1) == drawn_sources(ids, "bridge", 3, 1)
    assert drawn_sources(ids, "bridge", 3, 1) != drawn_sources(ids, "comparison", 3, 1)
    assert sorted(drawn_sources(ids, "bridge", 0, 1)) == sorted(ids)
    assert drawn_sources(ids, "bridge", 3, 1, {"d7": 1, "d3": 2})[:2] == ["d3", "d7"]


@pytest.mark.parametrize(
    ("text", "name", "held"),
    [
        ("What did ada  Reed teach?", "Ada Reed", True),
        ("What did Ada-Reed's school teach?", "Ada Reed", True),
        ("What did E\u0301mile Roux teach?", "\u00c9mile Roux", True),
        ("What did \u00c9mile Roux teach?", "E\u0301mile Roux", True),
        ("The U.S. Food and Drug Administration said so.", "US Food and Drug Administration", True),
        ("The US Food and Drug Administration said so.", "U.S. Food and Drug Administration", True),
        ("J. R. R. Tolkien", "J.R.R. Tolkien", True),
        ("JRR Tolkien", "J. R. R. Tolkien", True),
        ("Hepatitis A. E. coli grew.", "E. coli", True),
        ("At the Pasteur Institute of Dakar.", "Pasteur Institute in Dakar", True),
        ("At the University of California, Davis.", "University of California at Davis", True),
        ("At the Pasteur Institute near Dakar.", "Pasteur Institute in Dakar", False),
        ("They came to Ada. The Reed was high.", "Ada Reed", False),
        ("Nobody knows who sang.", "The Who", False),
        ("What did Adam Reed teach?", "Ada", False),
        ("What?", "", False),
        ("What?", "...", False),
        ("Strain HD78788 grew.", "HD 78788", True),
        ("Strain HD 78788 grew.", "HD78788", True),
        ("Strain HD 787881 grew.", "HD78788", False),
        ("The 747 of Boeing", "Boeing747", False),
    ],
)
def test_a_name_is_held_as_whole_words(text, name, held):
    assert names(text, name) is held
