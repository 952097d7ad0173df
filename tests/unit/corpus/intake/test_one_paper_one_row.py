"""The same paper from several files is one row of the corpus, whatever the format and the order."""

from pathlib import Path

import pymupdf
import pytest
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.corpus.assets import PARSED
from aimsciqa_assets.corpus.intake.ingest import Ingested, ingest
from aimsciqa_assets.corpus.rows import paper_keys
from aimsciqa_assets.findings.inputs import vectors_of_papers
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.reading.paper import Paper
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES
from tests.jats_snippets import article
from tests.report_warehouse import insert

TITLE = "Zinc and iron in flour of barley and rye"
BODY = "<sec><title>Results</title><p>Zinc rose from 10 mg to 20 mg per kg of flour in barley.</p></sec>"


def jats(doi: str = "10.5555/flour.1", title: str = TITLE, author: str = "Doe", meta: str = "") -> bytes:
    ids = f'<article-id pub-id-type="doi">{doi}</article-id>' if doi else ""
    names = f'<contrib contrib-type="author"><name><surname>{author}</surname></name></contrib>'
    return article(
        BODY,
        meta=f"{ids}<title-group><article-title>{title}</article-title></title-group>"
        f"<contrib-group>{names}</contrib-group><pub-date><year>2019</year></pub-date>{meta}",
    )


def pdf(doi: str = "10.5555/flour.1", title: str = TITLE, text: str = "") -> bytes:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((54, 80), title, fontname="hebo", fontsize=18)
    page.insert_text(
        (54, 110), f"Published 2019. https://doi.org/{doi}" if doi else "Published 2019", fontsize=9
    )
    page.insert_text((54, 150), "Results", fontname="hebo", fontsize=12)
    body = f"Zinc rose from 10 mg to 20 mg per kg of flour in barley and in rye. {text}" * 3
    page.insert_textbox(pymupdf.Rect(54, 160, 540, 300), body, fontsize=10)
    data: bytes = document.tobytes()
    return data


class Site:
    """A home into which files are taken, each ingest from a folder of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.warehouse = Warehouse(str(home / "warehouse.duckdb"))
        self.store = FileStore(folder=str(home / "files"))

    def ingest(self, licence: str = "", **files: bytes) -> Ingested:
        folder = self.home / "given" / str(len(list((self.home / "given").glob("*"))))
        folder.mkdir(parents=True)
        for name, data in files.items():
            (folder / name.replace("__", ".")).write_bytes(data)
        return ingest(folder, self.warehouse, self.store, 10, licence=licence)

    def parse(self) -> None:
        for (batch,) in self.read("select distinct batch from corpus.input_files order by 1"):
            run = StepRun(batch, "batch", self.warehouse, Settings(), self.store, None, None)
            bring_up_to_date(STEPS[PARSED[0]], run)

    def read(self, query: str) -> list[tuple]:
        return self.warehouse.read(query).rows()

    @property
    def papers(self) -> list[tuple]:
        self.parse()
        return self.read("select file_name, paper_id from corpus.papers order by 1")


@pytest.fixture
def site(tmp_path) -> Site:
    return Site(tmp_path / "home")


@pytest.mark.slow
@pytest.mark.parametrize("names", [("a__pdf", "b__xml"), ("b__pdf", "a__xml")])
@pytest.mark.parametrize("at_once", [True, False])
def test_jats_is_used_whichever_comes_first(site, names, at_once):
    files = dict(zip(names, (pdf(), jats()), strict=True))
    for some in [files] if at_once else [{name: data} for name, data in files.items()]:
        ingested = site.ingest(**some)
        site.parse()
    printed, marked = (name.replace("__", ".") for name in names)
    assert site.papers == [(marked, "doi:10.5555/flour.1")]
    assert site.read("select file_name, rejection_reason from corpus.rejected_files") == [
        (printed, "duplicate_paper")
    ]
    assert site.read("select detail like '%doi:10.5555/flour.1%' from corpus.rejected_files") == [(True,)]
    said = dict(ingested.readings.select("file", "not_used").rows())
    assert said == {printed: f"duplicate_paper: {marked} is used", marked: None}
    assert len(ingested.batches) == 1


@pytest.mark.slow
def test_a_pdf_that_comes_after_jats_is_no_paper(site):
    site.ingest(a__xml=jats())
    ingested = site.ingest(b__pdf=pdf())
    assert site.papers == [("a.xml", "doi:10.5555/flour.1")]
    assert ingested.readings["not_used"].to_list() == ["duplicate_paper: a.xml is used"]
    assert "duplicate_paper" in ingested.reading_report.read_text()


@pytest.mark.slow
def test_two_works_with_one_doi_are_told_and_do_not_stop_anything(site):
    ingested = site.ingest(
        a__xml=jats(), b__xml=jats(title="Reply of a committee to its readers", author="Roe")
    )
    assert site.papers == [("a.xml", "doi:10.5555/flour.1")]
    assert ingested.readings["not_used"].to_list() == [None, "duplicate_paper: a.xml is used"]


@pytest.mark.slow
def test_a_paper_without_ids_is_known_by_title_author_and_year(site):
    first = jats(doi="", meta="<volume>1</volume>")
    site.ingest(a__xml=first, b__xml=jats(doi=""), c__xml=jats(doi="", author="Roe"))
    assert [name for name, _ in site.papers] == ["a.xml", "c.xml"]


@pytest.mark.slow
def test_papers_of_an_earlier_version_are_known_by_what_was_read(site):
    site.ingest(a__xml=jats(doi="", meta="<volume>1</volume>"))
    site.parse()
    rows = site.warehouse.read("select * from corpus.input_files").to_dicts()
    table = "corpus.input_files"
    old = frame_of(table, [{**row, "keys": None, "source": None} for row in rows])
    site.warehouse.replace([Write(table, TABLES[table].ddl(), old, {}, ("file_id",))])
    site.ingest(b__xml=jats(doi="10.5555/flour.1"))
    assert [name for name, _ in site.papers] == ["a.xml"]


@pytest.mark.slow
def test_findings_puts_no_paper_beside_another_row_of_itself(site):
    """Ingests of earlier versions took a paper twice."""
    create_tables(site.warehouse)
    papers = [("P1", "10.5555/a"), ("P2", "10.5555/b"), ("P3", "10.5555/a")]
    with site.warehouse.get_connection() as connection:
        insert(connection, "corpus.papers", *({"paper_id": paper, "doi": doi} for paper, doi in papers))
        vectors = ({"paper_id": paper, "batch": "batch-0001", "vector": [1.0]} for paper, _ in papers)
        insert(connection, "findings.card_vectors", *vectors)
    run = StepRun("batch-0001", "batch", site.warehouse, Settings(), site.store, None, None)
    known, _, new = vectors_of_papers(run)
    assert known == new == ["P1", "P2"]


@pytest.mark.slow
def test_a_stated_licence_is_that_of_files_that_name_none(site):
    named = (
        "<permissions><license xlink:href='https://creativecommons.org/licenses/by-nc/4.0/'/></permissions>"
    )
    files = {
        "a__pdf": pdf(doi="10.5555/a"),
        "b__xml": jats(doi="10.5555/b", author="Roe"),
        "c__xml": jats(doi="10.5555/c", author="Poe", meta=named),
    }
    query = "select file_name, licence, licence_url from corpus.papers order by 1"
    without = [("a.pdf", "", ""), ("b.xml", "", "")]
    stated = [(name, "CC BY", "https://creativecommons.org/licenses/by/4.0/") for name, *_ in without]
    other = [("c.xml", "CC BY-NC", "https://creativecommons.org/licenses/by-nc/4.0/")]
    site.ingest(**files)
    site.parse()
    assert site.read(query) == without + other
    later = site.ingest(licence="CC BY 4.0", **files)
    site.parse()
    assert (later.new_files, later.changed_batches) == (0, ["batch-0001"])
    assert site.read(query) == stated + other
    assert site.ingest(**files).changed_batches == []
    assert site.read("select licence from corpus.input_files") == [("CC BY 4.0",)] * 3


def paper(source: str, title: str, author: str, year: int | None, doi: str | None = None) -> Paper:
    return Paper(source, title, first_author=author, year=year, doi=doi)


@pytest.mark.parametrize(
    ("printed", "marked"),
    [
        (
            ("Zinc in Barley: A Review of Breads", "Jane Doe", 2019),
            ("Zinc in barley: a review of breads", "Doe", 2019),
        ),
        (
            ("ZINC IN BARLEY BREADS TODAY", "Doe J", 2019),
            ("Zinc in <italic>barley</italic> breads today", "Doe", 2019),
        ),
        (
            ("Zinc in barley breads today", "Jan van der Berg", 2019),
            ("Zinc in barley breads today", "van der Berg", 2019),
        ),
        (("Zinc in barley breads today", "José Nuñez", 2019), ("Zinc in barley breads today", "Nunez", 2019)),
        (
            ("CO2 in the ﬂour & bran of barley", "Ana Smith-Jones", 2019),
            ("CO₂ in the flour and bran of barley", "Smith Jones", 2019),
        ),
        (
            ("Zinc in “barley” breads—today", "Ødegård", 2019),
            ("Zinc in 'barley' breads: today", "Odegard", 2019),
        ),
        (
            ("Zinc in barley breads today", "WHO Study Group", 2019),
            ("Zinc in barley breads today", "The WHO Study Group", 2019),
        ),
        (
            ("Other words on the first page", "Doe", 2019, "10.1101/2021.01.01"),
            ("Zinc in barley breads today", "Roe", 2021, "10.1101/2021.01.01"),
        ),
        (("α-Tocopherol in barley breads", "Li Na", 2019), ("alpha-Tocopherol in barley breads", "Li", 2019)),
    ],
)
def test_a_printed_paper_shares_its_title_with_author_and_year(printed, marked):
    assert set(paper_keys(paper("pdf", *printed))) & set(paper_keys(paper("jats", *marked)))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("Editorial", "Doe", 2019), ("Editorial", "Doe", 2019)),
        (
            ("Introduction to this special issue", "Doe", 2019),
            ("Introduction to this special issue", "Doe", 2019),
        ),
        (
            ("Zinc in barley breads today", "Doe", 2019),
            ("Erratum to: Zinc in barley breads today", "Doe", 2019),
        ),
        (("Annual report of the committee", "Doe", 2018), ("Annual report of the committee", "Doe", 2019)),
        (("Zinc in barley breads today", "J. Doe", 2019), ("Zinc in barley breads today", "J. Roe", 2019)),
        (("Zinc in barley breads today", "", 2019), ("Zinc in barley breads today", "", 2019)),
        (("Zinc in barley breads today", "Doe", None), ("Zinc in barley breads today", "Doe", None)),
    ],
)
def test_titles_alone_never_match(first, second):
    assert not set(paper_keys(paper("pdf", *first))) & set(paper_keys(paper("jats", *second)))
