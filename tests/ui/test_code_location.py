"""The web UI as `make ui` starts it, without a browser: it loads the code location and shows every table."""

import time

from aimsciqa_assets.cli.pipeline import open_instance
from aimsciqa_assets.cli.run_record import recorded_run
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.stages import GROUPS
from aimsciqa_assets.tables import BOOKKEEPING, TABLES
from tests.web_ui import assets_shown, runs_shown, web_ui


def test_the_web_ui_shows_every_table_and_the_runs_of_the_command_line(tmp_path):
    home = Home(tmp_path / "home")
    began = time.time()
    with recorded_run(open_instance(home), []):
        pass
    with web_ui(home, tmp_path / "log") as address:
        nodes = assets_shown(address)
        runs = runs_shown(address)
    assert began <= runs[0].pop("startTime") <= time.time()
    assert runs == [
        {
            "pipelineName": "aimsciqa_run",
            "status": "SUCCESS",
            "repositoryOrigin": {"repositoryLocationName": "aimsciqa", "repositoryName": "__repository__"},
        }
    ]
    shown = {".".join(node["assetKey"]["path"]): node for node in nodes}
    assert set(shown) == set(TABLES) - BOOKKEEPING
    assert all(node["description"].startswith("One row: ") for node in shown.values())
    assert {node["groupName"] for node in nodes} == {GROUPS[TABLES[name].schema] for name in shown}
