"""JATS and MinerU's JSON as contents of the paper store."""

import pytest

from aimsciqa_assets.airqa.store.contents import Contents
from aimsciqa_assets.airqa.store.jats import contents_of_jats
from aimsciqa_assets.airqa.store.mineru import contents_of_mineru
from aimsciqa_assets.reading.paper import RejectedFileError

ARTICLE = b"""<article><front><article-meta>
<title-group><article-title>Roots of millet</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Rao</surname>
<given-names>Asha</given-names></name></contrib></contrib-group>
<abstract><p>Deep roots help.</p></abstract></article-meta></front>
<body><sec><title>Methods</title><p>We grew plants in two fields, and measured them.</p>
<disp-formula>
<tex-math>\\documentclass{minimal}\\begin{document}$$G = \\frac{h}{a}$$\\end{document}</tex-math>
</disp-formula>
<sec><title>Plants</title><p>Seeds came from a station close by.</p></sec>
<table-wrap><label>Table 1</label><caption><p>Height.</p></caption>
<table frame="box"><thead><tr><th rowspan="2">Variety</th><th>cm &lt; 60</th></tr></thead>
<tbody><tr><td style="x">Late <italic>x</italic></td></tr></tbody></table></table-wrap>
<fig><label>Figure 1</label><caption><p>A field.</p></caption></fig></sec></body>
<back><ref-list><ref id="r1"><label>1</label>
<mixed-citation>Weber J. Soil. 2012.</mixed-citation></ref></ref-list>
</back><sub-article><body><table-wrap><table><tr><td>reply</td></tr></table></table-wrap></body></sub-article>
</article>"""


@pytest.fixture(scope="module")
def article() -> Contents:
    return contents_of_jats(ARTICLE)


def test_the_head_of_an_article(article):
    assert (article.title, article.authors, article.abstract) == (
        "Roots of millet",
        ["Asha Rao"],
        "Deep roots help.",
    )


def test_sections_of_an_article_have_their_own_text(article):
    assert [(one.title, one.level) for one in article.sections] == [("Methods", 1), ("Plants", 2)]
    assert article.sections[1].text == "Seeds came from a station close by."


def test_tables_of_an_article_keep_cells_and_spans_and_lose_their_look(article):
    (table,) = article.tables
    assert table.caption == "Table 1. Height"
    assert table.content == (
        '<table><thead><tr><th rowspan="2">Variety</th><th>cm &lt; 60</th></tr></thead>'
        "<tbody><tr><td>Late x</td></tr></tbody></table>"
    )


def test_formulas_figures_and_references_of_an_article(article):
    assert [one.content for one in article.equations] == ["$$G = \\frac{h}{a}$$"]
    assert [one.caption for one in article.images] == ["Figure 1. A field"]
    assert [one.text for one in article.references] == ["1 Weber J. Soil. 2012."]


def test_an_article_stands_on_one_page_without_size(article):
    (page,) = article.pages
    assert (page.number, page.width, page.height) == (1, None, None)
    assert "Seeds came from a station" in page.text


PROCESSED = {
    "pdf_path": "papers/acl2023/x.pdf",
    "info_from_mineru": {
        "tables": [
            {"table_caption": ["Table 1:", "Height."], "table_html": "<table/>", "table_bbox": [1, 2, 30, 40],
             "page_number": 2}
        ],
        "figures": [{"figure_caption": "Figure 1", "figure_path": "f.png", "figure_bbox": [0, 0, 9, 9],
                     "page_number": 1}],
        "equations": [{"equation_text": "a=b", "page_number": 2}],
        "references": [{"reference_text": "Rao. 2012."}],
        "TOC": [
            {"level": 1, "title": "1 Intro", "text": "First.", "page_number": 1, "page_numbers": [1, 2]},
            {"level": 1, "title": "2 End", "text": "Last.", "page_number": 2, "page_numbers": [2]},
        ],
    },
    "summary": {"page_summary": ["P1", "P2"], "section_summary": ["S1", "S2"], "table_summary": [[], ["T"]],
                "image_summary": [["I"], []]},
}  # fmt: skip


def test_the_json_of_mineru_fills_the_same_form():
    paper = contents_of_mineru(
        PROCESSED, {"title": "Roots", "authors": ["A"], "abstract": "Ab", "year": 2023}
    )
    assert [(one.page, one.caption, one.box, one.summary) for one in (*paper.tables, *paper.images)] == [
        (2, "Table 1: Height.", (1.0, 2.0, 30.0, 40.0), "T"),
        (1, "Figure 1", (0.0, 0.0, 9.0, 9.0), "I"),
    ]
    assert [(one.title, one.pages, one.summary) for one in paper.sections] == [
        ("1 Intro", [1, 2], "S1"),
        ("2 End", [2], "S2"),
    ]
    assert [(page.number, page.text, page.summary) for page in paper.pages] == [
        (1, "1 Intro\n\nFirst.", "P1"),
        (2, "2 End\n\nLast.", "P2"),
    ]
    assert [one.text for one in paper.references] == ["Rao. 2012."]


@pytest.mark.parametrize("processed", [{}, {"info_from_mineru": {"tables": [{"table_html": "x"}]}}])
def test_other_json_is_rejected(processed):
    with pytest.raises(RejectedFileError, match="not_mineru"):
        contents_of_mineru(processed, {})
