"""The head of a paper: its title, its abstract, its DOI, and where its body begins."""

import pytest

from aimsciqa_assets.reading.contents import Contents
from aimsciqa_assets.reading.pdf.reader import paper_of
from tests.printed_pages import PROSE, Sheet, read

TITLE = "Roots of Millet in Dry and Sandy Soils"
AFFILIATIONS = [
    "1 Department of Agronomy, University of Bern, Bern, Switzerland; 2 Institute of Soils, School of",
    "Life Sciences, University of Zurich, Zurich, Switzerland; 3 Centre for Roots, Ministry of Land, Vienna,",
    "Austria; 4 Division of Crops, Faculty of Science, University of Basel, Basel, Switzerland; 5 Laboratory",
    "of Water, College of Farming, Graz, Austria. Correspondence to Asha Rao, Department of Agronomy, Bern,",
    "Switzerland; Jonas Weber, Institute of Soils, Zurich; Mei Chen, Centre for Roots, Vienna, Austria",
]
REFERENCE = "[1] Oku B. Oat zinc. Grain J 2019;4:12-15. doi:10.5555/oku.2019"


def begun(*, abstract: bool = True, doi: str = "") -> tuple[Sheet, float]:
    sheet = Sheet()
    sheet.block("title", [TITLE], 60, 60, 18)
    y = sheet.block("text", ["Asha Rao and Jonas Weber"], 60, 90)
    if doi:
        y = sheet.block("text", [doi], 60, y + 4, 8)
    if abstract:
        y = sheet.block("section-header", ["Abstract"], 60, y + 8, 12, bold=True)
        y = sheet.prose(60, y + 8)
    return sheet, y + 20


def body(sheet: Sheet, y: float, *, last: str = "") -> Contents:
    for title in ("Introduction", "Results"):
        y = sheet.block("section-header", [title], 60, y, 12, bold=True)
        y = sheet.block("text", [*PROSE, *([last] if last else [])], 60, y + 8) + 14
    y = sheet.block("section-header", ["References"], 60, y, 12, bold=True)
    sheet.block("text", [REFERENCE], 60, y + 8, 8)
    return read(sheet)


@pytest.mark.parametrize(
    ("printed", "last", "metadata", "doi"),
    [
        ("", "", {}, None),
        ("", "The data are at https://doi.org/10.5061/dryad.99 for all.", {}, None),
        ("https://doi.org/10.1234/roots.5 Published 3 May 2021", "", {}, "10.1234/roots.5"),
        ("doi: 10.1234/roots.5", "The data are at https://doi.org/10.5061/dryad.99.", {}, "10.1234/roots.5"),
        ("This is a correction to: https://doi.org/10.1234/roots.1", "", {}, None),
        ("See the commentary of Oku et al. on page 45, doi:10.1234/oku.2", "", {}, None),
        ("Related article: Oku B (2019) Oat. https://doi.org/10.1234/oku.3", "", {}, None),
        ("The original article can be found at https://doi.org/10.1234/roots.1.", "", {}, None),
        ("Data and code: 10.5061/dryad.9. Supplement: doi 10.1234/s1. Published as doi:10.1234/roots.5",
         "", {}, "10.1234/roots.5"),
        ("Scientific Data (2021) 8:12 https://doi.org/10.1234/roots.5", "", {}, "10.1234/roots.5"),
        ("", "", {"subject": "Soils, 2021, doi:10.1234/roots.5"}, "10.1234/roots.5"),
        ("", "", {"doi": "10.1234/roots.5"}, "10.1234/roots.5"),
    ],
)  # fmt: skip
def test_the_doi_of_a_reference_or_of_data_is_not_that_of_the_paper(printed, last, metadata, doi):
    sheet, y = begun(doi=printed)
    body(sheet, y, last=last)
    contents = read(sheet, metadata=metadata)
    assert contents.doi == doi
    assert [entry.text for entry in contents.references] == [REFERENCE]


@pytest.mark.parametrize("heading", [True, False])
@pytest.mark.parametrize("size", [8, 10])
def test_affiliations_are_no_abstract(heading, size):
    sheet = Sheet()
    sheet.block("title", [TITLE], 60, 60, 18)
    y = sheet.block("text", ["Asha Rao and Jonas Weber"], 60, 90) + 10
    if heading:
        y = sheet.block("section-header", ["Abstract"], 60, y, 12, bold=True) + 8
    y = sheet.block("text", AFFILIATIONS, 60, y, size) + 10
    y = sheet.block("text", [*PROSE, *PROSE], 60, y) + 14
    contents = body(sheet, y)
    assert contents.abstract == " ".join([*PROSE, *PROSE])


def test_affiliations_at_the_foot_of_the_first_page_are_no_text():
    sheet, y = begun()
    y = sheet.block("section-header", ["Introduction"], 60, y, 12, bold=True)
    y = sheet.prose(60, y + 8)
    sheet.block("text", AFFILIATIONS, 60, 700, 8)
    (section,) = read(sheet).sections
    assert section.text == " ".join(PROSE)


def test_a_title_that_stands_in_the_margin_is_read():
    sheet = Sheet()
    sheet.block("page-header", ["Roots of Millet in Dry Soils", "and the Yield of Three Years"], 60, 30, 18)
    y = sheet.block("section-header", ["Abstract"], 60, 110, 12, bold=True)
    y = sheet.prose(60, y + 8)
    contents = body(sheet, y + 20)
    assert contents.title == "Roots of Millet in Dry Soils and the Yield of Three Years"


def test_text_that_is_taken_for_a_running_head_is_kept():
    sheet, y = begun()
    y = sheet.block("section-header", ["Introduction"], 60, y, 12, bold=True)
    sheet.block("page-header", list(PROSE), 60, y + 8)
    (section,) = read(sheet).sections
    assert section.text == " ".join(PROSE)


def test_text_without_a_heading_is_a_section_without_a_title():
    sheet = Sheet()
    sheet.block("title", [TITLE], 60, 60, 18)
    sheet.block("text", [*PROSE, *PROSE], 60, 120)
    sheet.block("section-header", ["Methods"], 60, 240, 12, bold=True)
    sheet.prose(60, 260)
    contents = read(sheet)
    assert (contents.abstract, contents.sections[-1].title) == (" ".join([*PROSE, *PROSE]), "Methods")
    sheet = Sheet()
    sheet.block("title", [TITLE], 60, 60, 18)
    sheet.prose(60, 120)
    assert [(section.title, section.text) for section in read(sheet).sections] == [("", " ".join(PROSE))]


@pytest.mark.parametrize(
    ("lines", "parts"),
    [
        (["Aim: To dig. Methods: We dug."], [("Aim", "To dig."), ("Methods", "We dug.")]),
        (["Aim: To dig deep.", "Results: Ten roots."], [("Aim", "To dig deep."), ("Results", "Ten roots.")]),
        (["Roots matter: they drink. We dug."], [("", "Roots matter: they drink. We dug.")]),
    ],
)  # fmt: skip
def test_the_parts_of_an_abstract_are_its_subsections(lines, parts):
    sheet = Sheet()
    sheet.block("title", [TITLE], 60, 60, 18)
    y = sheet.block("section-header", ["Abstract"], 60, 100, 12, bold=True)
    for line in lines:
        y = sheet.block("text", [line], 60, y + 8)
    paper = paper_of(body(sheet, y + 20))
    abstract = paper.sections[0]
    assert abstract.kind == "abstract"
    assert [(paragraph.subsection, paragraph.text) for paragraph in abstract.paragraphs] == parts


def test_a_structured_abstract_without_a_heading_is_read_before_the_first_usual_part():
    sheet = Sheet()
    sheet.block("title", [TITLE], 60, 60, 18)
    y = sheet.block("text", ["Asha Rao and Jonas Weber"], 60, 90)
    for line in ("Objective: To dig.", "Methods: We dug for a year.", "Conclusions: Roots drink."):
        y = sheet.block("text", [line], 60, y + 8)
    paper = paper_of(body(sheet, y + 20))
    assert [(paragraph.subsection, paragraph.text) for paragraph in paper.sections[0].paragraphs] == [
        ("Objective", "To dig."),
        ("Methods", "We dug for a year."),
        ("Conclusions", "Roots drink."),
    ]
    assert [section.title for section in paper.sections[1:]] == ["Introduction", "Results"]


def test_a_heading_printed_like_that_of_the_references_ends_them():
    sheet, y = begun()
    y = sheet.block("section-header", ["Results"], 60, y, 10)
    y = sheet.prose(60, y + 8) + 14
    y = sheet.block("section-header", ["References"], 60, y, 13, bold=True)
    y = sheet.block("text", [REFERENCE], 60, y + 8, 8) + 14
    y = sheet.block("section-header", ["Appendix A. Diary of the farms"], 60, y, 13, bold=True)
    sheet.prose(60, y + 8)
    contents = read(sheet)
    assert [entry.text for entry in contents.references] == [REFERENCE]
    assert [section.title for section in contents.sections] == ["Results", "Appendix A. Diary of the farms"]
