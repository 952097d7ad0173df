"""What the README says is true: its commands run, its settings are all there, its links lead somewhere."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.settings import Settings, model_settings_table, settings_table
from tests.fakes import write_id_map
from tests.model_server import ModelServer
from tests.pmc_server import Archive, PmcServer
from tests.shell import documented_queries

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
SETTINGS = (ROOT / "docs" / "settings.md").read_text()


def commands() -> list[str]:
    blocks = re.findall(r"```bash\n(.*?)```", README, flags=re.DOTALL)
    return [line.split("  #")[0].rstrip() for block in blocks for line in block.splitlines() if line.strip()]


def test_every_make_target_of_the_readme_exists_and_is_run_by_ci_or_a_test():
    makefile = (ROOT / "Makefile").read_text()
    ci = (ROOT / ".ci" / "run").read_text()
    targets = set(re.findall(r"`?make ([a-z-]+)", README))
    assert {"demo", "test", "test-ui", "test-vllm", "ui", "check"} <= targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE)
    for target in ("demo", "test", "test-ui", "test-vllm", "check"):
        assert f"make {target}" in ci


@pytest.mark.slow
def test_the_commands_for_ones_own_papers_and_models_run_in_their_order(tmp_path):
    """In a folder of its own, with a model server in place of the one on localhost."""
    for name in (".venv", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    own = [command for command in commands() if not command.startswith("make")]
    assert own[0] == "export AIMSCIQA_HOME=my-benchmark"
    environment = dict(os.environ)
    archive = Archive()
    for number in range(13901, 13906):
        archive.publish(f"PMC{number}", title=f"Vitamin D in cohort {number}", published=2020)
    (tmp_path / "ids.txt").write_text("PMC13901\n")
    write_id_map(tmp_path / "PMC-ids.csv.gz", "PMC13901,11250746,10.1/x")
    with ModelServer(model="Qwen/Qwen2.5-7B-Instruct") as server, PmcServer(archive) as pmc:
        archive.take_inventory()
        for service in ("eutils", "bucket", "oai"):
            environment[f"AIMSCIQA_PMC_{service}_URL".upper()] = getattr(pmc, f"{service}_url")
        for command in own:
            words = shlex.split(command)
            if words[0] == "export":
                name, _, value = words[1].partition("=")
                environment[name] = server.url if value == "http://localhost:8000/v1" else value
                continue
            assert words[0] == ".venv/bin/aimsciqa"
            done = subprocess.run(
                words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=600
            )
            assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    assert len(server.seen) > 500
    assert (tmp_path / "replies.jsonl.gz").exists()
    # Here a model was asked, so that every query of the docs has something to say.
    warehouse = Warehouse(database=str(tmp_path / "my-benchmark" / "warehouse.duckdb"))
    answers = {question: warehouse.ask(query) for question, query in documented_queries().items()}
    assert [question for question, rows in answers.items() if rows.is_empty()] == []
    calls = answers["What did last night cost?"]
    assert set(calls["model"]) == {"Qwen/Qwen2.5-7B-Instruct"}
    assert calls["calls"].sum() > 500


def test_every_setting_stands_in_the_docs_with_its_presets():
    for row in settings_table(Settings.preset_of("demo", {}), Settings.preset_of("paper", {})):
        assert row in SETTINGS.splitlines()
    for row in model_settings_table():
        assert row in SETTINGS


def test_every_link_and_picture_leads_to_a_file():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) > 4
    for link in links:
        assert (ROOT / link).exists(), link
