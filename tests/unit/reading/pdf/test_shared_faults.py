"""PDFs that the reader once got wrong (`../shared`), and turned pages."""

from pathlib import Path

import pymupdf
import pytest

from aimsciqa_assets.reading.paper import Paper
from aimsciqa_assets.reading.pdf.reader import parse_pdf

FAULTS = Path(__file__).parents[5] / "shared" / "faults"
SENTENCES = (
    "The volunteers ate barley bread with added zinc on every working day of the spring term.",
    "Their plasma values rose from 10.1 to 14.1 micromoles per litre in the treated group.",
    "Nobody left the study before its end, and all of the diaries were complete by then.",
)

pytestmark = pytest.mark.slow
shared = pytest.mark.skipif(not FAULTS.exists(), reason="no shared faults here")


def results(paper: Paper) -> list[str]:
    return [
        paragraph.text
        for section in paper.sections
        if section.kind == "results"
        for paragraph in section.paragraphs
    ]


def fault(name: str) -> Paper:
    paper = parse_pdf((FAULTS / name).read_bytes())
    assert paper.title == "Zinc in barley bread: a trial in three schools"
    return paper


@shared
def test_a_page_with_rotate_is_read_upright():
    assert [text[:40] for text in results(fault("15-page-with-rotate.pdf"))] == [
        "In trial 2 the volunteers ate barley bre",
        "On the turned page the volunteers of tri",
        "In trial 3 the volunteers ate barley bre",
    ]


@shared
def test_line_numbers_are_left_out_and_no_text():
    paper = fault("16-line-numbers.pdf")
    texts = " ".join(paragraph.text for section in paper.sections for paragraph in section.paragraphs)
    assert [section.title for section in paper.sections] == ["Abstract", "1 Introduction", "2 Methods"]
    assert "where 24 of the 40 samples" in texts
    assert "in zinc because most of the metal stays in the bran that millers remove." in texts
    assert texts.count("fell from 38 to 24 micrograms per litre, while in the Austrian group it rose") == 2


@shared
def test_superscripts_stay():
    assert results(fault("17-superscripts.pdf"))[0] == (
        "Each flask of the first series held about 2.5 × 10^6 cells per millilitre of broth and the flow was "
        "4 m s^−1 while the area was 30 cm^2 in every run of the week. The CO2 level rose by 5%. 12,13 Then "
        "it fell by 4 units in 10^3 s, as others saw."
    )


@shared
def test_a_hyphen_behind_a_number_joins():
    assert results(fault("22-hyphen-after-number.pdf"))[0] == (
        "The volunteers of the trial were given a powder for a phase of 12-week length with a diary of "
        "10–15 pages each that was kept by the 3-year-old children and by their parents in all of the groups."
    )


@shared
def test_the_doi_of_a_reference_is_not_that_of_the_paper():
    paper = fault("24-airqa-doi.pdf")
    assert (paper.doi, [entry.doi for entry in paper.references]) == (None, ["10.5555/oku.2019"])


def drawn(page: pymupdf.Page) -> None:
    page.insert_text((60, 90), "Results", fontsize=13, fontname="hebo")
    for at, sentence in enumerate(SENTENCES):
        page.insert_text((60, 115 + 13 * at), sentence, fontsize=10)


@pytest.mark.parametrize(
    ("rotation", "upright", "edge"),
    [(90, True, 0), (90, False, 80), (180, True, 80), (180, False, 0), (270, True, 80), (270, False, 0)],
)
def test_a_turned_page_is_read_whether_or_not_its_text_is_shown_upright(rotation, upright, edge):
    """Printers leave an `edge` around what is shown of a page."""
    source = pymupdf.open()
    drawn(source.new_page(width=595, height=842))
    document = pymupdf.open()
    if upright:
        size = (595, 842) if rotation == 180 else (842, 595)
        page = document.new_page(width=size[0], height=size[1])
        page.show_pdf_page(page.rect, source, 0, rotate=rotation)
    else:
        drawn(page := document.new_page(width=595, height=842))
    page.set_rotation(rotation)
    width, height = page.mediabox.x1, page.mediabox.y1
    document.xref_set_key(page.xref, "MediaBox", f"[{-edge} {-edge} {width + edge / 2} {height + edge / 2}]")
    document.xref_set_key(page.xref, "CropBox", f"[0 0 {width} {height}]")
    assert results(parse_pdf(document.tobytes())) == [" ".join(SENTENCES)]


def test_numbers_beside_the_lines_of_a_drawn_page_are_left_out():
    document = pymupdf.open()
    drawn(page := document.new_page(width=595, height=842))
    for at, text in enumerate(SENTENCES, 4):
        page.insert_text((60, 115 + 13 * at), text.replace("10.1", "24"), fontsize=10)
    for number, y in enumerate([90, *(115 + 13 * at for at in (*range(3), *range(4, 7)))], 7):
        page.insert_text((545, y), str(number), fontsize=8)
    assert results(parse_pdf(document.tobytes())) == [
        " ".join(SENTENCES),
        " ".join(SENTENCES).replace("10.1", "24"),
    ]
