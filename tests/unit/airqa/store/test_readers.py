"""JATS and MinerU's JSON as contents of the paper store."""

import json

import pytest

from aimsciqa_assets.airqa.store.batches import ROWS, batch_rows
from aimsciqa_assets.airqa.store.chunks import characters
from aimsciqa_assets.airqa.store.jats import contents_of_jats
from aimsciqa_assets.airqa.store.mineru import bundles_in, contents_of_mineru
from aimsciqa_assets.airqa.store.publishing import publish_papers
from aimsciqa_assets.airqa.store.reading import read_file
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.reading.contents import Contents
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


def changed(place, value):
    """MinerU's files of a paper as one, with another value at a place of theirs."""
    bundle = json.loads(json.dumps({"read_by": "mineru", "metadata": METADATA, "processed_data": PROCESSED}))
    *way, last = place
    inside = bundle
    for step in way:
        inside = inside[step]
    inside[last] = value
    return json.dumps(bundle).encode()


FOUND = ("processed_data", "info_from_mineru")


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("metadata", "year"), 10**12),
        (("metadata", "year"), "MMXXIII"),
        (("metadata", "title"), {"a": 1}),
        (("metadata", "tldr"), {"a": 1}),
        (("metadata", "num_pages"), 10**12),
        ((*FOUND, "tables", 0, "page_number"), float("inf")),
        ((*FOUND, "tables", 0, "table_bbox"), [1, 2, 3, float("nan")]),
        ((*FOUND, "tables", 0, "table_bbox"), [1e300] * 4),
        ((*FOUND, "references", 0, "reference_text"), {"a": 1}),
        (("processed_data", "summary", "section_summary"), [{"a": 1}]),
    ],
)
def test_a_value_that_no_table_holds_is_rejected_with_its_file(place, value):
    with pytest.raises(RejectedFileError, match="not_mineru"):
        read_file(changed(place, value), file_id="f", file_name="x.mineru")


@pytest.mark.parametrize(
    ("place", "value", "kept"),
    [
        (("metadata", "year"), "2023", "2023"),
        (("metadata", "authors"), "A. Rao", '["A. Rao"]'),
        (("metadata", "conference_full"), ["Annual", "Meeting"], '"Annual Meeting"'),
        (("metadata", "title"), "Roots \ud800 of \0 millet", '"Roots \\\\ud800 of   millet"'),
        ((*FOUND, "TOC", 0, "text"), "Half \udfff", '"Half \\\\udfff"'),
        (("processed_data", "summary", "page_summary"), [5], '"5"'),
    ],
)
def test_values_of_another_kind_are_texts_that_a_table_holds(tmp_path, place, value, kept):
    read = read_file(changed(place, value), file_id="f", file_name="x.mineru")
    files = [{"file_id": "f", "file_name": "x.mineru", "batch": "b", "paper_id": None}]
    told = Contents.from_json(json.loads(json.dumps(read["contents"])))
    rows = frame_of(ROWS, batch_rows(files, [(read["source"], told)], {}, characters, 100)[ROWS])
    assert any(kept in row for row in rows["row"]), rows["row"].to_list()
    assert publish_papers(tmp_path / "papers.duckdb", [rows])[0]["store_rows"] == rows.height


@pytest.mark.parametrize("processed", [{}, {"info_from_mineru": {"tables": [{"table_html": "x"}]}}])
def test_other_json_is_rejected(processed):
    with pytest.raises(RejectedFileError, match="not_mineru"):
        contents_of_mineru(processed, {})
