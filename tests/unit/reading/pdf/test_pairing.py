"""Captions are paired with their own tables and figures, on whichever side a paper prints them."""

import pytest

from tests.printed_pages import Sheet, begun, read

CELLS = ("north", "south", "east", "west")


def table(sheet: Sheet, y: float, first: str, height: float = 60) -> float:
    """A table with a cell of its own."""
    bottom = sheet.cells([["Field", "Yield"], [first, "2.31"], ["mean", "2.05"]], [70, 200], y, leading=24)
    sheet.region("table", 60, y - 2, 300, y + height)
    return max(bottom, y + height)


def picture(sheet: Sheet, y: float) -> float:
    """A picture without words."""
    sheet.region("picture", 80, y, 280, y + 90)
    return y + 90


def contents(element) -> str:
    """The cell of its own that a table has."""
    return next(cell for cell in CELLS if cell in element.content)


@pytest.mark.parametrize("side", ["above", "below"])
def test_tables_that_follow_each_other_closely_keep_their_captions(side):
    sheet = Sheet()
    y = begun(sheet)
    for number, cell in enumerate(CELLS, 1):
        caption = f"Table {number}: Yield of the field in the {cell}."
        if side == "above":
            y = sheet.block("caption", [caption], 60, y, 8) + 12
            y = table(sheet, y, cell) + 5
        else:
            y = table(sheet, y, cell) + 12
            y = sheet.block("caption", [caption], 60, y, 8) + 5
    tables = read(sheet).tables
    assert [(one.caption[:7], contents(one)) for one in tables] == [
        ("Table 1", "north"),
        ("Table 2", "south"),
        ("Table 3", "east"),
        ("Table 4", "west"),
    ]


def test_a_note_between_a_table_and_its_caption_does_not_part_them():
    sheet = Sheet()
    y = begun(sheet)
    for number, cell in enumerate(CELLS[:2], 1):
        y = table(sheet, y, cell) + 4
        y = sheet.block(
            "text", ["Data are means of four plots.", "The mean is that of all fields."], 60, y, 7
        )
        y = sheet.block("caption", [f"Table {number}: Yield of the field."], 60, y + 30, 8) + 20
    assert [(one.caption[:7], contents(one)) for one in read(sheet).tables] == [
        ("Table 1", "north"),
        ("Table 2", "south"),
    ]


@pytest.mark.parametrize("side", ["above", "below"])
def test_figures_that_follow_each_other_closely_keep_their_captions(side):
    sheet = Sheet()
    y = begun(sheet)
    tops = []
    for number in range(1, 5):
        caption = f"Figure {number}: Height over the season."
        if side == "above":
            y = sheet.block("caption", [caption], 80, y, 8) + 10
        tops.append(y)
        y = picture(sheet, y) + 10
        if side == "below":
            y = sheet.block("caption", [caption], 80, y, 8) + 10
    images = read(sheet).images
    assert [one.caption[:8] for one in images] == ["Figure 1", "Figure 2", "Figure 3", "Figure 4"]
    assert [one.box[1] for one in images] == tops


def test_captions_of_tables_stand_above_and_those_of_figures_below():
    sheet = Sheet()
    y = begun(sheet)
    y = sheet.block("caption", ["Table 1: Yield of the field."], 60, y, 8) + 10
    y = table(sheet, y, "north") + 10
    top = y
    y = picture(sheet, y) + 8
    y = sheet.block("caption", ["Figure 1: Height over the season."], 60, y, 8) + 8
    y = sheet.block("caption", ["Table 2: Yield of the field."], 60, y, 8) + 10
    table(sheet, y, "south")
    found = read(sheet)
    assert [contents(one) for one in found.tables] == ["north", "south"]
    assert [one.box for one in found.images] == [(80, top, 280, top + 90)]


def test_a_picture_is_cut_at_the_caption_inside():
    sheet = Sheet()
    y = begun(sheet)
    sheet.region("picture", 80, y, 280, y + 200)
    sheet.block("caption", ["Figure 1: Height."], 90, y + 90, 8)
    sheet.block("caption", ["Figure 2: Depth."], 90, y + 206, 8)
    assert [one.box for one in read(sheet).images] == [(80, y, 280, y + 90), (80, y + 98, 280, y + 200)]


def test_a_caption_printed_right_under_the_note_of_a_table_is_no_part_of_the_note():
    sheet = Sheet()
    y = table(sheet, begun(sheet), "north") + 6
    sheet.line("Data are means of four plots.", 60, y, 6.5)
    sheet.line("Table 1: Yield of the field", 60, y + 10, 7, bold=True)
    sheet.region("text", 60, y, 200, y + 17)
    (only,) = read(sheet).tables
    assert only.caption == "Table 1: Yield of the field"
    assert "Data are means of four plots." in only.content


def test_a_table_that_goes_on_in_the_next_column_is_one_table():
    sheet = Sheet()
    y = begun(sheet)
    for x, (name, value) in ((70, ("north", "2.31")), (330, ("south", "2.05"))):
        sheet.cells([["", "Yield"], [name, value]], [x, x + 100], y + 10)
        sheet.region("table", x - 5, y, x + 160, y + 60)
    sheet.block("caption", ["Table 1: Yield of the fields."], 330, y + 70, 8)
    (only,) = read(sheet).tables
    assert only.content.index("north") < only.content.index("south")


def test_two_tables_that_the_layout_model_took_for_one_are_parted_at_the_caption_between():
    sheet = Sheet()
    y = begun(sheet)
    sheet.block("caption", ["TABLE I. Yield of one field."], 60, y, 8)
    sheet.cells([["Field", "Yield"], ["north", "2.31"], ["mean", "2.05"]], [70, 200], y + 20)
    sheet.line("TABLE II. Yield of the other field.", 60, y + 70, 8)
    sheet.cells([["Field", "Yield"], ["south", "2.94"], ["mean", "2.05"]], [70, 200], y + 90)
    sheet.region("table", 60, y + 16, 300, y + 130)
    assert [(one.caption[:8], contents(one)) for one in read(sheet).tables] == [
        ("TABLE I.", "north"),
        ("TABLE II", "south"),
    ]
