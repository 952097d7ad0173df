"""The walls between the rooms: who may import what."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ASSETS = ROOT / "aimsciqa_assets"
LIGHT = ROOT / "aimsciqa"
RESOURCES = ROOT / "resources"
FLOORS = [
    {"tables"},
    {"items", "settings", "text"},
    {"platform", "reading"},
    {"asking", "metrics", "orchestration", "retrieval"},
    {"corpus"},
    {
        *("aim_sciqa", "airqa", "baseline_sets", "benchmark", "findings", "hopweaver"),
        *("judging", "ops", "release", "scidqa"),
    },
    {"scripted_model"},
    {"definitions"},
    {"cli"},
]
"""The rooms of `aimsciqa_assets/`, the ground floor first. A room imports only from floors below its own."""

DECLARING = {"settings": "settings", "form": "items", "commands": "cli"}
"""Modules of a system that count as part of the room that takes up what they declare."""

MAY_IMPORT_DAGSTER = {"orchestration", "cli", "settings", "definitions.py", "assets.py"}
MAY_USE_THE_NETWORK = {
    *("language_model", "openreview", "pmc", "bounded_http.py", "embedding_server.py", "hub.py"),
    "serving",
}
NETWORK = {"aiohttp", "httpx", "httpx2", "http", "openai", "requests", "urllib3"}


@cache
def imported(path: Path) -> set[str]:
    """The dotted names of all modules that a file imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def packages(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imported(path)}


def rooms_imported(path: Path) -> set[str]:
    own = [name.split(".") for name in imported(path) if name.startswith("aimsciqa_assets.")]
    return {room_named(names[1:]) for names in own} & set.union(*FLOORS)


def room_of(path: Path) -> str:
    return room_named(path.relative_to(ASSETS).with_suffix("").parts)


def room_named(names: Sequence[str]) -> str:
    """The room of a module, by its names below `aimsciqa_assets`."""
    declares = names[0] == "findings" and len(names) > 1
    return DECLARING.get(names[1], names[0]) if declares else names[0]


def files_in(*folders: Path) -> list[Path]:
    found = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    assert len(found) > 20
    return found


def test_every_room_has_its_floor_and_the_root_stays_small():
    rooms = {room_of(path) for path in files_in(ASSETS)} - {"__init__"}
    assert rooms == set.union(*FLOORS)
    assert sorted(path.name for path in ASSETS.glob("*.py")) == [
        "__init__.py",
        "definitions.py",
        "scripted_model.py",
    ]


@pytest.mark.parametrize("floor", range(len(FLOORS)))
def test_arrows_run_down_only(floor):
    below = set().union(*FLOORS[:floor])
    upwards = {
        f"{path.relative_to(ASSETS)} imports {room}"
        for path in files_in(ASSETS)
        if room_of(path) in FLOORS[floor]
        for room in rooms_imported(path) - below - {room_of(path)}
    }
    assert upwards == set()


def test_dagster_stays_in_orchestration_the_assets_and_the_command_line():
    offending = [
        path
        for path in files_in(ASSETS)
        if "dagster" in packages(path) and not MAY_IMPORT_DAGSTER & {room_of(path), path.name}
    ]
    assert offending == []


def test_only_the_warehouse_and_the_sandbox_of_untrusted_sql_open_duckdb():
    openers = {path.parent.name for path in files_in(ASSETS, RESOURCES) if "duckdb" in packages(path)}
    assert openers == {"warehouse", "untrusted_sql"}


def test_only_the_services_use_the_network():
    offending = [
        path
        for path in files_in(ASSETS, RESOURCES)
        if NETWORK & packages(path) and not MAY_USE_THE_NETWORK & set(path.parts)
    ]
    assert offending == []


def test_the_light_package_imports_only_what_it_declares_to_need():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    names = {re.split(r"[<>=]", one)[0] for one in declared}
    assert names == {"bm25s", "ir-measures", "numpy", "PyStemmer", "rouge-score", "scipy", "typer"}
    modules = {name.replace("-", "_") for name in names} - {"PyStemmer"} | {"Stemmer"}
    # What only the platform has is imported where it is used, and its absence is told or no matter.
    beside = {("release.py", "pyarrow")}
    foreign = {
        (path.name, package)
        for path in LIGHT.rglob("*.py")
        for package in packages(path) - {"aimsciqa", *modules, *sys.stdlib_module_names}
    }
    assert foreign == beside


@pytest.mark.slow
def test_what_tells_the_status_waits_for_no_dagster():
    asked = "import sys, aimsciqa_assets.cli.summary; sys.exit('dagster' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0


def test_resources_do_not_know_the_assets():
    assert [path for path in files_in(RESOURCES) if "aimsciqa_assets" in packages(path)] == []


def test_no_file_outgrows_its_reader():
    files = files_in(ASSETS, RESOURCES)
    long = {path.name: lines for path in files if (lines := len(path.read_text().splitlines())) > 600}
    assert long == {}
