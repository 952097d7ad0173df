"""JATS and MinerU's JSON as contents of the paper store."""

import json

import pytest

from aimsciqa_assets.airqa.store.batches import batch_rows
from aimsciqa_assets.airqa.store.chunks import characters
from aimsciqa_assets.airqa.store.contents import Contents
from aimsciqa_assets.airqa.store.jats import contents_of_jats
from aimsciqa_assets.airqa.store.mineru import bundles_in, contents_of_mineru
from aimsciqa_assets.airqa.store.reading import read_file
from aimsciqa_assets.reading.paper import RejectedFileError
from aimsciqa_assets.reading.reader import read_paper
from tests.mineru_files import METADATA, PROCESSED, mineru_folder

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


def test_the_files_of_mineru_are_read_as_one(tmp_path):
    ((name, bundle),) = bundles_in(mineru_folder(tmp_path))
    assert name == f"{METADATA['uuid']}.json"
    read = read_file(bundle, file_id="f", file_name="x.mineru")
    contents = Contents.from_json(json.loads(json.dumps(read["contents"])))
    files = [{"file_id": "f", "file_name": "x.mineru", "batch": "b", "paper_id": None}]
    rows = batch_rows(files, [(read["source"], contents)], {}, characters, 100)["airqa.rows"]
    (metadata,) = (json.loads(row["row"]) for row in rows if row["table_name"] == "metadata")
    assert {name: value for name, value in metadata.items() if value is not None} == {
        "paper_id": METADATA["uuid"],
        "title": "Roots",
        "abstract": "Ab",
        "num_pages": 3,
        "conference_full": "Annual Meeting",
        "conference_abbreviation": "ACL",
        "pub_year": 2023,
        "download_url": "https://example.org/x.pdf",
        "authors": ["A"],
        "pdf_path": "papers/acl2023/x.pdf",
        "tldr": "Roots matter.",
        "tags": ["roots"],
    }
    assert {row["uuid"] for row in rows} == {METADATA["uuid"]}


def test_the_corpus_leaves_files_of_mineru_to_the_store(tmp_path):
    ((_, bundle),) = bundles_in(mineru_folder(tmp_path))
    with pytest.raises(RejectedFileError, match="is read for AirQA"):
        read_paper(bundle, "x.mineru")


def test_files_of_mineru_that_cannot_be_used_are_named(tmp_path):
    folder = mineru_folder(tmp_path)
    (folder / "processed_data" / "a.json").write_text("{}")
    (folder / "processed_data" / "b.json").write_text("{")
    (folder / "metadata" / "b.json").write_text("{}")
    told = dict(bundles_in(folder))
    assert told["a.json"] == "there is no metadata/a.json"
    assert told["b.json"].startswith("it or its metadata cannot be read:")


@pytest.mark.parametrize(
    "bundle",
    [
        b'{"read_by": "mineru"',
        b'{"read_by": "mineru"}',
        b'{"read_by": "mineru", "metadata": {"uuid": "no uuid"}, "processed_data": {}}',
        b'{"read_by": "mineru", "metadata": [], "processed_data": {}}',
        b'{"read_by": "mineru", "metadata": {}, "processed_data": []}',
        b'{"read_by": "mineru", "metadata": {}}',
    ],
)
def test_a_damaged_file_of_mineru_is_rejected(bundle):
    with pytest.raises(RejectedFileError, match="not_mineru"):
        read_file(bundle, file_id="f", file_name="x.mineru")


@pytest.mark.parametrize("processed", [{}, {"info_from_mineru": {"tables": [{"table_html": "x"}]}}])
def test_other_json_is_rejected(processed):
    with pytest.raises(RejectedFileError, match="not_mineru"):
        contents_of_mineru(processed, {})
