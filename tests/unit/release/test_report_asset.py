"""The asset: the page lies beside the warehouse, and is made again when it is gone."""

import dagster as dg
import pytest
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.writing import create_tables
from aimsciqa_assets.release.report.assets import reports
from aimsciqa_assets.settings import Settings
from tests.fakes import WordEncoder


@pytest.fixture
def home(tmp_path):
    home = Home(tmp_path / "home")
    create_tables(Warehouse(database=str(home.database)))
    return home


def made_anew(home) -> bool:
    """Whether materializing the report wrote a page; it is as recorded afterwards."""
    resources = build_resources(home, Settings.preset_of("demo", {}), encoder=WordEncoder())
    done = dg.materialize([reports], resources=resources, instance=dg.DagsterInstance.ephemeral())
    (event,) = done.asset_materializations_for_node("reports")
    row = resources["warehouse"].read("select path, bytes from release.reports").row(0)
    assert row == ("report.html", (home.folder / "report.html").stat().st_size)
    return "unchanged" not in event.metadata


@pytest.mark.slow
def test_the_page_is_written_once_and_again_when_it_is_gone_or_changed(home):
    page = home.folder / "report.html"
    assert made_anew(home)
    first = page.read_bytes()
    assert first.startswith(b"<!doctype html>")
    assert not made_anew(home)
    page.unlink()
    assert made_anew(home)
    page.write_text("something else")
    assert made_anew(home)
    assert page.read_bytes() == first
    assert [path.name for path in home.folder.iterdir() if "report" in path.name] == ["report.html"]
