"""`aimsciqa warehouse copy` and `aimsciqa maintain`, and what they say where there is no lake."""

from importlib.util import find_spec

import polars as pl
import pytest
from aimsciqa_resources.warehouse import ClusterSetUpError, CopyError, Write
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app
from aimsciqa_assets.platform.home import Home

LAKE = "ducklake:postgres:host=127.0.0.1 port=1 dbname=x"


def run(*words: str) -> str:
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    return result.output


def test_the_file_of_the_home_is_the_warehouse_unless_a_lake_is_named(tmp_path, monkeypatch):
    assert Home(tmp_path).warehouse_named == {"database": str(tmp_path / "warehouse.duckdb")}
    monkeypatch.setenv("AIMSCIQA_WAREHOUSE", LAKE)
    monkeypatch.setenv("AIMSCIQA_WAREHOUSE_DATA", "s3://bucket/x")
    named = Home(tmp_path).warehouse_named
    assert named == {"database": LAKE, "data": "s3://bucket/x", "folder": str(tmp_path)}
    assert Home(tmp_path).warehouse.home == tmp_path


def test_the_settings_file_may_name_a_lake(tmp_path, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path))
    (tmp_path / "aimsciqa.toml").write_text(f'warehouse = "{LAKE}"\nwarehouse_data = "s3://bucket/x"\n')
    assert Home(tmp_path).warehouse.is_lake


def test_files_are_not_copied_to_files(tmp_path):
    with pytest.raises(CopyError, match="copy the file itself"):
        run("warehouse", "copy", str(tmp_path / "a.duckdb"), str(tmp_path / "b.duckdb"))


@pytest.mark.skipif(find_spec("psycopg") is not None, reason="this environment can open lakes")
def test_an_environment_without_the_wheels_is_told_what_to_install(tmp_path, monkeypatch):
    with pytest.raises(ClusterSetUpError, match=r"A lake needs psycopg: pip install '\.\[cluster\]'"):
        run("warehouse", "copy", str(tmp_path / "a.duckdb"), LAKE)
    monkeypatch.setenv("AIMSCIQA_WAREHOUSE", LAKE)
    with pytest.raises(ClusterSetUpError, match="A lake needs psycopg"):
        run("status")


def test_maintenance_compacts_the_file_of_the_home(tmp_path, monkeypatch):
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path))
    ddl = "create table if not exists s.t (n bigint)"
    Home(tmp_path).warehouse.replace([Write("s.t", ddl, pl.DataFrame({"n": [1]}), {})])
    assert "MiB before" in run("maintain")
    assert Home(tmp_path).warehouse.read("select n from s.t").rows() == [(1,)]
    monkeypatch.setenv("AIMSCIQA_WAREHOUSE_KEEP_DAYS", "soon")
    assert "AIMSCIQA_WAREHOUSE_KEEP_DAYS='soon' must be a number" in run("maintain")
