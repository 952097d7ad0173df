"""The studies that a review includes, by its tables."""

import pytest

from aimsciqa_assets.reading.jats.included import references_of

ARTICLE = """<article><front><article-meta><title-group><article-title>A review</article-title></title-group>
</article-meta></front><body><sec><title>Results</title><p>Text <xref ref-type="bibr" rid="r1">1</xref>.</p>
<table-wrap><label>Table 1</label><caption><p>{caption}</p></caption><table>{rows}</table></table-wrap>
</sec></body><back><ref-list>{references}</ref-list></back></article>"""
REFERENCES = "".join(
    f"<ref id='r{number}'><element-citation><name><surname>{name}</surname></name><year>{year}</year>"
    "</element-citation></ref>"
    for number, (name, year) in enumerate([("Adams", 2001), ("Brown", 2002), ("Brown", 2005)], start=1)
)
LINKED = "<tr><td><xref ref-type='bibr' rid='r1 r3'>1, 3</xref></td></tr>"
NAMED = "<tr><td>Brown et al. (2005)</td><td>12 mg</td></tr><tr><td>Brownlow 2002</td></tr>"


def included(caption: str, rows: str) -> list[str]:
    article = ARTICLE.format(caption=caption, rows=rows, references=REFERENCES)
    references, chosen = references_of(article.encode())
    assert len(references) == 3
    return [reference.key for reference in chosen]


@pytest.mark.parametrize(
    "caption",
    [
        "Characteristics of the included studies",
        "Summary of studies on zinc",
        "Studies included in the systematic review",
        "Descriptive details of identified economic evaluations",
        "Conversion of skin tests: study details (n = 10)",
        "General characteristic of the included RCTs",
    ],
)
def test_a_table_of_included_studies_is_known_by_its_title(caption):
    assert included(caption, LINKED) == ["r1", "r3"]


@pytest.mark.parametrize(
    "caption",
    ["Excluded studies and reasons", "Demographic data", "Search terms for included studies", ""],
)
def test_other_tables_do_not_count(caption):
    assert included(caption, LINKED) == []


def test_a_table_without_links_cites_by_author_and_year():
    assert included("Included trials", NAMED) == ["r3"]
