"""The web UI as `make ui` starts it: it loads the code location and shows every table."""

import pytest

from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.stages import GROUPS
from aimsciqa_assets.tables import BOOKKEEPING, TABLES
from tests.web_ui import assets_shown, web_ui


@pytest.mark.slow
def test_the_web_ui_shows_every_table(tmp_path):
    with web_ui(Home(tmp_path / "home"), tmp_path / "log") as address:
        nodes = assets_shown(address)
    shown = {".".join(node["assetKey"]["path"]): node for node in nodes}
    assert set(shown) == set(TABLES) - BOOKKEEPING
    assert all(node["description"].startswith("One row: ") for node in shown.values())
    assert {node["groupName"] for node in nodes} == {GROUPS[TABLES[name].schema] for name in shown}
