"""`aimsciqa airqa store`: a folder of papers becomes the paper store, and nothing else is made of it."""

import pytest
from aimsciqa_resources.warehouse import WarehouseBrokenError
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app
from tests.drawn_papers import drawn_paper
from tests.fakes import write_corpus

pytestmark = [pytest.mark.slow, pytest.mark.long]


def test_a_folder_becomes_the_store_and_later_runs_read_nothing_again(tmp_path, monkeypatch):
    papers, home = tmp_path / "papers", tmp_path / "home"
    write_corpus(papers, 2)
    (papers / "drawn.pdf").write_bytes(drawn_paper())
    (papers / "empty.pdf").write_bytes(b"%PDF-1.7\nnothing else")
    monkeypatch.setenv("AIMSCIQA_HOME", str(home))
    made = CliRunner().invoke(app, ["airqa", "store", str(papers)])
    assert made.exit_code == 0, made.output
    assert "3 papers in" in made.output
    assert "Next: aimsciqa run" not in made.output
    assert "1 of them from PDFs: 4 pages, 1 tables, 1 figures" in made.output
    assert "empty.pdf: damaged_pdf" in made.output
    assert {"papers.duckdb", "vectors.arrow"} <= {file.name for file in (home / "airqa").iterdir()}
    assert (home / "aimsciqa.toml").read_text() == "\n[airqa]\nstore = true\n"
    before = (home / "airqa" / "papers.duckdb").stat().st_mtime_ns
    again = CliRunner().invoke(app, ["airqa", "store"])
    assert (again.exit_code, "3 papers in" in again.output) == (0, True)
    assert (home / "aimsciqa.toml").read_text().count("store") == 1
    assert (home / "airqa" / "papers.duckdb").stat().st_mtime_ns == before
    (home / "airqa" / "papers.duckdb").unlink()
    (home / "airqa" / "papers.duckdb").write_bytes(b"no database")
    broken = CliRunner().invoke(app, ["airqa", "store"])
    assert isinstance(broken.exception, WarehouseBrokenError)
    assert "Delete it, and start `aimsciqa airqa store`" in str(broken.exception)
    (home / "airqa" / "papers.duckdb").unlink()
    assert "3 papers in" in CliRunner().invoke(app, ["airqa", "store"]).output
    asked = CliRunner().invoke(
        app, ["sql", "select count(*) as n from ops.materializations where table_name like 'single_hop%'"]
    )
    assert asked.output.split()[:2] == ["n", "0"]
