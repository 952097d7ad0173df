"""Line numbers of manuscripts are found, and all other numbers stay."""

import pytest

from aimsciqa_assets.reading.pdf.boxes import Box, Word
from aimsciqa_assets.reading.pdf.line_numbers import line_numbers

TEXT = "The volunteers ate barley bread with zinc"


def row(text: str, y: float, x: float = 80, size: float = 10) -> list[Word]:
    words = []
    for word in text.split():
        words.append(Word(word, Box(x, y, x + size / 2 * len(word), y + size)))
        x = words[-1].box.x1 + size / 4
    return words


def numbered(
    first: int, *, x: float = 40, x1: float | None = None, step: int = 1, rows: int = 30
) -> list[Word]:
    """A page of text whose rows have numbers at a left edge, or before a right edge."""
    words = []
    for at in range(rows):
        words += row(TEXT, 60 + 13 * at)
        number = str(first + at)
        if (first + at) % step == 0:
            words += row(number, 61 + 13 * at, x if x1 is None else x1 - 4 * len(number), 8)
    return words


def erased(*pages: list[Word]) -> list[list[str]]:
    """The words that are line numbers, page by page."""
    boxes = line_numbers(pages)
    return [[word.text for word in page if word.box in some] for page, some in zip(pages, boxes, strict=True)]


@pytest.mark.parametrize("page", [
    numbered(1),
    numbered(95),
    numbered(95, x1=60),
    numbered(1, x=520),
    numbered(1, rows=6),
])  # fmt: skip
def test_a_number_for_every_line_is_found(page):
    assert erased(page) == [[word.text for word in page if word.text.isdigit()]]


@pytest.mark.parametrize("second", [31, 1])
def test_numbers_go_on_or_begin_anew_on_the_next_page(second):
    first, *_ = pages = numbered(1), numbered(second)
    assert erased(*pages)[0] == [word.text for word in first if word.text.isdigit()]
    assert erased(*pages)[1][:2] == [str(second), str(second + 1)]


def test_a_number_for_every_fifth_line_is_found():
    assert erased(numbered(1, step=5)) == [["5", "10", "15", "20", "25", "30"]]


@pytest.mark.parametrize("offset", [0, 4])
def test_each_of_two_columns_has_numbers_of_its_own(offset):
    """The rows of the columns need not stand level; the right numbers stand between the columns."""
    pages = []
    for first in (1, 61):
        left = [word for at in range(30) for word in row("Barley bread with zinc", 60 + 13 * at, 60)]
        left += [word for at in range(30) for word in row(str(first + at), 60 + 13 * at, 40, 8)]
        right = [Word(w.text, Box(w.box.x0 + 250, w.box.y0 + offset, w.box.x1 + 250, w.box.y1 + offset))
                 for w in left[:-30]]  # fmt: skip
        right += [
            word for at in range(30) for word in row(str(first + 30 + at), 60 + 13 * at + offset, 292, 8)
        ]
        pages.append(left + right)
    assert erased(*pages) == [
        [str(number) for number in range(1, 61)],
        [str(number) for number in range(61, 121)],
    ]


def test_labels_outdented_beside_a_second_column_stay():
    page = [word for at in range(30) for word in row("Barley bread with zinc", 60 + 13 * at, 60)]
    page += [word for at in range(8) for word in row(str(at + 1), 60 + 26 * at, 310)]
    page += [word for at in range(30) for word in row("Oku B. Oat zinc. 2019", 64 + 13 * at, 325)]
    assert erased(page) == [[]]


def test_numbers_in_the_text_stay():
    page = numbered(1, rows=12) + row("14 of 20 pupils stayed until week 9", 300)
    assert erased(page) == [[str(number) for number in range(1, 13)]]


def test_the_labels_of_references_stay():
    page = [word for at in range(20) for word in row(TEXT, 60 + 13 * at, 60)]
    for at in range(8):
        page += row(str(at + 1), 340 + 26 * at, 60) + row("Oku B. Oat zinc. 2019", 340 + 26 * at)
        page += row("Grain J 4:12", 353 + 26 * at)
    assert erased(page) == [[]]


def test_the_first_column_of_a_table_stays():
    page = [word for at in range(30) for word in row(TEXT, 60 + 13 * at, 60)]
    for at in range(9):
        page += row(str(at + 1), 470 + 13 * at, 70) + row("4.5 0.3 11", 470 + 13 * at, 140)
    assert erased(page) == [[]]


def test_numbers_that_do_not_count_stay():
    page = [word for at in range(20) for word in row(f"{at * at + 3} pupils of the school", 60 + 13 * at, 60)]
    assert erased(page) == [[]]
