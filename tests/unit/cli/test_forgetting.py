"""`aimsciqa reset` removes what belongs to what is forgotten, says so, and leaves the rest."""

from pathlib import Path

import pytest
from aimsciqa_resources.warehouse import Warehouse
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app
from aimsciqa_assets.corpus.intake.ingest import create_tables

pytestmark = pytest.mark.slow

STAYS = {"journal.sqlite", "recordings.jsonl", "audit/sheet.csv", "notes.txt", "airqa/notes.txt"}
OF_RELEASES = {
    "report.html",
    ".report.html.123",
    "releases/first/PROVENANCE.json",
    "releases/first/data.parquet",
    "releases/.first.new/release/README.md",
    "releases/.first.old/README.md",
    "releases/.first.lock",
}
UNFINISHED = {"unfinished/relations.embeddings.batch-0001/abc.npy"}
OF_THE_CORPUS = {
    *UNFINISHED,
    "warehouse.duckdb",
    "warehouse.duckdb.lock",
    "warehouse.duckdb.ingest.lock",
    "inspect.duckdb",
    ".inspect.duckdb.123.456",
    "files/ab/abc",
    "files/.partial.123",
    "dagster/dagster.yaml",
    "partitions.lock",
    "recordings.jsonl.lock",
    "airqa/papers.duckdb",
    "airqa/papers.json",
    "airqa/papers.sql",
    "airqa/vectors.arrow",
    "airqa/observations.sqlite",
    "airqa/observations.sqlite-wal",
}


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    """A home with everything that a run, a killed run and a person leave."""
    folder = tmp_path / "home"
    folder.mkdir()
    create_tables(Warehouse(str(folder / "warehouse.duckdb")))
    for name in STAYS | OF_RELEASES | OF_THE_CORPUS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    monkeypatch.setenv("AIMSCIQA_HOME", str(folder))
    return folder


def left(home: Path) -> set[str]:
    return {path.relative_to(home).as_posix() for path in home.rglob("*") if not path.is_dir()}


def reset(*words: str, **options: str) -> str:
    result = CliRunner().invoke(app, ["reset", *words], **options)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_reset_leaves_what_was_paid_for_or_is_not_ours_and_says_what_it_removed(home):
    output = reset("--yes")
    assert left(home) == STAYS
    for name in ("report.html", "releases", "files", "inspect.duckdb", ".inspect.duckdb.123.456"):
        assert f"removed {home / name}\n" in output
    assert f"kept {home / 'journal.sqlite'}\n" in output
    assert f"kept {home / 'recordings.jsonl'}\n" in output
    assert f"kept {home / 'audit'}\n" in output


@pytest.mark.parametrize("stage", ["corpus", "single_hop"])
def test_a_reset_from_a_stage_takes_its_unfinished_parts_along(home, stage):
    output = reset("--from", stage, "--yes")
    assert left(home) == STAYS | OF_THE_CORPUS - UNFINISHED
    assert f"removed {home / 'unfinished' / 'relations.embeddings.batch-0001'}\n" in output


@pytest.mark.parametrize("stage", ["relations", "multi_hop", "benchmark", "release"])
def test_a_reset_from_a_stage_takes_report_and_releases_along(home, stage):
    output = reset("--from", stage, "--yes")
    assert left(home) == STAYS | OF_THE_CORPUS
    assert f"removed {home / 'report.html'}\n" in output


def test_what_comes_after_the_release_takes_nothing_along(home):
    reset("--from", "ops", "--yes")
    assert left(home) == STAYS | OF_THE_CORPUS | OF_RELEASES


def test_the_tables_that_lose_rows_are_named(home):
    with Warehouse(str(home / "warehouse.duckdb")).get_connection() as connection:
        connection.execute(
            "insert into corpus.source_papers by name "
            "select 'p' as paper_id, 0 as accessible_citations, false as eligible"
        )
    assert "removed the rows of corpus.source_papers\n" in reset("--from", "corpus", "--yes")


def test_what_others_put_among_the_releases_stays(home):
    (home / "releases" / "paper").mkdir()
    (home / "releases" / "paper" / "draft.tex").touch()
    reset("--yes")
    assert left(home) == STAYS | {"releases/paper/draft.tex"}


def test_a_link_is_removed_and_not_what_it_leads_to(home, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    (home / "files").rename(elsewhere)
    (home / "files").symlink_to(elsewhere)
    reset("--yes")
    assert left(home) == STAYS
    assert (elsewhere / "ab" / "abc").exists()


def test_who_is_asked_sees_what_would_go_and_may_refuse(home):
    before = left(home)
    result = CliRunner().invoke(app, ["reset"], input="n\n")
    assert result.exit_code == 1
    assert f"{home / 'report.html'}\n" in result.output
    assert left(home) == before
