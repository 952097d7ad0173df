"""The walls between the layers: who may import what."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAY_IMPORT_DAGSTER = {
    "assets.py",
    "definitions.py",
    "partitions.py",
    "automation.py",
    "asset_builders.py",
    "sql_assets.py",
    "presentation.py",
}


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def packages(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imported(path)}


def test_dagster_stays_in_the_assets_the_builders_and_the_command_line():
    files = [path for path in (ROOT / "aimsciqa_assets").rglob("*.py") if path.parent.name != "cli"]
    assert len(files) > 20
    offending = [
        path for path in files if "dagster" in packages(path) and path.name not in MAY_IMPORT_DAGSTER
    ]
    assert offending == []


def test_only_the_warehouse_opens_duckdb():
    files = [*(ROOT / "aimsciqa_assets").rglob("*.py"), *(ROOT / "resources").rglob("*.py")]
    assert [path.name for path in files if "duckdb" in packages(path)] == ["warehouse.py"]


def test_what_tells_the_status_waits_for_no_dagster():
    asked = "import sys, aimsciqa_assets.cli.summary; sys.exit('dagster' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0


def test_resources_do_not_know_the_assets():
    files = list((ROOT / "resources").rglob("*.py"))
    assert [path for path in files if "aimsciqa_assets" in packages(path)] == []


def test_no_file_outgrows_its_reader():
    files = [*(ROOT / "aimsciqa_assets").rglob("*.py"), *(ROOT / "resources").rglob("*.py")]
    long = {path.name: lines for path in files if (lines := len(path.read_text().splitlines())) > 600}
    assert long == {}
