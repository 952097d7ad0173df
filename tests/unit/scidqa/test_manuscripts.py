"""Versions of manuscripts taken in: each a paper of its own, whatever its DOI, once and newest."""

from pathlib import Path

import pytest
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.corpus.intake.folder import NothingToIngestError
from aimsciqa_assets.corpus.intake.ingest import ingest
from aimsciqa_assets.corpus.parsing import parse_batch
from aimsciqa_assets.scidqa.manuscripts.taking import TakenManuscripts, take_manuscripts
from tests.manuscripts import FINAL, INITIAL, drawn, jats, write

TEXT = "Sparse attention needs less memory than dense attention, as we show for documents of many pages. " * 2


class Home:
    """A warehouse and a file store in a folder."""

    def __init__(self, folder: Path) -> None:
        self.warehouse = Warehouse(str(folder / "warehouse.duckdb"))
        self.files = FileStore(folder=str(folder / "files"))

    def take(self, folder: Path, batch: int = 10) -> TakenManuscripts:
        return take_manuscripts(folder, self.warehouse, self.files, batch)

    def ingest(self, folder: Path) -> None:
        ingest(folder, self.warehouse, self.files, 10)

    def rows(self, query: str) -> list[tuple]:
        return self.warehouse.read(query).rows()

    @property
    def papers(self) -> list[str]:
        files = self.warehouse.read("select * from corpus.input_files")
        return sorted(parse_batch(files.iter_rows(named=True), self.files.get)["corpus.papers"]["paper_id"])

    @property
    def manuscripts(self) -> list[tuple]:
        return self.rows(
            "select forum_id, version, batch, paper_id, same_as_initial from scidqa.manuscripts order by all"
        )


@pytest.fixture
def home(tmp_path) -> Home:
    return Home(tmp_path)


def test_two_versions_with_one_doi_are_two_papers_beside_the_published_one(home, tmp_path):
    home.ingest(write(tmp_path / "papers", published__xml=FINAL))
    folder = write(tmp_path / "reviewed", aB_1__initial__xml=INITIAL, aB_1__final__xml=jats("<p>New.</p>"))
    taken = home.take(folder)
    assert (taken.new, taken.known, taken.rejected, taken.changed_batches) == (2, 0, {}, ["batch-0002"])
    assert home.papers == ["aB_1.final", "aB_1.initial", "doi:10.1234/one.and.the.same"]
    assert home.manuscripts == [
        ("aB_1", "final", "batch-0002", "aB_1.final", False),
        ("aB_1", "initial", "batch-0002", "aB_1.initial", False),
    ]


def test_a_second_time_nothing_happens(home, tmp_path):
    folder = write(tmp_path / "reviewed", a__initial__xml=INITIAL, a__final__pdf=drawn(TEXT))
    home.take(folder)
    everything = "from corpus.input_files", "from scidqa.manuscripts", "from ops.materializations"
    before = [home.rows(query) for query in everything]
    again = home.take(folder)
    assert (again.new, again.replaced, again.known, again.changed_batches) == (0, 0, 2, [])
    assert [home.rows(query) for query in everything] == before
    home.ingest(folder)
    assert home.papers == ["a.final", "a.initial"]


def test_a_newer_file_of_a_version_takes_the_place_of_the_older_one(home, tmp_path):
    home.take(write(tmp_path / "first", a__initial__xml=INITIAL, a__final__xml=FINAL))
    newer = home.take(write(tmp_path / "second", a__final__xml=jats("<p>Newer.</p>")))
    assert (newer.new, newer.replaced, newer.changed_batches, newer.one_version) == (0, 1, ["batch-0001"], [])
    assert home.papers == ["a.final", "a.initial"]
    assert home.rows("select retired, count(*) from corpus.input_files group by all order by all") == [
        ("replaced", 1),
        (None, 2),
    ]
    home.take(tmp_path / "first")
    assert home.papers == ["a.final", "a.initial"]
    assert home.rows("select count(*) from corpus.input_files where retired is null") == [(2,)]


def test_equal_versions_are_one_paper_until_a_newer_file_comes(home, tmp_path):
    home.take(write(tmp_path / "first", a__initial__xml=INITIAL, a__final__xml=INITIAL))
    assert home.manuscripts == [
        ("a", "final", "batch-0001", "a.initial", True),
        ("a", "initial", "batch-0001", "a.initial", False),
    ]
    home.take(write(tmp_path / "second", a__initial__xml=FINAL))
    assert home.manuscripts == [
        ("a", "final", "batch-0001", "a.final", False),
        ("a", "initial", "batch-0001", "a.initial", False),
    ]
    assert home.papers == ["a.final", "a.initial"]


def test_a_file_that_cannot_be_read_takes_no_place(home, tmp_path):
    home.take(write(tmp_path / "first", a__initial__xml=INITIAL))
    folder = write(tmp_path / "second", a__initial__pdf=b"%PDF-1.4 broken", b__final__xml=b"<article")
    for _ in range(2):
        taken = home.take(folder)
        assert sorted(taken.rejected) == ["a.initial.pdf", "b.final.xml"]
        assert home.manuscripts == [("a", "initial", "batch-0001", "a.initial", False)]
        assert home.papers == ["a.initial"]
    assert taken.one_version == ["a"]


def test_other_names_are_told_and_jats_comes_before_pdf(home, tmp_path):
    folder = write(
        tmp_path / "reviewed",
        a__initial__xml=INITIAL,
        a__initial__pdf=drawn(TEXT),
        a__v1__pdf=drawn(TEXT),
        notes__txt=b"",
    )
    found = home.take(folder).found
    assert (found.wrong_names, found.passed_over, found.others) == (
        ["a.v1.pdf"],
        {"a.initial.pdf": "a.initial.xml"},
        1,
    )
    with pytest.raises(NothingToIngestError, match=r"FORUM\.initial\.pdf.*There is b\.pdf"):
        home.take(write(tmp_path / "others", b__pdf=drawn(TEXT)))


def test_a_file_that_was_ingested_before_stays_the_paper_that_it_is(home, tmp_path):
    home.ingest(write(tmp_path / "papers", first__xml=INITIAL, second__xml=FINAL))
    taken = home.take(write(tmp_path / "reviewed", a__initial__xml=INITIAL, a__final__xml=FINAL))
    # The second one had the DOI of the first, and was no paper of its own before.
    assert taken.as_papers == {"a.initial.xml": "doi:10.1234/one.and.the.same"}
    assert home.papers == ["a.final", "doi:10.1234/one.and.the.same"]


def test_forums_are_not_divided_among_batches(home, tmp_path):
    files = {
        f"f{n}__{version}__xml": jats(f"<p>{n} {version}</p>")
        for n in range(3)
        for version in ("initial", "final")
    }
    home.take(write(tmp_path / "reviewed", **files), batch=3)
    assert home.rows("select distinct forum_id, batch from scidqa.manuscripts order by all") == [
        ("f0", "batch-0001"),
        ("f1", "batch-0002"),
        ("f2", "batch-0003"),
    ]
