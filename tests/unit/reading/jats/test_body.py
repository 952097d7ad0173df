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


@pytest.mark.parametrize(
    ("language", "abstracts"),
    [
        ("en", "<abstract xml:lang='es'><p>No.</p></abstract><abstract xml:lang='en-GB'><p>Yes.</p></abstract>"),
        ("es", "<abstract xml:lang='en'><p>No.</p></abstract><abstract xml:lang='es'><p>Yes.</p></abstract>"),
        ("pt-BR", "<abstract xml:lang='en'><p>No.</p></abstract><abstract><p>Yes.</p></abstract>"),
        ("", "<abstract xml:lang='fr'><p>No.</p></abstract><abstract xml:lang='EN'><p>Yes.</p></abstract>"),
        ("", "<abstract xml:lang='fr'><p>Yes.</p></abstract><abstract xml:lang='es'><p>No.</p></abstract>"),
        ("en", "<abstract xml:lang='es'><p>No.</p></abstract><trans-abstract xml:lang='en'><p>Yes.</p></trans-abstract>"),
        ("en", "<trans-abstract xml:lang='en'><p>No.</p></trans-abstract><abstract><p>Yes.</p></abstract>"),
        ("en", "<abstract xml:lang='es'><p>Yes.</p></abstract><trans-abstract xml:lang='fr'><p>No.</p></trans-abstract>"),
        ("en", "<abstract abstract-type='Plain Language Summary'><p>No.</p></abstract><abstract abstract-type='summary'><p>Yes.</p></abstract>"),
        ("en", "<abstract xml:lang='es'><p>No.</p></abstract><abstract xml:lang='en' abstract-type='structured'><p>Yes.</p></abstract>"),
        ("en", "<abstract xml:lang='spa'><p>No.</p></abstract><abstract xml:lang='eng'><p>Yes.</p></abstract>"),
        ("en", "<abstract><p xml:lang='es'>No.</p></abstract><abstract><p xml:lang='en'>Yes.</p></abstract>"),
        ("en", "<abstract><title>Resumen</title><p>No.</p></abstract><abstract><title>Abstract</title><p>Yes.</p></abstract>"),
        ("fr", "<abstract xml:lang='en'><p>No.</p></abstract><trans-abstract><title>Résumé</title><p>Yes.</p></trans-abstract>"),
        ("en", "<abstract><p>No.</p></abstract><abstract xml:lang='en'><p>Yes.</p></abstract>"),
        ("en", "<abstract xml:lang='en'><p/></abstract><abstract xml:lang='es'><p>Yes.</p></abstract>"),
        ("en", "<abstract abstract-type='teaser_text'><p>No.</p></abstract><abstract><title>Objective</title><p>Yes.</p></abstract>"),
    ],
)  # fmt: skip
def test_the_abstract_in_the_language_of_the_article(language, abstracts):
    attributes = f' xml:lang="{language}"' if language else ""
    assert paper_of(meta=TITLE + abstracts, attributes=attributes).abstract == "Yes."


def test_the_title_names_the_language_of_an_article_that_does_not():
    meta = (
        "<title-group><article-title xml:lang='pt'>T</article-title></title-group>"
        "<abstract xml:lang='en'><p>No.</p></abstract><abstract xml:lang='pt'><p>Yes.</p></abstract>"
    )
    assert paper_of(meta=meta).abstract == "Yes."


def sec(title, *parts, sec_type=""):
    inner = "".join(parts) or "<p>Text.</p>"
    return f"<sec{sec_type and f' sec-type={sec_type!r}'}><title>{title}</title>{inner}</sec>"


@pytest.mark.parametrize(
    "title",
    [
        "Abbreviations", "Appendix", "Contributions", "Data access", "Data sharing", "Disclosure", "Ethics",
        "Funding", "Information", "Resource availability", "Supplements", "Conflict of interest in trials",
        "Apêndice",
    ],
)  # fmt: skip
@pytest.mark.parametrize("around", ["Methods", "2. Results"])
def test_sections_about_the_subject_are_kept_in_methods_and_results(title, around):
    inside = sec(around, sec("Trial", sec(title)), sec(title))
    for body in (inside, inside + sec("Discussion")):
        paths = [p.subsection for p in paper_of(body).sections[0].paragraphs]
        assert paths == [f"Trial > {title}", title]


@pytest.mark.parametrize(
    "title",
    [
        "Acknowledgments", "Acknowledgement", "Agradecimentos", "Author contributions", "Authors’ contributions",
        "Availability of data and materials", "Availability of supporting data", "Code availability",
        "Competing interests", "Conflict of Interest Statement", "Conflicto de intereses", "Conflits d’intérêts",
        "CRediT authorship contribution statement", "2.5. Data Availability", "Data and code availability",
        "Data availability statement", "Data, Materials, and Software Availability",
        "Declaration of competing interest", "Declaration of interests",
    ],
)  # fmt: skip
@pytest.mark.parametrize("around", ["Methods", "Results", "Sorghum"])
def test_sections_with_an_unmistakable_title_are_back_matter_anywhere(title, around):
    box = f"<boxed-text><caption><title>{title}</title></caption><p>No.</p></boxed-text>"
    body = (
        sec(title) + sec(around, "<p>Text.</p>", sec("Trial", sec(title), "<p>More.</p>"), box) + sec("Soil")
    )
    assert [(s.title, [p.text for p in s.paragraphs]) for s in paper_of(body).sections] == [
        (around, ["Text.", "More."]),
        ("Soil", ["Text."]),
    ]


@pytest.mark.parametrize(
    ("body", "titles"),
    [
        (sec("Financial disclosure") + sec("Methods") + sec("Discussion") + sec("Methods"), ["Financial disclosure", "Methods", "Discussion", "Methods"]),
        (sec("Results and discussion", sec("Yield"), sec("Supplements")) + sec("Abbreviations"), ["Results and discussion"]),
        (sec("Results") + sec("Discussion") + sec("Funding") + sec("Disclosure"), ["Results", "Discussion"]),
        (sec("Discussion") + sec("Acknowledgements") + sec("Methods"), ["Discussion", "Methods"]),
        (sec("Conclusion") + sec("Competing interests") + sec("Trial registration"), ["Conclusion", "Trial registration"]),
        (sec("Introduction") + sec("Funding") + sec("Governance") + sec("Appendix"), ["Introduction", "Funding", "Governance"]),
        (sec("Introduction") + sec("Supplements") + sec("Conclusions"), ["Introduction", "Supplements", "Conclusions"]),
        (sec("Results") + sec("Supplements", sec_type="supplementary-material") + sec("Discussion"), ["Results", "Discussion"]),
        (sec("Results") + sec("Interests", sec_type="conflict-of-interest") + sec("Discussion"), ["Results", "Discussion"]),
        (sec("Results") + sec("Funding") + "<sec><title>S1</title><supplementary-material/></sec>", ["Results", "Funding"]),
        (sec("Results") + sec("Funding") + "<fn-group><fn><p>A.</p></fn></fn-group>", ["Results"]),
    ],
)  # fmt: skip
def test_back_matter_closes_the_article(body, titles):
    assert [section.title for section in paper_of(body).sections] == titles


def test_back_matter_at_the_end_of_the_last_section_closes_the_article():
    last = sec("Discussion", "<p>Text.</p>", sec("Limits"), sec("Disclosure statement"))
    assert outline(paper_of(last + sec("Supplements"))) == [
        ("Discussion", "discussion", [("", "Text."), ("Limits", "Text.")])
    ]
    early = sec("Views", sec("Funding"), sec("Limits"))
    assert outline(paper_of(early)) == [("Views", "other", [("Funding", "Text."), ("Limits", "Text.")])]
    meta = TITLE + "<abstract>" + sec("Aim") + sec("Funding") + "</abstract>"
    assert outline(paper_of(meta=meta))[0] == ("Abstract", "abstract", [("Aim", "Text.")])


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
        ("CRediT author statement", True),
        ("Declarations", True),
        ("Credit authorisation", False),
        ("Data availability in 30 registries", False),
        ("Funding mechanisms for vaccines", False),
        ("Data analysis", False),
        ("Supplementary feeding of infants", False),
        ("", False),
    ],
)
def test_back_matter_titles(title, back):
    assert is_back_matter(title) is back
