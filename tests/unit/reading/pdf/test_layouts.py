"""The reader on papers in layouts that real papers have: each is drawn, and what was drawn is the truth."""

import re

import pymupdf
import pytest

from aimsciqa_assets.reading.paper import RejectedFileError
from aimsciqa_assets.reading.pdf.reader import read_pdf
from tests.drawn_layouts import ROWS, TITLE, Drawn, Float, Heading, Layout, drawn

pytestmark = pytest.mark.slow

LEFT, RIGHT = (54, 64, 290, 780), (306, 64, 541, 780)
THIRDS = ((40, 60, 200, 790), (216, 60, 376, 790), (392, 60, 555, 790))
PLAIN = (
    Heading("Introduction"),
    Heading("Materials and Methods"),
    Heading("Study site", 2),
    Heading("Results"),
    Heading("Discussion"),
)


def two_columns(_page):
    return LEFT, RIGHT


def one_column(_page):
    return ((70, 64, 525, 780),)


def in_every_line(page, number):
    """Numbers of lines in the margin, as manuscripts have them."""
    lines = [line for block in page.get_text("dict")["blocks"] for line in block.get("lines", ())]
    for at, line in enumerate(lines, 1 + 60 * number):
        page.insert_text((30, line["bbox"][3] - 3), str(at), fontsize=7)


def running_heads(page, number):
    """Names and title by turns, and the number of the page."""
    page.insert_text((60, 40), ("Rao and others", "Rooting depth of millet")[number % 2], fontsize=8)
    page.insert_text((290, 815), str(101 + number), fontsize=8)


def stamp(page, number):
    """What a preprint server prints in the margin."""
    if number == 0:
        page.insert_text((30, 560), "arXiv:2101.01234v2  [q-bio.PE]  3 Jan 2021", fontsize=20, rotate=90)


LAYOUTS = {
    "three columns": Layout(
        lambda _page: THIRDS, PLAIN, css="* { font-size: 8.5px; } p.entry { font-size: 7px; }"
    ),
    "bold titles in the line": Layout(
        two_columns,
        (
            Heading("Introduction"),
            Heading("Methods"),
            Heading("Plants and soils", 2, run_in=True),
            Heading("Measures of depth", 2, run_in=True),
            Heading("Results"),
        ),
    ),
    "a picture across both columns": Layout(
        lambda page: (
            ((54, 64, 290, 300), (306, 64, 541, 300), (54, 510, 290, 780), (306, 510, 541, 780))
            if page == 1
            else (LEFT, RIGHT)
        ),
        PLAIN,
        floats=(Float("figure", 1, (54, 310, 541, 500), "Figure 1: Height over the season.", above=False),),
    ),
    "line numbers": Layout(
        one_column, PLAIN, css="* { font-size: 11px; line-height: 1.8; }", over=in_every_line
    ),
    "running heads that change": Layout(two_columns, PLAIN, over=running_heads),
    "a stamp in the margin": Layout(two_columns, PLAIN, over=stamp),
    "a journal larger than the title": Layout(
        two_columns,
        PLAIN,
        title=TITLE.upper(),
        head="<p style='font-size: 26px; text-align: center'>Journal of Drawn Crops</p>"
        "<p class='place'>journal homepage: www.example.org</p><p>Research article</p>"
        "<h1 style='font-size: 17px'>{title}</h1><p class='authors'>{authors}</p>",
    ),
    "names in characters": Layout(two_columns, PLAIN, authors=("王小明", "李华", "张伟", "Asha Rao")),
    "references by author and year": Layout(
        one_column,
        PLAIN,
        entry="<p class='entry'>{surname} A, Writer B ({year}) {title}. J Soils {volume}:1{number}–9</p>",
    ),
    "appendices": Layout(
        two_columns,
        (Heading("1 Introduction"), Heading("2 Methods"), Heading("3 Results")),
        after=(Heading("A Details of the Trial"), Heading("A.1 Soil maps", 2), Heading("B Further Results")),
    ),
    "no heading over the abstract": Layout(two_columns, PLAIN, abstract="<p><b>{}</b></p>"),
    "ligatures and soft hyphens": Layout(
        two_columns,
        PLAIN,
        plain=lambda text: text.replace("fi", "ﬁ").replace("ff", "ﬀ").replace("harvest", "har\u00advest"),
    ),
    "tables without lines": Layout(
        lambda page: (LEFT, (306, 64, 541, 640)) if page == 1 else (LEFT, RIGHT),
        PLAIN,
        floats=(Float("table", 1, (306, 650, 541, 770), "Table 1. Depth and yield.", style="bare"),),
    ),
    "drawn figures": Layout(
        lambda page: (LEFT, (306, 250, 541, 780)) if page == 1 else (LEFT, RIGHT),
        PLAIN,
        floats=(
            Float("figure", 1, (306, 64, 541, 240), "Fig. 1. Depth of roots.", above=False, style="vector"),
        ),
    ),
}


def complete(name: str) -> Drawn:
    """The paper with the first texts that pymupdf draws completely: at ends of columns it may drop some."""
    for seed in range(1, 60):
        try:
            return drawn(name, LAYOUTS[name], seed)
        except AssertionError as error:
            lost = error
    raise lost


@pytest.fixture(scope="module", params=LAYOUTS)
def paper(request):
    told = complete(request.param)
    return LAYOUTS[request.param], told, read_pdf(told.data)


def test_a_paper_is_read_as_it_was_drawn(paper):
    layout, told, read = paper
    assert read.title == layout.title
    assert read.authors == list(layout.authors)
    assert read.abstract.split() == told.abstract.split()
    assert [one.title for one in read.sections] == [one.title for one in (*layout.headings, *layout.after)]
    for section in read.sections:
        assert section.text.split() == told.texts[section.title].split()
    assert len(read.references) == layout.entries
    assert [one.caption for one in (*read.tables, *read.images)] == [one.caption for one in layout.floats]
    for table in read.tables:
        assert re.findall(r"<t[dh]>(.*?)</t[dh]>", table.content) == [cell for row in ROWS for cell in row]


def rejected(document) -> str:
    with pytest.raises(RejectedFileError) as rejection:
        read_pdf(document)
    return rejection.value.reason


def test_a_paper_with_a_scanned_page_keeps_its_text():
    told = complete("running heads that change")
    document = pymupdf.open(stream=told.data)
    page = document.new_page(width=595, height=842)
    page.insert_image(page.rect, pixmap=document[0].get_pixmap(dpi=50))
    read = read_pdf(document.tobytes())
    assert read.title == TITLE
    assert read.pages[-1].text == ""


def test_scans_and_locked_files_are_rejected_by_name():
    source = pymupdf.open(stream=complete("running heads that change").data)
    scan = pymupdf.open()
    for page in source:
        copy = scan.new_page(width=595, height=842)
        copy.insert_image(copy.rect, pixmap=page.get_pixmap(dpi=50))
    assert rejected(scan.tobytes()) == "scanned_pdf"
    locked = source.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="a", user_pw="b")
    assert rejected(locked) == "encrypted_pdf"
