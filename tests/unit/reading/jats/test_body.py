# ruff: noqa: E501 (a snippet of markup is easier to read on one line)
"""Sections, paragraphs and captions."""

import pytest

from aimsciqa_assets.reading.section_kinds import is_back_matter, section_kind
from tests.jats_snippets import paper_of

TITLE = "<title-group><article-title>T</article-title></title-group>"


def outline(paper):
    return [(s.title, s.kind, [(p.subsection, p.text) for p in s.paragraphs]) for s in paper.sections]


def test_abstract_first_and_deeper_sections_as_paths():
    paper = paper_of(
        "<sec sec-type='intro'><title>1. Introduction</title><p>A.</p></sec>"
        "<sec><title>Methods</title><p>B.</p><sec><title>Plants</title><sec><title>Soil:</title><p>C.</p></sec>"
        "<sec><p>D.</p></sec><sec><title/><p>E.</p></sec></sec></sec>",
        meta=TITLE + "<abstract><sec><title>Aim</title><p>Z.</p></sec></abstract>",
    )
    assert outline(paper) == [
        ("Abstract", "abstract", [("Aim", "Z.")]),
        ("1. Introduction", "introduction", [("", "A.")]),
        (
            "Methods",
            "methods",
            [("", "B."), ("Plants > Soil", "C."), ("Plants", "D."), ("Plants", "E.")],
        ),
    ]
    assert paper.abstract == "Z."
    assert paper.has_full_text


def test_paragraphs_outside_sections_keep_their_place():
    paper = paper_of("<p>A.</p><sec><title>Results</title><p>B.</p></sec><p>C.</p>")
    assert outline(paper) == [
        ("", "introduction", [("", "A.")]),
        ("Results", "results", [("", "B.")]),
        ("", "other", [("", "C.")]),
    ]
    assert outline(paper_of("<p>A.</p><p>B.</p>")) == [("", "other", [("", "A."), ("", "B.")])]


def test_one_untitled_section_around_everything_is_no_section():
    paper = paper_of(
        "<sec><sec><title>Results</title><p>A.</p></sec><sec><title>Discussion</title><p>B.</p></sec></sec>"
    )
    assert [s.kind for s in paper.sections] == ["results", "discussion"]


@pytest.mark.parametrize(
    "abstracts",
    [
        "<abstract abstract-type='graphical'><p>No.</p></abstract><abstract><p>Yes.</p></abstract>",
        "<abstract><p>Yes.</p></abstract><abstract abstract-type='summary'><p>No.</p></abstract>",
        "<abstract><title>Highlights</title><p>No.</p></abstract><abstract><p>Yes.</p></abstract>",
        "<trans-abstract><p>No.</p></trans-abstract><abstract><p>Yes.</p></abstract>",
        "<abstract abstract-type='key-points'><p>No.</p></abstract><abstract abstract-type='summary'><p>Yes.</p></abstract>",
    ],
)
def test_the_main_abstract(abstracts):
    assert paper_of(meta=TITLE + abstracts).abstract == "Yes."


def test_boxes_are_read_where_they_stand_and_back_matter_stays_out():
    paper = paper_of(
        "<sec><title>Results</title><p>A<boxed-text><caption><title>Box 1</title></caption>"
        "<sec><title>Inner</title><p>B.</p></sec></boxed-text>.</p>"
        "<sec sec-type='supplementary-material'><title>S1</title><p>No.</p></sec></sec>"
        "<sec><title>Acknowledgements</title><p>No.</p></sec>"
        "<sec sec-type='COI-statement'><p>No.</p></sec>",
        back="<ack><p>No.</p></ack><sec><title>Funding</title><p>No.</p></sec><app-group><app><p>No.</p></app></app-group>"
        "<glossary><def-list><def-item><term>a</term></def-item></def-list></glossary>",
    )
    assert outline(paper) == [("Results", "results", [("", "A."), ("Box 1 > Inner", "B.")])]


def test_sub_articles_do_not_leak():
    sub = (
        "<sub-article><front-stub><kwd-group><kwd>leak</kwd></kwd-group></front-stub>"
        "<body><p>Leak.</p><fig><caption><p>Leak.</p></caption></fig></body>"
        "<back><ref-list><ref id='L1'><citation>Leak.</citation></ref></ref-list></back></sub-article>"
    )
    paper = paper_of("<p>Own.</p>", back="", after=sub + sub.replace("sub-article", "response"))
    assert outline(paper) == [("", "other", [("", "Own.")])]
    assert (paper.references, paper.captions) == ([], [])
    assert "leak" not in {k.text for k in paper.keywords}


def test_captions_know_their_section():
    paper = paper_of(
        "<sec><title>Empty</title><fig id='f0'><label>Fig. 1</label></fig></sec>"
        "<sec><title>Results</title><p>See <xref ref-type='fig' rid='f9'>Fig. 9</xref>.</p>"
        "<table-wrap><label>Table 1.</label><caption><title>Yields</title><p>In t ha<sup>-1</sup>.</p></caption>"
        "<table><tr><td>5</td></tr></table><table-wrap-foot><p>note</p></table-wrap-foot></table-wrap></sec>",
        after="<floats-group><fig id='f9'><label>Figure 9</label><caption><p>Nine.</p></caption></fig></floats-group>",
    )
    assert [s.title for s in paper.sections] == ["Results"]
    assert [(c.label, c.text, c.section_position) for c in paper.captions] == [
        ("Fig. 1", "", None),
        ("Figure 9", "Nine.", 0),
    ]
    assert [(t.label, t.caption, t.section_position) for t in paper.tables] == [
        ("Table 1", "Yields. In t ha^-1.", 0)
    ]


def test_long_list_items_become_paragraphs():
    long = "word " * 80 + "end."
    paper = paper_of(f"<sec><title>Results</title><list><list-item><p>{long}</p></list-item>"
                     "<list-item><p>Short.</p></list-item></list></sec>")  # fmt: skip
    assert [p.text for p in paper.sections[0].paragraphs] == [long, "Short."]


@pytest.mark.parametrize(
    ("title", "sec_type", "kind"),
    [
        ("Introduction", "", "introduction"),
        ("II. BACKGROUND", "", "introduction"),
        ("2. Materials & Methods", "", "methods"),
        ("2.Material and methods", "", "methods"),
        ("Patients and methods", "", "methods"),
        ("Experimental section", "", "methods"),
        ("Statistical analysis", "", "methods"),
        ("3 Results", "", "results"),
        ("Results and Discussion", "", "results_discussion"),
        ("Discussion", "", "discussion"),
        ("Discussion and conclusions", "", "conclusion"),
        ("5) Concluding remarks", "", "conclusion"),
        ("Conclusions and future perspectives", "", "conclusion"),
        ("Case presentation", "", "case"),
        ("Zika in Brazil", "", "other"),
        ("", "materials|methods", "methods"),
        ("Zika in Brazil", "discussion", "discussion"),
        ("", "", "other"),
    ],
)
def test_section_kinds(title, sec_type, kind):
    assert section_kind(title, sec_type) == kind


@pytest.mark.parametrize(
    ("title", "back"),
    [
        ("Acknowledgments", True),
        ("Authors’ contributions", True),
        ("Conflict of interest statement", True),
        ("Data Availability Statement", True),
        ("List of abbreviations", True),
        ("Supporting Information", True),
        ("Availability of data and materials", True),
        ("Competing interests", True),
        ("Funding mechanisms for vaccines", False),
        ("Data analysis", False),
        ("Supplementary feeding of infants", False),
        ("", False),
    ],
)
def test_back_matter_titles(title, back):
    assert is_back_matter(title) is back
