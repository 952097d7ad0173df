"""Sections of the paper in a PDF: headings in the line, levels, back matter, the bibliography."""

import pytest

from aimsciqa_assets.reading.pdf.reader import paper_of
from tests.printed_pages import PROSE, Sheet, begun, read

TEXT = " ".join(PROSE)
ENTRIES = [
    "1. Oku B, Ito A. Oat zinc in the diet of children. Grain J. 2019;4:12-15.",
    "2. Meyer C. Zinc and growth in schools of the Alps. Lancet. 2001;7:100-110.",
    "3. Rao A, Doe J. Bread with zinc: a trial. BMJ. 2010;3:44-51.",
    "4. Chen M. Iron and zinc in millet grain. Nutr J. 2015;9:1-9.",
    "5. Diaz P. Plasma zinc as a marker of intake. J Nutr. 2008;2:22-29.",
    "6. Weber J. Barley in the mountains. Food J. 1998;1:5-8.",
]


def paragraph(sheet: Sheet, y: float, lead: str = "") -> float:
    """A paragraph that begins with bold words; where the next thing may begin."""
    lines = [f"{lead} {PROSE[0]}".strip(), *PROSE[1:]]
    boxes = [sheet.line(text, 60, y + 12 * at, lead="" if at else lead) for at, text in enumerate(lines)]
    sheet.region("text", 60, y, max(box.x1 for box in boxes), boxes[-1].y1)
    return boxes[-1].y1 + 10


def sections(sheet: Sheet) -> list[tuple[str, list[tuple[str, str]]]]:
    """The sections behind the introduction: title, and paragraphs with their subsections."""
    paper = paper_of(read(sheet))
    assert [section.title for section in paper.sections[:2]] == ["Abstract", "Introduction"]
    return [
        (section.title, [(text.subsection, text.text) for text in section.paragraphs])
        for section in paper.sections[2:]
    ]


@pytest.mark.parametrize("mark", [".", ":", ""])
def test_bold_titles_in_the_line_are_sections(mark):
    sheet = Sheet()
    y = begun(sheet)
    for title in ("Methods", "Results"):
        y = paragraph(sheet, y, title + mark)
    assert sections(sheet) == [("Methods", [("", TEXT)]), ("Results", [("", TEXT)])]


def test_a_bold_title_in_the_line_ends_an_abstract():
    sheet = Sheet()
    sheet.block("title", ["Roots of Millet in Dry and Sandy Soils"], 60, 60, 18)
    y = sheet.block("section-header", ["Abstract"], 60, 100, 12, bold=True)
    y = paragraph(sheet, y + 8)
    for title in ("Introduction.", "Results."):
        y = paragraph(sheet, y, title)
    assert sections(sheet) == [("Results", [("", TEXT)])]


def test_headings_in_the_print_of_a_part_without_text_stand_below_it():
    sheet = Sheet()
    y = begun(sheet)
    for title in ("Methods", "Plants", "Soils", "Discussion"):
        y = sheet.block("section-header", [title], 60, y, 12, bold=True) + 8
        if title != "Methods":
            y = sheet.prose(60, y) + 14
    assert sections(sheet) == [
        ("Methods", [("Plants", TEXT), ("Soils", TEXT)]),
        ("Discussion", [("", TEXT)]),
    ]


def test_back_matter_is_left_out_with_what_stands_below_it():
    sheet = Sheet()
    y = begun(sheet)
    for title, size in (("Results", 12), ("Funding", 11), ("Consent of all authors", 10.5), ("Appendix", 12)):
        y = sheet.block("section-header", [title], 60, y, size, bold=True) + 8
        y = sheet.prose(60, y) + 14
    assert sections(sheet) == [("Results", [("", TEXT)])]


def test_a_part_of_the_methods_named_like_back_matter_is_kept():
    sheet = Sheet()
    y = begun(sheet)
    for title, size in (("Methods", 12), ("Supplements", 11), ("Results", 12)):
        y = sheet.block("section-header", [title], 60, y, size, bold=True) + 8
        y = sheet.prose(60, y) + 14
    assert sections(sheet) == [("Methods", [("", TEXT), ("Supplements", TEXT)]), ("Results", [("", TEXT)])]


def apart(sheet: Sheet, y: float) -> None:
    """A title above the entries."""
    y = sheet.block("section-header", ["References"], 60, y, 12, bold=True) + 4
    sheet.block("text", ENTRIES, 60, y)


def in_their_region(sheet: Sheet, y: float) -> None:
    """A bold title that the layout model takes for the first line of the entries."""
    boxes = [sheet.line("References", 60, y, bold=True)]
    boxes += [sheet.line(entry, 60, y + 12 * at) for at, entry in enumerate(ENTRIES, 1)]
    sheet.region("text", 60, y, 500, boxes[-1].y1)


def below_the_text(sheet: Sheet, y: float) -> None:
    """A title in capitals that the layout model takes for a line of the last paragraph."""
    lines = [*PROSE, "REFERENCES", *ENTRIES]
    boxes = [sheet.line(text, 60, y + 12 * at) for at, text in enumerate(lines)]
    sheet.region("text", 60, y, 500, boxes[-1].y1)


def in_the_line(sheet: Sheet, y: float) -> None:
    """A title on the line of the first entry."""
    sheet.block("text", [f"References {ENTRIES[0]}", *ENTRIES[1:]], 60, y)


def without_a_title(sheet: Sheet, y: float) -> None:
    """Entries at the end of the paper."""
    for entry in ENTRIES:
        y = sheet.block("list-item", [entry], 60, y) + 4


def as_headings(sheet: Sheet, y: float) -> None:
    """Entries of which the layout model takes one for a heading."""
    y = sheet.block("section-header", ["References"], 60, y, 12, bold=True) + 4
    y = sheet.block("text", ENTRIES[:2], 60, y) + 4
    y = sheet.block("section-header", ENTRIES[2:3], 60, y) + 4
    sheet.block("text", ENTRIES[3:], 60, y)


@pytest.mark.parametrize(
    "printed", [apart, in_their_region, below_the_text, in_the_line, without_a_title, as_headings]
)
def test_references_never_stand_in_the_results(printed):
    sheet = Sheet()
    y = sheet.block("section-header", ["Results"], 60, begun(sheet), 12, bold=True)
    y = sheet.prose(60, y + 8) + 14
    printed(sheet, y)
    assert sections(sheet) == [
        ("Results", [("", TEXT)] * (2 if printed is below_the_text else 1)),
    ]
    assert [(entry.label, entry.year) for entry in paper_of(read(sheet)).references] == [
        *(("1", 2019), ("2", 2001), ("3", 2010), ("4", 2015), ("5", 2008), ("6", 1998)),
    ]


def test_a_numbered_list_in_the_text_is_no_bibliography():
    sheet = Sheet()
    y = sheet.block("section-header", ["Results"], 60, begun(sheet), 12, bold=True) + 8
    for at in range(1, 7):
        y = sheet.block("list-item", [f"{at}. The plants of plot {at} grew best."], 60, y) + 4
    paper = paper_of(read(sheet))
    assert (len(paper.sections[-1].paragraphs), paper.references) == (6, [])
