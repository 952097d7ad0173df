"""The names of authors: which words are part of them, and in which blocks of the head they stand."""

import pytest

from aimsciqa_assets.reading.pdf.front import authors_in
from tests.printed_pages import Sheet, read

TITLE = "A study of roots in two dry fields"


def headed(*blocks: tuple[list[str], float, float]) -> Sheet:
    """A page with a title, these blocks (lines, x, y) of the same print, and a body."""
    sheet = Sheet()
    sheet.block("title", [TITLE], 100, 60, 18)
    for lines, x, y in blocks:
        sheet.block("text", lines, x, y, 12)
    sheet.block("section-header", ["Abstract"], 100, 230, 12, bold=True)
    sheet.prose(100, 250)
    sheet.block("section-header", ["1 Introduction"], 100, 320, 12, bold=True)
    sheet.prose(100, 340, 12)
    return sheet


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Asha Srinivasa Rao, H. S. Srikanth and Dragomir Weber", 3),
        ("Asha Rao, M.D., Jonas Weber, PhD, and Dr. Mei Chen", 3),
        ("Asha Rao MBBS, Jonas Weber Jr.", 2),
        ("Fields of millet, and what grows there", 0),
    ],
)
def test_degrees_are_no_part_of_a_name_and_names_are_no_degrees(text, names):
    found = authors_in(text)
    assert len(found) == names
    assert not any(word in " ".join(found) for word in ("M.D", "PhD", "Dr.", "MBBS", "Jr"))
    assert not names or "Asha" in found[0]


def test_a_list_of_authors_goes_on_below_a_comma():
    sheet = headed(
        (["Asha Rao1, Jonas Weber1 *, Mei Chen2,"], 150, 110),
        (["Jun Song2, Bo Zheng2"], 200, 125),
        (["1University of Soils, 2Soil Group"], 150, 145),
    )
    assert read(sheet).authors == ["Asha Rao", "Jonas Weber", "Mei Chen", "Jun Song", "Bo Zheng"]


def test_authors_stand_side_by_side():
    sheet = headed(
        (["Asha Rao1 Jonas Weber1", "1University of Soils"], 80, 110),
        (["Mei Chen1 Bo Zheng2"], 360, 110),
        (["2Soil Group, Millet Farm"], 240, 126),
    )
    assert read(sheet).authors == ["Asha Rao", "Jonas Weber", "Mei Chen", "Bo Zheng"]


def test_what_stands_below_a_complete_list_is_no_author():
    sheet = headed((["Asha Rao, Jonas Weber"], 150, 110), (["Soil Group, Millet Farm"], 150, 126))
    assert read(sheet).authors == ["Asha Rao", "Jonas Weber"]
