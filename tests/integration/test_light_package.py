"""The light package in an environment that has nothing but what it declares to need."""

import json
import os
import re
import subprocess
import sys
import tomllib
import venv
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import aimsciqa
from tests.evaluated_corpus import write_evaluated_release

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]

EVALUATE = """
import json, sys
import aimsciqa

release = aimsciqa.load(sys.argv[1])
found = {
    "items": [item.item_id for item in release.items],
    "cluster": json.loads(release.evaluate_retriever(aimsciqa.Bm25(), setting="cluster").as_json()),
    "full": json.loads(release.evaluate_retriever(aimsciqa.Bm25(), setting="full").as_json()),
    "oracle": json.loads(release.evaluate_answers(sys.argv[2]).as_json()),
}
heavy = {"aimsciqa_assets", "aimsciqa_resources", "dagster", "torch", "duckdb", "polars", "pyarrow", "numba"}
found["heavy"] = sorted(heavy & sys.modules.keys())
print(json.dumps(found))
"""


def needed(requirements: list[str], found: dict[str, Distribution]) -> dict[str, Distribution]:
    """The packages that these need, and what they need in turn."""
    for text in requirements:
        requirement = Requirement(text)
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        if requirement.name not in found:
            package = found[requirement.name] = distribution(requirement.name)
            needed(package.requires or [], found)
    return found


@pytest.fixture(scope="module")
def light(tmp_path_factory) -> Path:
    """A folder for PYTHONPATH, with links to the light package and the packages that it declares to need."""
    folder = tmp_path_factory.mktemp("light")
    (folder / "aimsciqa").symlink_to(ROOT / "aimsciqa")
    for package in needed(DECLARED, {}).values():
        names = {file.parts[0] for file in package.files or [] if file.parts[0] not in ("..", "__pycache__")}
        for name in names:
            link = folder / name
            if not link.exists():
                link.symlink_to(Path(str(package.locate_file(name))))
    return folder


def run(light: Path, *words: str) -> subprocess.CompletedProcess:
    """Python without the packages of this environment."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [sys.executable, "-S", *words],
        env=environment | {"PYTHONPATH": str(light), "COLUMNS": "80"},
        cwd=light,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def release(made_once) -> Path:
    return made_once("evaluated-release", write_evaluated_release) / "release"


def test_the_environment_has_nothing_else(light):
    for name in ("dagster", "torch", "duckdb", "aimsciqa_assets", "polars", "pyarrow"):
        assert run(light, "-c", f"import {name}").returncode == 1


def test_bm25_and_answers_have_the_figures_of_the_card(light, release):
    answers = release / "baselines" / "answers" / "some_model.oracle.jsonl"
    done = run(light, "-c", EVALUATE, str(release), str(answers))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["items"] == ["i1", "i3", "i6", "i2"]
    assert found["heavy"] == []
    rows = map(json.loads, (release / "baselines" / "scores.jsonl").read_text().splitlines())
    stated = {
        (row["setting"], row["split"], row["variant"], row["measure"]): row
        for row in rows
        if row["system"] in ("bm25", "some model")
    }
    compared = 0
    for setting in ("cluster", "full", "oracle"):
        for score in found[setting]["scores"]:
            told = stated[setting, score["split"], score["variant"], score["measure"]]
            for name in ("value", "low", "high"):
                assert told[name] == pytest.approx(score[name], abs=1e-9)
            compared += 1
    assert compared == len([key for key in stated if key[0] in ("cluster", "full", "oracle")])
    # The card shows three decimals of the same.
    assert "| bm25 | full | dev | im | 2 | 0.500 |" in (release / "README.md").read_text()


def test_the_command_evaluates_without_the_platform(light, release):
    command = "from aimsciqa.command_line import main; main()"
    done = run(light, "-c", command, "evaluate", str(release), "--bm25", "--split", "test")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "retrieval, cluster"
    done = run(light, "-c", command, "ingest", "papers")
    assert done.returncode == 2
    assert "No such command 'ingest'" in done.stderr
    assert ".[platform]" in run(light, "-c", command, "--help").stdout


@pytest.mark.nightly
def test_pip_installs_the_light_package_into_a_new_environment(release, tmp_path):
    """Needs a package index, as `make setup` does."""
    venv.create(tmp_path / "venv", with_pip=True)
    python = str(tmp_path / "venv" / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(ROOT)], check=True)
    listed = subprocess.run([python, "-m", "pip", "list"], capture_output=True, text=True, check=True).stdout
    assert not re.search(r"^(?:dagster|torch|duckdb|polars)\b", listed, flags=re.MULTILINE)
    command = [str(tmp_path / "venv" / "bin" / "aimsciqa"), "evaluate", str(release), "--bm25"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == f"{aimsciqa.load(release).evaluate_retriever(aimsciqa.Bm25())}\n"
