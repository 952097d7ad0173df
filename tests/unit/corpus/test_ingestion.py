"""What of a folder is taken in, and what is named because it cannot be."""

import os
from pathlib import Path

import pytest
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.cli.summary import print_ingested
from aimsciqa_assets.cli.terminal import console, errors
from aimsciqa_assets.corpus.intake.folder import NothingToIngestError, listing_of
from aimsciqa_assets.corpus.intake.ingest import ingest
from tests.fakes import write_corpus

LATIN_1 = os.fsdecode(b"caf\xe9.xml")


@pytest.fixture
def papers(tmp_path) -> Path:
    (tmp_path / "papers").mkdir()
    return tmp_path / "papers"


def names(folder: Path) -> list[str]:
    return [name for _, name in listing_of(folder).files]


def test_a_name_that_is_not_utf_8_is_stored_readably_and_the_others_go_in(papers, tmp_path):
    write_corpus(papers, 2)
    (papers / "paper-002.xml").rename(papers / LATIN_1)
    warehouse = Warehouse(str(tmp_path / "warehouse.duckdb"))
    ingested = ingest(papers, warehouse, FileStore(folder=str(tmp_path / "files")), 10)
    assert (ingested.new_files, ingested.unreadable) == (2, [])
    rows = warehouse.read("select file_name, paper_id is not null from corpus.input_files order by 1")
    assert rows.rows() == [(r"caf\xe9.xml", True), ("paper-001.xml", True)]


def test_a_name_that_is_not_utf_8_is_told_readably_when_the_file_cannot_be_read(papers):
    (papers / LATIN_1).symlink_to("/nowhere")
    with pytest.raises(NothingToIngestError, match=r"read: caf\\xe9\.xml: a link that leads nowhere"):
        listing_of(papers)


def test_files_come_in_the_order_of_their_paths_and_others_are_counted(papers):
    for name in ("b.xml", "a/c.PDF", "a/d.nxml", "a/notes.txt", "README"):
        (papers / name).parent.mkdir(exist_ok=True)
        (papers / name).touch()
    assert names(papers) == ["a/c.PDF", "a/d.nxml", "b.xml"]
    assert listing_of(papers).others == 2
    assert names(papers / "b.xml") == ["b.xml"]


def test_links_to_folders_are_followed_and_each_folder_is_looked_through_once(papers, tmp_path):
    for folder in (tmp_path / "elsewhere", papers / "own"):
        folder.mkdir()
        (folder / "a.xml").touch()
    (tmp_path / "elsewhere" / "circle").symlink_to(tmp_path / "elsewhere")
    (papers / "again").symlink_to(papers / "own")
    (papers / "circle").symlink_to(papers)
    (papers / "linked").symlink_to(tmp_path / "elsewhere")
    assert names(papers) == ["linked/a.xml", "own/a.xml"]
    assert listing_of(papers).unreadable == []


def test_what_cannot_be_looked_at_is_named_with_the_reason(papers, tmp_path):
    (papers / "a.xml").touch()
    (papers / "around").symlink_to(tmp_path)
    (papers / "gone").symlink_to(tmp_path / "gone")
    (papers / "itself.xml").symlink_to("itself.xml")
    os.mkfifo(papers / "pipe.xml")
    listing = listing_of(papers)
    assert [name for _, name in listing.files] == ["a.xml"]
    assert sorted(listing.unreadable) == [
        "around: a link to a folder around this one",
        "gone: a link that leads nowhere",
        "itself.xml: Too many levels of symbolic links",
        "pipe.xml: no regular file",
    ]


def test_a_folder_that_cannot_be_read_is_named_and_the_others_go_in(papers, tmp_path):
    write_corpus(papers, 1)
    # Even root cannot list a folder whose path is longer than the system takes.
    folder = os.open(papers, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 250, dir_fd=folder)
        inner = os.open("d" * 250, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    warehouse = Warehouse(str(tmp_path / "warehouse.duckdb"))
    ingested = ingest(papers, warehouse, FileStore(folder=str(tmp_path / "files")), 10)
    assert ingested.new_files == 1
    (problem,) = ingested.unreadable
    assert problem.endswith("ddd: folder cannot be read: File name too long")


def test_what_was_not_read_is_printed_without_control_characters(papers, tmp_path, capsys):
    write_corpus(papers, 1)
    (papers / "\x1b]0;owned\x07[red].xml").symlink_to("/nowhere")
    warehouse = Warehouse(str(tmp_path / "warehouse.duckdb"))
    ingested = ingest(papers, warehouse, FileStore(folder=str(tmp_path / "files")), 10)
    print_ingested(ingested, console, errors)
    told = capsys.readouterr().err
    assert r"not read \x1b]0;owned" in told
    assert "\x1b" not in told
    assert "1 files or folders could not be read" in told


def test_a_bad_file_under_a_name_that_is_not_utf_8_is_one_row_that_holds_no_paper(papers, tmp_path):
    write_corpus(papers, 1)
    (papers / LATIN_1).write_text("no paper")
    warehouse = Warehouse(str(tmp_path / "warehouse.duckdb"))
    assert ingest(papers, warehouse, FileStore(folder=str(tmp_path / "files")), 10).new_files == 2
    rows = warehouse.read("select file_name from corpus.input_files where paper_id is null")
    assert rows["file_name"].to_list() == [r"caf\xe9.xml"]
