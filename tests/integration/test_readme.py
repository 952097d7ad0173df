"""What the README says is true: its commands run, its settings are all there, its links lead somewhere."""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest
import typer
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.cli.commands import app
from aimsciqa_assets.settings import Settings, model_settings_table, settings_table
from tests.fakes import write_id_map
from tests.model_server import ModelServer
from tests.pmc_server import Archive, PmcServer
from tests.shell import QuickShell, documented_queries

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
SETTINGS = (ROOT / "docs" / "settings.md").read_text()


def commands() -> list[str]:
    blocks = re.findall(r"```bash\n(.*?)```", README, flags=re.DOTALL)
    return [line.split("  #")[0].rstrip() for block in blocks for line in block.splitlines() if line.strip()]


def test_it_is_read_in_a_few_minutes():
    assert len(README.split()) < 1200


def test_every_make_target_of_the_readme_exists_and_is_run_by_ci_or_a_test():
    makefile = (ROOT / "Makefile").read_text()
    ci = (ROOT / ".ci" / "run").read_text()
    targets = set(re.findall(r"(?:^|`)make ([a-z-]+)", README, flags=re.MULTILINE))
    assert {"demo", "test", "test-ui", "test-vllm", "ui", "check"} <= targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE)
    for target in ("demo", "test", "test-ui", "test-vllm", "check"):
        assert f"make {target}" in ci


def parsed(words: list[str]) -> dict[str, object]:
    """What the command line understands; ends with a usage error where it does not."""
    command, context = typer.main.get_command(app), None
    while True:
        name = words[0] if context else "aimsciqa"
        rest = words[1:] if context else words
        context = command.make_context(name, list(rest), parent=context)
        if not (hasattr(command, "resolve_command") and rest):
            return context.params
        _, command, words = command.resolve_command(context, list(rest))
        words = [command.name, *words]


def test_the_command_line_understands_every_command_of_the_readme(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for file in ("ids.txt", "PMC-ids.csv.gz", "replies.jsonl.gz"):
        (tmp_path / file).touch()
    typed = [shlex.split(command) for command in commands() if not command.startswith("make")]
    understood = [parsed(words[1:]) for words in typed if words[0] == ".venv/bin/aimsciqa"]
    assert len(understood) > 15
    assert {words[0] for words in typed} == {".venv/bin/aimsciqa", "export"}
    assert any(params.get("years") == "2019-2024" and params["limit"] == 500 for params in understood)
    exported = dict(words[1].split("=", 1) for words in typed if words[0] == "export")
    assert len(exported) > 5
    Settings.preset_of("demo", exported)
    with pytest.raises(Exception, match="No such option"):
        parsed(["run", "--sometimes"])


@dataclass
class Reader:
    """Types the commands of the README in a folder of their own, with services on the loopback."""

    folder: Path
    run: Callable[[list[str], dict[str, str]], None]
    environment: dict[str, str]

    def read(self) -> ModelServer:
        """Type everything in its order; returns the model server that was asked."""
        own = [command for command in commands() if not command.startswith("make")]
        assert own[0] == "export AIMSCIQA_HOME=my-benchmark"
        archive = Archive()
        for number in range(13901, 13906):
            archive.publish(f"PMC{number}", title=f"Vitamin D in cohort {number}", published=2020)
        (self.folder / "ids.txt").write_text("PMC13901\n")
        write_id_map(self.folder / "PMC-ids.csv.gz", "PMC13901,11250746,10.1/x")
        with ModelServer(model="Qwen/Qwen2.5-7B-Instruct") as server, PmcServer(archive) as pmc:
            archive.take_inventory()
            for service in ("eutils", "bucket", "oai"):
                self.environment[f"AIMSCIQA_PMC_{service}_URL".upper()] = getattr(pmc, f"{service}_url")
            for command in own:
                words = shlex.split(command)
                if words[0] == "export":
                    name, _, value = words[1].partition("=")
                    local = server.url if value == "http://localhost:8000/v1" else value
                    self.environment[name] = local
                else:
                    assert words[0] == ".venv/bin/aimsciqa"
                    self.run(words, self.environment)
        assert (self.folder / "replies.jsonl.gz").exists()
        return server

    def answers(self) -> dict[str, pl.DataFrame]:
        """What the queries of the docs say; here a model was asked, so that costs are known."""
        warehouse = Warehouse(database=str(self.folder / "my-benchmark" / "warehouse.duckdb"))
        found = {question: warehouse.ask(query) for question, query in documented_queries().items()}
        calls = found["What did last night cost?"]
        assert set(calls["model"]) == {"Qwen/Qwen2.5-7B-Instruct"}
        return found


@pytest.mark.slow
@pytest.mark.long
def test_the_commands_run_in_their_order_on_six_papers(tmp_path, tiny_encoder):
    shell = QuickShell(tmp_path / "my-benchmark", relations_cluster_size="3", **tiny_encoder)
    shell.folder = tmp_path
    papers = tmp_path / "examples" / "demo_corpus"
    papers.mkdir(parents=True)
    for paper in sorted((ROOT / "examples" / "demo_corpus").glob("*.xml"))[:6]:
        shutil.copy(paper, papers)

    def run(words: list[str], environment: dict[str, str]) -> None:
        shell.environment = environment
        shell(*words[1:])

    reader = Reader(tmp_path, run, shell.environment)
    assert len(reader.read().seen) > 100
    assert reader.answers()["What did last night cost?"]["calls"].sum() > 100


@pytest.mark.nightly
def test_the_commands_run_in_their_order_as_they_stand_there(tmp_path):
    """With the demo corpus and a process for each command."""
    for name in (".venv", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)

    def run(words: list[str], environment: dict[str, str]) -> None:
        done = subprocess.run(
            words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=600
        )
        assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"

    reader = Reader(tmp_path, run, dict(os.environ))
    assert len(reader.read().seen) > 500
    answers = reader.answers()
    assert [question for question, rows in answers.items() if rows.is_empty()] == []
    assert answers["What did last night cost?"]["calls"].sum() > 500


def test_every_setting_stands_in_the_docs_with_its_presets():
    for row in settings_table(Settings.preset_of("default", {}), Settings.preset_of("paper", {})):
        assert row in SETTINGS.splitlines()
    for row in model_settings_table():
        assert row in SETTINGS


def test_every_link_and_picture_leads_to_a_file():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) > 4
    for link in links:
        assert (ROOT / link).exists(), link
