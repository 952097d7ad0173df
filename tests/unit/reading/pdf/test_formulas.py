"""Formulas are read in the order in which one reads them, whatever the order of the file is."""

from aimsciqa_assets.reading.pdf.boxes import Box
from aimsciqa_assets.reading.pdf.formulas import formula_text
from tests.printed_pages import Sheet, begun, read

REGION = Box(50, 90, 400, 160)


def formula(sheet: Sheet) -> str:
    return formula_text(sheet.page.words, sheet.page.rules, REGION)


def test_a_fraction_is_its_numerator_and_its_denominator():
    sheet = Sheet()
    sheet.line("a + b", 110, 100)
    sheet.line("G =", 80, 108)
    sheet.line("(1)", 380, 108)
    sheet.line("2c", 118, 116)
    sheet.line("+ d", 145, 108)
    sheet.rule(108, 138, 113)
    assert formula(sheet) == "G = (a + b) / 2c + d (1)"


def test_two_fractions_side_by_side_keep_their_parts():
    sheet = Sheet()
    for x, above, below in ((100, "p", "q"), (140, "r", "s")):
        sheet.line(above, x, 100)
        sheet.line(below, x, 116)
        sheet.rule(x - 3, x + 8, 113)
    sheet.line("x =", 80, 108)
    sheet.line("\u00b7", 122, 108)
    assert formula(sheet) == "x = p / q \u00b7 r / s"


def test_a_fraction_in_a_fraction():
    sheet = Sheet()
    sheet.line("y =", 70, 118)
    sheet.line("1", 110, 98)
    sheet.rule(95, 130, 109)
    sheet.line("a", 110, 111)
    sheet.rule(107, 118, 122)
    sheet.line("b", 110, 124)
    assert formula(sheet) == "y = 1 / (a / b)"


def test_limits_follow_the_sign_of_their_sum():
    sheet = Sheet()
    sheet.line("N", 102, 98, 6)
    sheet.line("S =", 80, 106)
    sheet.line("\u2211", 102, 105, 12)
    sheet.line("i=1", 99, 118, 6)
    sheet.line("x", 116, 106)
    assert formula(sheet) == "S = \u2211 i=1 N x"


def test_lines_of_a_formula_come_one_after_the_other_and_the_number_last():
    sheet = Sheet()
    sheet.line("= c", 100, 122)
    sheet.line("(2a)", 370, 112)
    sheet.line("a + b", 80, 104)
    assert formula(sheet) == "a + b = c (2a)"


def test_brackets_inside_of_a_formula_are_no_number():
    sheet = Sheet()
    sheet.line("f (2) = 3", 80, 104)
    assert formula(sheet) == "f (2) = 3"


def test_a_formula_stands_in_the_equations_and_in_its_section():
    sheet = Sheet()
    y = begun(sheet)
    sheet.line("(7)", 500, y + 8)
    sheet.line("a + b", 110, y)
    sheet.line("G =", 80, y + 8)
    sheet.line("2c", 118, y + 16)
    sheet.rule(108, 138, y + 13)
    sheet.region("formula", 78, y - 2, 520, y + 28)
    sheet.prose(60, y + 40)
    found = read(sheet)
    assert [one.content for one in found.equations] == ["G = (a + b) / 2c (7)"]
    assert "\n\nG = (a + b) / 2c (7)\n\n" in found.sections[0].text
