"""Tables as HTML: heads, headings over columns, cells of several lines. Printed without the layout model."""

import re

import pytest

from aimsciqa_assets.reading.pdf.boxes import Box
from aimsciqa_assets.reading.pdf.grid import table_html
from tests.printed_pages import Sheet

COLUMNS = [10, 120, 200, 280]


def rows(html: str) -> list[list[str]]:
    """The cells of each row; "*" marks a cell of the head, "[3]" its span."""
    found = []
    for row in re.findall(r"<tr>(.*?)</tr>", html):
        cells = re.findall(r"<(t[dh])(?: colspan=\"(\d+)\")?>(.*?)</t[dh]>", row)
        found.append(
            [("*" if tag == "th" else "") + (f"[{n}]" if n else "") + text for tag, n, text in cells]
        )
    return found


def table(
    cells: list[list[str]],
    *,
    columns: list[float] = COLUMNS,
    rules: tuple[float, ...] = (),
    partial: tuple[tuple[float, float, float], ...] = (),
    leading: float = 12,
    steps: tuple[float, ...] = (),
) -> list[list[str]]:
    """The table with these lines; `rules` cross all of it, `partial` are (x0, x1, y)."""
    sheet = Sheet()
    y = 100.0
    for at, line in enumerate(cells):
        sheet.cells([line], columns, y)
        y += steps[at] if steps else leading
    for height in rules:
        sheet.rule(8, 340, height)
    for x0, x1, height in partial:
        sheet.rule(x0, x1, height)
    return rows(table_html(sheet.page.words, sheet.page.rules, Box(0, 90, 450, y + 20)))


def test_cells_above_the_first_ruled_line_are_the_head():
    assert table(
        [["Field", "Depth", "Height", "Yield"], ["north", "41", "88", "2.3"], ["south", "57", "91", "2.9"]],
        rules=(98, 110, 140),
    ) == [
        ["*Field", "*Depth", "*Height", "*Yield"],
        ["north", "41", "88", "2.3"],
        ["south", "57", "91", "2.9"],
    ]


def test_without_lines_a_first_row_of_words_over_figures_is_the_head():
    assert table([["Field", "Depth"], ["north", "41"], ["south", "57"]], columns=[10, 120])[0] == [
        "*Field",
        "*Depth",
    ]
    assert table([["north", "south"], ["east", "west"]], columns=[10, 120])[0] == ["north", "south"]


def test_the_lines_of_a_heading_are_one_cell():
    assert table(
        [["Variety", "Depth of", "Height", "Yield"], ["", "roots", "(cm)", ""], ["Early", "41", "88", "2.3"],
         ["Late", "57", "91", "2.9"]],
        rules=(98, 122, 160),
    )[0] == ["*Variety", "*Depth of roots", "*Height (cm)", "*Yield"]  # fmt: skip


def test_a_heading_over_columns_has_their_number():
    first = ["", "", "First season", ""]
    second = ["Field", "Depth", "Height", "Yield"]
    body = [["north", "41", "88", "2.3"], ["south", "57", "91", "2.9"], ["east", "44", "90", "2.4"]]
    lines = [first, second, *body]
    assert table(lines, rules=(98, 122, 170), partial=((118, 330, 110),)) == [
        ["*Field", "*[3]First season"],
        ["*", "*Depth", "*Height", "*Yield"],
        *body,
    ]


def test_a_heading_in_the_middle_over_columns_needs_no_line():
    sheet = Sheet()
    sheet.cells([["Field", "", "", "Yield"]], COLUMNS, 106)
    sheet.line("Season", 160, 98, 8)
    sheet.cells([["", "Depth", "Height", ""]], COLUMNS, 112)
    sheet.cells([["north", "41", "88", "2.3"], ["south", "57", "91", "2.9"]], COLUMNS, 130)
    for height in (95, 124, 160):
        sheet.rule(8, 340, height)
    assert rows(table_html(sheet.page.words, sheet.page.rules, Box(0, 90, 350, 170))) == [
        ["*Field", "*[2]Season", "*Yield"],
        ["*", "*Depth", "*Height", "*"],
        ["north", "41", "88", "2.3"],
        ["south", "57", "91", "2.9"],
    ]


def test_lines_that_stand_closer_than_rows_do_are_one_row():
    lines = [
        ["Treatment", "What was done"],
        ["Zinc spray", "Leaves of the upper third"],
        ["", "Were sprayed on two dates"],
        ["Control", "Water instead of zinc on"],
        ["", "The same two dates"],
    ]
    assert table(lines, columns=[10, 120], rules=(98, 110, 190), steps=(14, 9, 15, 9, 15)) == [
        ["*Treatment", "*What was done"],
        ["Zinc spray", "Leaves of the upper third Were sprayed on two dates"],
        ["Control", "Water instead of zinc on The same two dates"],
    ]


def test_figures_below_figures_are_rows_however_close_they_stand():
    lines = [["Field", "Depth"], *([f"field {n}", f"{n}1.5"] for n in range(1, 5))]
    assert len(table(lines, columns=[10, 120], steps=(12, 9, 12, 9, 12))) == 5


def test_a_line_that_goes_on_every_cell_above_is_no_row():
    lines = [
        ["Treatment", "What was done", "Yield"],
        ["Foliar zinc sulphate", "sprayed on leaves of the", "2.3"],
        ["at tillering", "upper third twice", ""],
        ["Seed priming", "soaked overnight", "2.9"],
        ["Control", "", "2.1"],
    ]
    assert table(lines, columns=[10, 120, 240], rules=(98, 110, 170)) == [
        ["*Treatment", "*What was done", "*Yield"],
        ["Foliar zinc sulphate at tillering", "sprayed on leaves of the upper third twice", "2.3"],
        ["Seed priming", "soaked overnight", "2.9"],
        ["Control", "", "2.1"],
    ]


def test_a_label_over_indented_rows_is_a_row():
    lines = [["", "Patients"], ["Sex", ""], ["female", "41 (52)"], ["male", "38 (48)"], ["Age", "58 (9)"]]
    assert [row[0] for row in table(lines, columns=[10, 120], rules=(98, 110, 170))] == [
        "*",
        "Sex",
        "female",
        "male",
        "Age",
    ]


def test_a_cell_in_the_middle_of_two_lines_belongs_to_the_first():
    sheet = Sheet()
    for at, (name, value, other) in enumerate((("north", "2.3", "2.1"), ("south", "2.9", "2.7"))):
        y = 120 + 24 * at
        sheet.cells([["", "dry", value], ["", "wet", other]], [10, 120, 200], y, leading=10)
        sheet.line(name, 10, y + 5.5, 8)
    assert rows(table_html(sheet.page.words, [], Box(0, 90, 350, 190))) == [
        ["north", "dry", "2.3"],
        ["", "wet", "2.1"],
        ["south", "dry", "2.9"],
        ["", "wet", "2.7"],
    ]


def test_figures_side_by_side_are_cells_of_their_own():
    sheet = Sheet()
    for at, name in enumerate(("north", "south", "east")):
        for column, x in enumerate((60, 79, 98, 117)):
            sheet.line(f"{at}.{column}7", x, 120 + 12 * at, 8)
        sheet.line(name, 10, 120 + 12 * at, 8)
    assert rows(table_html(sheet.page.words, [], Box(0, 90, 350, 190)))[0] == [
        "north", "0.07", "0.17", "0.27", "0.37",
    ]  # fmt: skip


def test_a_word_cut_at_the_end_of_a_line_is_whole():
    lines = [["Sign", "How it looked"], ["1", "moderate or severe depres-"], ["", "sion in three weeks"]]
    assert table(lines, columns=[10, 120], rules=(98, 110, 150))[1] == [
        "1",
        "moderate or severe depression in three weeks",
    ]


def test_units_and_ranges_broken_between_lines_have_no_space():
    lines = [["Outcome", "Range", "n"], ["Glucose in mmol/", "20–", "7"], ["l of plasma", "110 nm", ""]]
    assert table(lines, columns=[10, 160, 240], rules=(98, 110, 150))[1] == [
        "Glucose in mmol/l of plasma",
        "20–110 nm",
        "7",
    ]


@pytest.mark.parametrize("rules", [(), (98, 110, 150), (98, 110, 122, 134, 146)])
@pytest.mark.parametrize("steps", [(12, 12, 12, 12), (12, 9, 14, 9)])
def test_no_word_is_lost(rules, steps):
    lines = [
        ["Variety", "", "Depth and height together", ""],
        ["Early brown", "41.2", "", "a, b & <c>"],
        ["", "(3.1)", "n = 7", "which was never observed before"],
        ["Total of all", "", "", "12"],
    ]
    told = " ".join(cell for row in table(lines, rules=rules, steps=steps) for cell in row)
    told = re.sub(r"\*|\[\d\]", "", told).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    assert sorted(told.split()) == sorted(word for line in lines for cell in line for word in cell.split())
