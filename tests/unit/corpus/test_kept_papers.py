"""A file is read once: what the ingest made of it is kept until the rows are written, and never believed."""

import shutil
from pathlib import Path

import pytest
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.corpus import kept_papers, parsing
from aimsciqa_assets.corpus.assets import PARSED
from aimsciqa_assets.corpus.intake import folder, ingest
from aimsciqa_assets.corpus.kept_papers import KeptPapers
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.reading.kept import read_once, to_keep
from aimsciqa_assets.reading.paper import Caption, Keyword, Marker, Paper, Paragraph, Reference, Section
from aimsciqa_assets.reading.paper_table import SourceCell, SourceRow, laid_out
from aimsciqa_assets.settings import Settings
from tests.fakes import write_corpus
from tests.fuzz.pdf_mutants import typeset
from tests.unit.corpus import noting_readers

DEMO = Path(__file__).parents[3] / "examples" / "demo_corpus"
PAPER = Paper(
    "jats",
    'Zinc, "iron" and β-carotene',
    pmcid="PMC1",
    doi="10.1/a",
    year=2021,
    retraction="withdrawn",
    sections=[
        Section("", "abstract", [Paragraph("Zinc rose.")]),
        Section(
            "Results", "results", [Paragraph("Iron fell [1,2].", "Iron", [Marker(10, 15, ("r1", "r2"))])]
        ),
    ],
    keywords=[Keyword("zinc", "author")],
    references=[Reference("r1", 0, title="Zinc", year=2020), Reference("r2", 1, pmid="2")],
    captions=[Caption("Figure 1", "Iron.")],
    tables=[laid_out("Table 1", "Zinc by year.", [SourceRow([SourceCell("2019"), SourceCell("5 mg")])])],
    repairs=["entities"],
)


class Site:
    """A home in which files are taken in and their rows written, with notes of what is read."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home = home
        self.papers = home / "papers"
        self.papers.mkdir(parents=True)
        self.warehouse = Warehouse(str(home / "warehouse.duckdb"))
        self.store = FileStore(folder=str(home / "files"))
        self._notes = home / "notes"
        self._notes.touch()
        monkeypatch.setenv(noting_readers.NOTES, str(self._notes))
        monkeypatch.setattr(folder, "paper_in", noting_readers.paper_in)
        monkeypatch.setattr(parsing, "file_rows", noting_readers.file_rows)

    def ingest(self) -> None:
        ingest.ingest(self.papers, self.warehouse, self.store, papers_per_batch=10)

    def parse(self) -> None:
        run = StepRun("batch-0001", "batch", self.warehouse, Settings(), self.store, None, None)
        assert not bring_up_to_date(STEPS[PARSED[0]], run)

    @property
    def read(self) -> list[str]:
        """The files that were read so far, as often as they were."""
        return sorted(self._notes.read_text().split())

    @property
    def kept(self) -> list[Path]:
        return sorted(path for path in (self.home / "unfinished").rglob("*") if path.is_file())

    @property
    def tables(self) -> dict[str, list]:
        return {
            table: sorted(self.warehouse.read(f"select * from {table}").rows(), key=repr)
            for table in ("corpus.input_files", *parsing.TABLES)
        }


@pytest.fixture
def site(tmp_path, monkeypatch) -> Site:
    return Site(tmp_path / "home", monkeypatch)


def test_a_paper_comes_back_as_it_was_without_its_file():
    assert read_once(b"no paper", "a.xml", to_keep(PAPER)) == PAPER


def test_a_very_long_paper_is_not_kept():
    assert to_keep(Paper("jats", "a" * 5_000_000)) == ""


@pytest.mark.slow
def test_a_file_is_read_once_and_its_paper_goes_when_the_rows_are_written(site):
    write_corpus(site.papers, 3)
    site.ingest()
    names = ["paper-001.xml", "paper-002.xml", "paper-003.xml"]
    assert site.read == names
    assert [path.parent.name for path in site.kept] == ["corpus.papers.batch-0001"] * 3
    site.parse()
    assert site.read == names
    assert list((site.home / "unfinished").iterdir()) == []
    rows = site.warehouse.read("select file_name, paper_id from corpus.papers order by 1").rows()
    assert rows == [(name, f"doi:10.5555/test.{number}") for number, name in enumerate(names, 1)]


@pytest.mark.slow
def test_a_file_that_holds_no_paper_is_read_again_for_the_reason(site):
    (site.papers / "a.xml").write_text("no paper")
    site.ingest()
    site.parse()
    assert (site.read, site.kept) == (["a.xml", "a.xml"], [])
    rows = site.warehouse.read("select file_name, rejection_reason from corpus.rejected_files").rows()
    assert rows == [("a.xml", "unknown_format")]


@pytest.mark.slow
def test_the_tables_are_the_same_with_and_without_what_was_kept(site, tmp_path, monkeypatch):
    for path in sorted(DEMO.glob("*.xml"))[:9]:
        shutil.copy(path, site.papers)
    text = "Zinc intake rose in every cohort of the study, as earlier work had found. " * 9
    (site.papers / "typeset.pdf").write_bytes(typeset("Zinc in cohorts", [text] * 9, 1))
    site.ingest()
    site.parse()
    other = Site(tmp_path / "other", monkeypatch)
    shutil.copytree(site.papers, other.papers, dirs_exist_ok=True)
    other.ingest()
    shutil.rmtree(other.home / "unfinished")
    other.parse()
    assert (len(site.read), len(other.read)) == (10, 20)
    assert site.tables == other.tables
    assert len(site.tables["corpus.papers"]) == 10


@pytest.mark.slow
def test_a_damaged_paper_costs_one_reading_and_nothing_else(site):
    write_corpus(site.papers, 3)
    site.ingest()
    damaged = site.kept[1]
    damaged.write_bytes(damaged.read_bytes()[:-9])
    (name,) = site.warehouse.read(
        "select file_name from corpus.input_files where file_id = $id", {"id": damaged.name}
    )["file_name"]
    site.parse()
    assert site.read == sorted(["paper-001.xml", "paper-002.xml", "paper-003.xml", name])
    assert len(site.tables["corpus.papers"]) == 3


@pytest.mark.slow
def test_a_killed_ingest_goes_on_with_what_it_has_read(site, monkeypatch):
    write_corpus(site.papers, 3)

    def killed(*_arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(ingest, "take_in", killed)
        with pytest.raises(KeyboardInterrupt):
            site.ingest()
    assert [path.parent.name for path in site.kept] == ["corpus.input_files.all"] * 3
    site.ingest()
    site.parse()
    assert site.read == ["paper-001.xml", "paper-002.xml", "paper-003.xml"]
    assert len(site.tables["corpus.papers"]) == 3


@pytest.mark.slow
def test_an_ingest_killed_before_its_files_are_written_down_is_repeated(site, monkeypatch):
    write_corpus(site.papers, 3)

    def killed(*_arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(ingest, "_write", killed)
        with pytest.raises(KeyboardInterrupt):
            site.ingest()
    site.ingest()
    site.parse()
    assert len(site.read) == 6
    assert len(site.tables["corpus.papers"]) == 3
    assert list((site.home / "unfinished").iterdir()) == []


@pytest.fixture
def kept(tmp_path) -> KeptPapers:
    papers = KeptPapers(tmp_path / "kept")
    papers.put("a", "the paper")
    return papers


def test_what_is_kept_is_found_by_its_file_alone(kept):
    assert (kept.get("a"), kept.get("b")) == ("the paper", "")
    shutil.copy(kept.folder / "a", kept.folder / "b")
    assert kept.get("b") == ""


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:-1],
        lambda content: content[:40],
        lambda content: content[:-1] + b"s",
        lambda content: b"0" + content,
        lambda content: content[:-2] + b"\xff\x00",
        lambda content: content + content,
    ],
)
def test_what_is_damaged_counts_as_absent(kept, damage):
    path = kept.folder / "a"
    path.write_bytes(damage(path.read_bytes()))
    assert kept.get("a") == ""


def test_what_cannot_be_read_counts_as_absent(kept):
    (kept.folder / "a").unlink()
    (kept.folder / "a").mkdir()
    assert kept.get("a") == ""


@pytest.fixture
def started_anew():
    """Makes the process forget which code it has, as a new one would."""
    yield kept_papers._revision.cache_clear
    kept_papers._revision.cache_clear()


@pytest.mark.parametrize("room", ["reading/pdf", "text"])
def test_what_other_code_has_read_counts_as_absent(tmp_path, monkeypatch, started_anew, room):
    module = tmp_path / "rooms" / room / "layout.py"
    module.parent.mkdir(parents=True)
    module.write_text("COLUMNS = 1")
    monkeypatch.setattr(kept_papers, "_ROOMS", tmp_path / "rooms")
    started_anew()
    papers = KeptPapers(tmp_path / "kept")
    papers.put("a", "the paper")
    assert papers.get("a") == "the paper"
    module.write_text("COLUMNS = 2")
    started_anew()
    assert papers.get("a") == ""
    module.write_text("COLUMNS = 1")
    started_anew()
    assert papers.get("a") == "the paper"
    monkeypatch.setattr(kept_papers, "version", lambda _library: "0.0")
    started_anew()
    assert papers.get("a") == ""
