"""What people correct of papers by hand: taken in as a whole or not at all, and kept."""

from datetime import UTC, datetime

import pytest
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.cli.forgetting import forget_from
from aimsciqa_assets.corpus.intake.corrections import CorrectionsError, take_corrections
from tests.unit.corpus.intake.test_one_paper_one_row import Site, jats, pdf


@pytest.fixture
def site(tmp_path) -> Site:
    site = Site(tmp_path / "home")
    site.ingest(a__xml=jats("10.5555/a"), b__xml=jats("10.5555/b", author="Roe"), c__pdf=b"%PDF-1.4 broken")
    site.ingest(d__pdf=pdf("10.5555/a"), e__xml=jats("10.5555/e", author="Poe"))
    return site


def correct(site: Site, text: str, encoding: str = "utf-8") -> tuple:
    file = site.home / "corrections.csv"
    file.write_bytes(text.encode(encoding))
    corrected = take_corrections(file, site.warehouse)
    return corrected.papers, corrected.known, corrected.batches


KEPT = "select paper_id, batch, title, licence, doi, year from corpus.corrections order by 1"
COLUMNS = "title, licence, licence_url, doi, year, published"


@pytest.mark.slow
def test_corrections_count_before_what_was_read_and_survive_a_reset(site):
    query = f"select {COLUMNS} from corpus.papers where file_name = 'a.xml'"
    site.parse()
    assert site.read(query) == [
        ("Zinc and iron in flour of barley and rye", "", "", "10.5555/a", 2019, "2019")
    ]
    cells = 'a.xml,"Zinc, iron and flour",CC BY 4.0,https://doi.org/10.5555/A.2,2018'
    assert correct(site, f"paper,title,licence,doi,year\n{cells}\n") == (1, 0, ["batch-0001"])
    corrected = [
        (
            "Zinc, iron and flour",
            "CC BY",
            "https://creativecommons.org/licenses/by/4.0/",
            "10.5555/a.2",
            2018,
            "2018",
        )
    ]
    site.parse()
    assert site.read(query) == corrected
    assert site.read("select paper_id from corpus.papers where file_name = 'a.xml'") == [("doi:10.5555/a",)]
    forget_from(site.warehouse, "corpus")
    site.parse()
    assert site.read(query) == corrected


@pytest.mark.slow
@pytest.mark.parametrize("cell", ["none", " None "])
def test_a_wrong_licence_is_taken_away_and_an_empty_cell_does_not_bring_it_back(site, cell):
    assert correct(site, "paper,licence\nb.xml,CC0\n") == (1, 0, ["batch-0001"])
    assert correct(site, f"paper,licence\nb.xml,{cell}\n") == (1, 0, ["batch-0001"])
    assert correct(site, "paper,licence,year\nb.xml,,2017\n") == (1, 0, ["batch-0001"])
    site.parse()
    query = "select licence, licence_url, year from corpus.papers where file_name = 'b.xml'"
    assert site.read(query) == [("", "", 2017)]


@pytest.mark.slow
def test_an_empty_cell_leaves_an_earlier_correction_and_the_same_file_changes_nothing(site):
    assert correct(site, "paper,licence\ndoi:10.5555/b,CC0\n") == (1, 0, ["batch-0001"])
    later = "paper,title,licence,year\n\nb.xml,,,2017\n,,,\n"
    assert correct(site, later) == (1, 0, ["batch-0001"])
    assert correct(site, later) == (0, 1, [])
    assert site.read(KEPT) == [("doi:10.5555/b", "batch-0001", None, "CC0", None, 2017)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    ["\ufeffpaper,title\na.xml,Über Zink im Mehl\n", "title,PAPER\r\nÜber Zink im Mehl,a.xml\r\n"],
)
def test_a_byte_order_mark_other_orders_and_line_ends_are_taken(site, text):
    assert correct(site, text) == (1, 0, ["batch-0001"])
    assert site.read("select title from corpus.corrections") == [("Über Zink im Mehl",)]


@pytest.mark.slow
def test_papers_of_one_file_exchange_their_dois_or_take_one_that_is_left(site):
    assert correct(site, "paper,doi\na.xml,10.5555/b\nb.xml,doi:10.5555/A\n")[0] == 2
    assert correct(site, "paper,doi\ne.xml,10.5555/b\na.xml,10.5555/new\n")[0] == 2
    assert site.read("select paper_id, doi from corpus.corrections order by 1") == [
        ("doi:10.5555/a", "10.5555/new"),
        ("doi:10.5555/b", "10.5555/a"),
        ("doi:10.5555/e", "10.5555/b"),
    ]
    with pytest.raises(CorrectionsError, match=r"line 3: doi:10\.5555/e has the DOI 10\.5555/x"):
        correct(site, "paper,doi\ne.xml,10.5555/x\nb.xml,10.5555/x\n")


@pytest.mark.slow
def test_only_the_batches_of_corrected_papers_are_made_again(site):
    site.parse()
    query = "select part, fingerprint from ops.materializations where table_name = 'corpus.papers'"
    before = site.read(query)
    correct(site, "paper,year\ne.xml,2017\n")
    site.parse()
    after = site.read(query)
    assert [part for part, _ in sorted(set(after) - set(before))] == ["batch-0002"]


@pytest.mark.slow
def test_every_wrong_line_is_told_and_nothing_is_changed(site):
    lines = [
        "paper,title,licence,doi,year",
        "a.xml,A good title,,,",
        "nowhere.xml,X,,,",
        "b.xml,,MIT,,",
        "e.xml,,,no doi,",
        "doi:10.5555/b,,,10.5555/e,",
        "c.pdf,X,,,",
        "d.pdf,X,,,",
        "doi:10.5555/a,,,,2019",
        "doi:10.5555/e,,,,19",
        "doi:10.5555/e,,,,3019",
    ]
    next_year = datetime.now(UTC).year + 1
    with pytest.raises(CorrectionsError) as raised:
        correct(site, "\n".join(lines))
    assert str(raised.value).splitlines()[1:] == [
        "line 3: there is no paper 'nowhere.xml'",
        "line 4: 'MIT' is not a known licence: CC0, public domain, CC BY with its limits, or none",
        "line 5: 'no doi' is not a DOI",
        "line 6: doi:10.5555/e has the DOI 10.5555/e",
        "line 7: c.pdf could not be read",
        "line 8: d.pdf is not used: another file holds its paper doi:10.5555/a",
        "line 9: doi:10.5555/a is corrected in an earlier line, too",
        f"line 10: '19' is not a year from 1500 to {next_year}",
        f"line 11: '3019' is not a year from 1500 to {next_year}",
    ]
    assert site.read(KEPT) == []


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "(none)"),
        (b"paper,license\na.xml,CC0\n", "license"),
        (b"title,year\nX,2019\n", "title, year"),
        (b"paper,paper\na.xml,a.xml\n", "paper, paper"),
        (b"paper,title\na.xml,Zinc, iron\n", "more cells than columns"),
        (b'paper,title\na.xml,"Zinc\n', "line 2"),
        ("paper,title\na.xml,Müsli\n".encode("latin-1"), "not UTF-8"),
    ],
)
def test_a_file_that_is_no_table_of_corrections_is_refused(tmp_path, content, told):
    file = tmp_path / "corrections.csv"
    file.write_bytes(content)
    with pytest.raises(CorrectionsError, match=told.replace("(", r"\(").replace(")", r"\)")):
        take_corrections(file, Warehouse(str(tmp_path / "warehouse.duckdb")))


@pytest.mark.slow
def test_a_corrected_doi_tells_later_files_of_the_paper(site: Site):
    correct(site, "paper,doi\nb.xml,10.5555/right\n")
    ingested = site.ingest(f__pdf=pdf("10.5555/right"))
    assert ingested.readings["not_used"].to_list() == ["duplicate_paper: b.xml is used"]
