"""Texts of papers in cells that a spreadsheet opens."""

import pytest
from aimsciqa_resources.spreadsheets import as_it_was, as_text
from hypothesis import given
from hypothesis import strategies as st

FORMULA = st.sampled_from("=+-@\t\r\n＝'")


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("+1", "'+1"),
        ("-2 °C stress in rice", "'-2 °C stress in rice"),
        ("@home", "'@home"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        ("'quoted' title", "''quoted' title"),
        ("Zinc = iron", "Zinc = iron"),
        ("", ""),
    ],
)
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(text, cell):
    assert as_text(text) == cell
    assert as_it_was(cell) == text


@given(st.text(FORMULA, max_size=4), st.text())
def test_every_text_comes_back(start, rest):
    assert as_it_was(as_text(start + rest)) == start + rest


def test_an_apostrophe_of_the_text_itself_stays():
    assert as_it_was("'tis") == "'tis"
