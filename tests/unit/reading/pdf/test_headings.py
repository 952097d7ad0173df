"""What is a heading, and what is not, in pages printed without the layout model."""

import pytest

from aimsciqa_assets.reading.pdf.lines import printed_line
from tests.printed_pages import Sheet, begun, read


def titles(*sheets: Sheet) -> list[str]:
    return [section.title for section in read(*sheets).sections]


def spans(*pieces: tuple[str, float]) -> dict:
    made = [
        {"text": text, "size": size, "flags": 0, "font": "Times", "origin": (10, 20)} for text, size in pieces
    ]
    return {"spans": made, "dir": (1.0, 0.0), "bbox": (10, 10, 200, 22)}


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ((("I. I", 10), (" NTRODUCTION", 8)), "I. INTRODUCTION"),
        ((("II. R", 10), (" ELATED ", 8), ("W", 10), (" ORK", 8)), "II. RELATED WORK"),
        ((("A S", 10), (" TUDY OF ", 8), ("M ", 10), ("ETHODS", 8)), "A STUDY OF METHODS"),
        ((("Table 1 A ", 10), ("USA", 10)), "Table 1 A USA"),
        ((("The group A ", 10), ("received", 8)), "The group A received"),
    ],
)
def test_small_capitals_are_words(pieces, text):
    assert printed_line(spans(*pieces), 0).text == text


@pytest.mark.parametrize(
    ("lines", "whole"),
    [
        (["2.1 Preparation of the Soil and", "Rooting Depth in Dry Years"], "one"),
        (["Reverse transcription and extraction", "of ribonucleic acids"], "one"),
        (["2 Methods", "2.1 Soils"], "two"),
    ],
)
@pytest.mark.parametrize("regions", ["one", "two"])
def test_a_heading_of_two_lines_is_one_and_two_headings_are_two(lines, whole, regions):
    sheet = Sheet()
    y = begun(sheet)
    if regions == "one":
        y = sheet.block("section-header", lines, 60, y, 11, bold=True)
    else:
        y = sheet.block("section-header", lines[:1], 60, y, 11, bold=True)
        y = sheet.block("section-header", lines[1:], 60, y + 2, 11, bold=True)
    sheet.prose(60, y + 10)
    assert titles(sheet)[1:] == ([" ".join(lines)] if whole == "one" else lines)


def test_headings_of_appendices_are_told_by_their_numbers():
    sheet = Sheet()
    y = begun(sheet)
    for title in ("A.1 Soil maps", "A.2 Weather of three seasons", "B.1 Further yields"):
        y = sheet.block("text", [title], 60, y, 10)
        y = sheet.prose(60, y + 6) + 10
    assert titles(sheet)[1:] == ["A.1 Soil maps", "A.2 Weather of three seasons", "B.1 Further yields"]


@pytest.mark.parametrize("text", ["Algorithm 1 Rooting.", "Listing 2: Weights", "Box 3 Key messages"])
def test_labels_of_algorithms_and_boxes_are_no_headings(text):
    sheet = Sheet()
    y = sheet.block("section-header", [text], 60, begun(sheet), 10, bold=True)
    sheet.prose(60, y + 8)
    assert titles(sheet) == ["Introduction"]


def test_cells_and_labels_of_axes_are_no_headings():
    sheet = Sheet()
    y = begun(sheet)
    y = sheet.block("caption", ["Table 1: Yield."], 60, y, 8) + 10
    sheet.region("table", 60, y - 4, 400, y + 60)
    sheet.block("section-header", ["Early varieties"], 70, y, 10, bold=True)
    y += 80
    sheet.region("picture", 60, y, 300, y + 120)
    sheet.block("section-header", ["Week of the season"], 80, y + 100, 10, bold=True)
    y = sheet.block("caption", ["Figure 1: Height over the season."], 60, y + 126, 8)
    sheet.prose(60, y + 20)
    assert titles(sheet) == ["Introduction"]
