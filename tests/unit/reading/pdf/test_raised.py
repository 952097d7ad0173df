"""Superscripts: exponents stay exponents, and marks of references are set apart."""

import pytest

from aimsciqa_assets.reading.pdf.lines import Line, joined_rows, printed_line


def spans(*pieces: str) -> dict:
    """A line of pymupdf whose pieces are raised by turns, the second first."""
    made = [
        {
            "text": text,
            "size": 6.5 if at % 2 else 10.0,
            "flags": 0,
            "font": "Times",
            "origin": (10, 96.5 if at % 2 else 100.0),
        }
        for at, text in enumerate(pieces)
    ]
    return {"spans": made, "dir": (1.0, 0.0), "bbox": (10, 90, 200, 102)}


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (("about 2.5 × 10", "6", " cells"), "about 2.5 × 10^6 cells"),
        (("at 10", "−3", " M"), "at 10^−3 M"),
        (("2 mg kg", "-1", " day", "-1", " of zinc"), "2 mg kg^-1 day^-1 of zinc"),
        (("an area of 30 cm", "2", " each"), "an area of 30 cm^2 each"),
        (("with R", "2", " = 0.9 and χ", "2", " = 4"), "with R^2 = 0.9 and χ^2 = 4"),
        (("of Ca", "2+", " ions"), "of Ca^2+ ions"),
        (("by 5%.", "12,13", " Then it fell"), "by 5%. 12,13 Then it fell"),
        (("as others saw", "7–9", ", too"), "as others saw 7–9, too"),
        (("the survey of 2010", "4", " found"), "the survey of 2010 4 found"),
        (("bread.", "3", "Then"), "bread. 3 Then"),
        (("of the bread", "[12]", " and"), "of the bread [12] and"),
        (("on the 21", "st", " of May"), "on the 21st of May"),
        (("others.", "33–37,41,45–47,52"), "others. 33–37,41,45–47,52"),
        (("by 10", "6.5", ""), "by 10^6.5"),
        (("fell as e", "−kt", " and 2", "−ΔΔCt"), "fell as e^−kt and 2^−ΔΔCt"),
        (("with 20 mg", "27", " of vitamin D", "12"), "with 20 mg 27 of vitamin D 12"),
        (("as before", "13 and 14", " or at 9", "(ref. 3)"), "as before 13 and 14 or at 9 (ref. 3)"),
        (("of I", "(1)", " and others", "3)", " too"), "of I(1) and others 3) too"),
        (("in p53", "−/−", " mice, CD4", "+", " cells"), "in p53−/− mice, CD4^+ cells"),
        (("with ", "13", "C and Prozac", "®", " in"), "with 13C and Prozac® in"),
    ],
)
def test_superscripts_differ_from_the_line(pieces, text):
    assert printed_line(spans(*pieces), 0).text == text


def test_what_is_lowered_or_only_smaller_stays_in_the_line():
    lowered = spans("The CO", "2", " level")
    lowered["spans"][1]["origin"] = (10, 102.0)
    assert printed_line(lowered, 0).text == "The CO2 level"


def piece(text: str, x0: float, x1: float, *, raised: bool = False) -> Line:
    return (
        Line(text, 0, x0, 90.5, x1, 98.0, 6.5, False)
        if raised
        else Line(text, 0, x0, 90.2, x1, 101.9, 10.0, False)
    )


def test_raised_pieces_that_the_file_prints_apart_are_joined_alike():
    pieces = [piece("in 10", 60, 85), piece("3", 85, 89, raised=True), piece("s of flow.", 92, 130)]
    pieces += [piece("4,5", 130, 140, raised=True), piece("Then", 143, 163)]
    assert [row.text for row in joined_rows(pieces, 3.0)] == ["in 10^3 s of flow. 4,5 Then"]
