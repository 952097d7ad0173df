"""The whole way from a drawn PDF of two columns to the contents of the paper store."""

import re

import pymupdf
import pytest

from aimsciqa_assets.reading.contents import Contents
from aimsciqa_assets.reading.paper import RejectedFileError
from aimsciqa_assets.reading.pdf.reader import read_pdf
from tests.drawn_papers import ABSTRACT, CELLS, TITLE, drawn_paper, sentences

pytestmark = pytest.mark.slow


NO_PAGES = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
)


def blank(pages: int) -> bytes:
    """So many empty pages."""
    document = pymupdf.open()
    for _ in range(pages):
        document.new_page()
    return document.tobytes()


@pytest.fixture(scope="module")
def paper() -> Contents:
    return read_pdf(drawn_paper())


def test_the_head_is_told_apart(paper):
    assert paper.title == TITLE
    assert paper.authors == ["Asha Rao", "Jonas Weber", "Mei-Ling Chen"]
    assert paper.abstract == ABSTRACT


def test_sections_have_their_numbers_levels_and_pages(paper):
    assert [(one.title, one.level, one.pages[0]) for one in paper.sections] == [
        ("1 Introduction", 1, 1),
        ("2 Methods", 1, 1),
        ("2.1 Fields and plants", 2, 1),
        ("3 Results", 1, 2),
        ("4 Discussion", 1, 2),
    ]


def test_columns_are_read_one_after_the_other(paper):
    expected = " ".join(sentences(start, 5) for start in range(4))
    assert paper.sections[0].text.split() == expected.split()


def test_words_cut_at_line_ends_are_whole_again(paper):
    assert "mea-" not in paper.pages[0].text + paper.pages[1].text
    assert "which two observers measured independently" in paper.sections[0].text


def test_running_heads_are_no_text(paper):
    told = "".join(page.text for page in paper.pages) + "".join(one.text for one in paper.sections)
    assert "Journal of Drawn Crops" not in told
    assert "Page 1 of 2" not in told


def test_a_table_has_its_caption_and_its_cells(paper):
    (table,) = paper.tables
    assert table.caption == "Table 1: Height and yield of three varieties."
    rows = [re.findall(r"<t[dh]>(.*?)</t[dh]>", row) for row in re.findall(r"<tr>(.*?)</tr>", table.content)]
    assert rows == [list(row) for row in CELLS]
    assert table.page == 2
    assert "41 2.3" not in "".join(one.text for one in paper.sections)


def test_a_figure_is_where_it_was_drawn(paper):
    (figure,) = paper.images
    assert figure.caption == "Figure 1: Height of seedlings over the season."
    x0, y0, x1, y1 = figure.box
    assert (round(x1 - x0), round(y1 - y0)) == (200, 110)


def test_an_equation_keeps_its_characters(paper):
    assert [one.page for one in paper.equations] == [1]
    assert "G = h / (a + b) + c" in paper.equations[0].content


def test_references_are_entries(paper):
    assert len(paper.references) == 6
    assert paper.references[5].text == (
        "[6] A. Author6 and B. Writer. Roots of crop number 6 in dry soil. "
        "Journal of Soils, 9(2):16-26, 2016."
    )
    assert paper.references[5].page == 2


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty_file"),
        (b"<html><body>Please log in.</body></html>", "not_pdf"),
        (b"%PDF-1.7\nnothing else", "damaged_pdf"),
        (NO_PAGES, "damaged_pdf"),
        (blank(1), "no_text"),
        (blank(301), "too_large"),
        (drawn_paper()[:9000], "damaged_pdf"),
    ],
)
def test_what_is_no_paper_is_rejected_by_name(data, reason):
    with pytest.raises(RejectedFileError) as rejection:
        read_pdf(data)
    assert rejection.value.reason == reason
