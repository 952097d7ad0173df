# ruff: noqa: E501 (a snippet of markup is easier to read on one line)
"""Tables of JATS articles: odd ones with what a reader sees, and all of the shared papers read a second time."""

from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from aimsciqa_assets.reading.jats.reader import parse_jats
from aimsciqa_assets.reading.paper import RejectedFileError
from aimsciqa_assets.reading.paper_table import PaperTable
from tests.jats_snippets import paper_of

SHARED = Path(__file__).parents[5] / "shared"


def table_of(inside: str, wrap: str = "") -> PaperTable:
    paper = paper_of(f"<sec><title>Results</title><p>Text.</p><table-wrap>{wrap}{inside}</table-wrap></sec>")
    (table,) = paper.tables
    assert all(table.text[slot.start : slot.end] == slot.text for slot in table.slots)
    return table


def headers(table: PaperTable) -> dict[str, tuple[str, str]]:
    """The row's and the column's header of each cell, by its text."""
    return {slot.text: (slot.row_header, slot.column_header) for slot in table.slots if not slot.is_header}


def test_a_plain_table_has_a_line_for_each_row():
    table = table_of(
        "<table><thead><tr><th>Line</th><th>Zinc</th></tr></thead>"
        "<tbody><tr><td>A</td><td>15 mg</td></tr><tr><td>B</td><td>20 mg</td></tr></tbody></table>"
        "<table-wrap-foot><fn><label>a</label><p>Dry weight.</p></fn><p>n = 3.</p></table-wrap-foot>",
        "<label>Table 1.</label><caption><p>Zinc by line</p></caption>",
    )
    assert table.text == "Table 1. Zinc by line\nLine | Zinc\nA | 15 mg\nB | 20 mg\na Dry weight.\nn = 3."
    assert (table.rows, table.columns, table.footnotes) == (3, 2, ["a Dry weight.", "n = 3."])
    assert headers(table)["20 mg"] == ("B", "Zinc")
    assert headers(table)["B"] == ("", "Line")


@pytest.mark.parametrize(
    ("inside", "text", "cells"),
    [
        pytest.param(
            "<table><thead><tr><th rowspan='2'>Line</th><th colspan='2'>Zinc</th></tr>"
            "<tr><th>2019</th><th>2020</th></tr></thead><tr><td>A</td><td>1</td><td>2</td></tr></table>",
            "Line | Zinc | Zinc\nLine | 2019 | 2020\nA | 1 | 2",
            {"1": ("A", "Zinc > 2019"), "2": ("A", "Zinc > 2020")},
            id="two rows of heads",
        ),
        pytest.param(
            "<table><tr><td rowspan='2'>A</td><td>2019</td><td>1</td></tr><tr><td>2020</td><td>2</td></tr></table>",
            "A | 2019 | 1\nA | 2020 | 2",
            {"1": ("A", ""), "2": ("A", "")},
            id="no head, a cell over two rows",
        ),
        pytest.param(
            "<table><thead><tr><th>Trait</th><th>n</th><th>%</th></tr></thead>"
            "<tr><td colspan='3'>Sex</td></tr><tr><td>Women</td><td>40</td><td>66</td></tr>"
            "<tr><td>Age</td><td/><td/></tr><tr><td>Below 30</td><td>7</td><td>9</td></tr></table>",
            "Trait | n | %\nSex\nWomen | 40 | 66\nAge\nBelow 30 | 7 | 9",
            {"66": ("Sex > Women", "%"), "7": ("Age > Below 30", "n")},
            id="rows that head a group",
        ),
        pytest.param(
            "<table><tr><th>Line</th><th>Zinc</th></tr><tr><th>A</th><td>1</td></tr></table>",
            "Line | Zinc\nA | 1",
            {"1": ("A", "Zinc")},
            id="header cells without a head",
        ),
        pytest.param(
            "<table><tr><td>A</td><td colspan='2'>not measured</td></tr><tr><td>B</td><td>1</td><td>2</td></tr></table>",
            "A | not measured | \nB | 1 | 2",
            {"not measured": ("A", ""), "2": ("B", "")},
            id="a value over two columns",
        ),
        pytest.param(
            "<table><thead><tr><th/><th>Z</th></tr><tr><th/><th><hr/></th></tr></thead>"
            "<tr><td>A<break/>B</td><td>1<xref ref-type='table-fn' rid='f'><sup>a</sup></xref></td></tr></table>",
            " | Z\nA B | 1^a",
            {"1^a": ("A B", "Z")},
            id="an empty row, a break and a mark of a footnote",
        ),
        pytest.param(
            "<table><thead><tr><th>A</th></tr></thead><tr><td>1</td></tr></table>"
            "<table><thead><tr><th>B</th></tr></thead><tr><td>2</td></tr></table>",
            "A\n1\nB\n2",
            {"1": ("", "A"), "2": ("", "B")},
            id="two tables under one label",
        ),
        pytest.param(
            "<table><tr><td>A<table><tr><td>x</td><td>y</td></tr></table></td><td>1</td></tr></table>",
            "A x y | 1",
            {"1": ("A x y", "")},
            id="a table in a cell",
        ),
        pytest.param(
            "<list><list-item><p>First.</p></list-item></list><p>Second.</p>",
            "First.\nSecond.",
            {"Second.": ("", "")},
            id="texts in place of cells",
        ),
        pytest.param(
            "<table><tr><td rowspan='9'>A</td><td colspan='x'>1</td></tr><tr><td>2</td></tr></table>",
            "A | 1\nA | 2",
            {"2": ("A", "")},
            id="spans that are too long or no numbers",
        ),
    ],
)
def test_odd_tables_read_as_people_read_them(inside, text, cells):
    table = table_of(inside)
    assert table.text == text
    assert {cell: headers(table)[cell] for cell in cells} == cells


def test_an_image_keeps_its_caption_and_a_monster_is_not_laid_out():
    image = table_of("<graphic/>", "<label>Table 2</label><caption><p>Doses.</p></caption>")
    assert (image.text, image.rows) == ("Table 2. Doses.", 0)
    rows = "<tr><td rowspan='9999' colspan='9999'>x</td></tr>" * 300
    assert table_of(f"<table>{rows}</table>", "<label>Table 3</label>").text == "Table 3"


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the development corpora in ../shared")
def test_every_table_of_the_shared_papers_is_read():
    """Tables, cells, spans and footnotes, counted a second time from the tree alone."""
    ours, theirs = Counter[str](), Counter[str]()
    folders = ("corpora/sample", "corpora/odd", "findings-trial/papers")
    for path in sorted(path for folder in folders for path in (SHARED / folder).glob("*.xml")):
        try:
            paper = parse_jats(path.read_bytes())
        except RejectedFileError:
            continue
        ours += counted(paper.tables)
        theirs += counted_by_lxml(path)
    assert ours == theirs


def counted(tables: list[PaperTable]) -> Counter[str]:
    cells = [slot for table in tables for slot in table.slots if slot.row_span and slot.column_span]
    return Counter(
        tables=len(tables),
        with_cells=sum(bool(table.slots) for table in tables),
        texts=sum(bool(slot.text) for slot in cells),
        footnotes=sum(bool(table.footnotes) for table in tables),
    )


def counted_by_lxml(path: Path) -> Counter[str]:
    root = etree.fromstring(path.read_bytes(), etree.XMLParser(recover=True, remove_comments=True))
    wraps = root.xpath(
        "//*[local-name()='article']/*[local-name()='body' or local-name()='floats-group']"
        "//*[local-name()='table-wrap']"
    )
    cells = [cell for wrap in wraps for cell in wrap.iter("{*}td", "{*}th", "td", "th")]
    return Counter(
        tables=len(wraps),
        with_cells=sum(next(wrap.iter("{*}tr"), None) is not None for wrap in wraps),
        texts=sum(bool("".join(cell.itertext()).strip()) for cell in cells),
        footnotes=sum(next(wrap.iter("{*}table-wrap-foot"), None) is not None for wrap in wraps),
    )
