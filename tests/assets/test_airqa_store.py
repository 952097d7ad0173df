"""The paper store through the tables: files of a batch read, published and withdrawn."""

import json

import duckdb
import polars as pl
import pytest
from typer.testing import CliRunner

from aimsciqa_assets.airqa.store.mineru import bundles_in
from aimsciqa_assets.airqa.store.searching import StoreSearch
from aimsciqa_assets.cli.commands import app
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, StepRun
from tests.drawn_papers import TITLE, drawn_paper
from tests.fakes import WordEncoder, write_corpus
from tests.mineru_files import METADATA, mineru_folder
from tests.two_batches import CLUSTER, pipeline_at

pytestmark = pytest.mark.slow
TABLES = ("airqa.papers", "airqa.vectors", "airqa.store")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    papers = tmp_path_factory.mktemp("airqa") / "papers"
    write_corpus(papers, 2)
    (papers / "drawn.pdf").write_bytes(drawn_paper())
    (papers / "empty.pdf").write_bytes(b"%PDF-1.7\nnothing else")
    ((_, bundle),) = bundles_in(mineru_folder(papers.parent / "mineru"))
    (papers / "roots.mineru").write_bytes(bundle)
    return papers


def materialized(folder, home, **settings):
    """A home after the steps of the store ran on its only batch."""
    environment = CLUSTER | {f"AIMSCIQA_{name}": value for name, value in settings.items()}
    pipeline = pipeline_at(home, environment=environment)
    pipeline.ingest(folder)
    batch = pipeline.warehouse.read("select distinct batch from corpus.input_files")["batch"][0]
    for table in ("corpus.papers", *TABLES):
        step = STEPS[table]
        bring_up_to_date(step, StepRun.of(step, batch, pipeline.resources))
    return pipeline


def test_files_become_papers_and_the_store(folder, tmp_path):
    pipeline = materialized(folder, tmp_path / "home", AIRQA_STORE="true")
    read = pipeline.warehouse.read
    assert read(
        "select source, rejection_reason, count(*) from airqa.papers group by all order by all"
    ).rows() == [
        ("jats", None, 2),
        ("mineru", None, 1),
        ("pdf", None, 1),
        (None, "damaged_pdf", 1),
    ]
    home = tmp_path / "home" / "airqa"
    with duckdb.connect(str(home / "papers.duckdb"), read_only=True) as connection:
        titles = connection.execute("select title from metadata where num_pages = 2").fetchall()
        rows = connection.execute("select count(*) from metadata").fetchone()
    assert (titles, rows) == ([(TITLE,)], (4,))
    vectors = pl.read_ipc(home / "vectors.arrow")
    assert vectors["pdf_id"].n_unique() == 4
    assert read("select sum(store_vectors)::int from airqa.store").rows() == [(vectors.height,)]
    search = StoreSearch.of_home(home.parent, WordEncoder())
    assert [found.text for found in search.search([TITLE], 1)[0]] == [TITLE]
    search.close()
    assert json.loads((home / "papers.json").read_text())["database_name"] == "papers"


def test_the_store_is_off_by_default(folder, tmp_path):
    pipeline = materialized(folder, tmp_path / "home")
    assert pipeline.warehouse.read("select count(*) from airqa.papers").rows() == [(0,)]
    assert not (tmp_path / "home" / "airqa").exists()


def test_a_folder_of_mineru_is_taken_in_by_command(tmp_path, monkeypatch):
    folder = mineru_folder(tmp_path / "airqa")
    (folder / "processed_data" / "other.json").write_text("{}")
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path / "home"))
    told = CliRunner().invoke(app, ["airqa", "mineru", str(folder)])
    assert told.exit_code == 1
    assert "other.json: there is no metadata/other.json" in told.output
    with duckdb.connect(str(tmp_path / "home" / "warehouse.duckdb"), read_only=True) as connection:
        files = connection.execute("select file_name, paper_id from corpus.input_files").fetchall()
    assert files == [(f"{METADATA['uuid']}.mineru", None)]
    assert CliRunner().invoke(app, ["airqa", "mineru", str(tmp_path)]).exit_code == 1
