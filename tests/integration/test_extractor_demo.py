"""EXTRACTOR in `make demo-airqa`: examples and trajectories by recorded replies, exported and loaded."""

import shutil
import subprocess
import sys

import pytest

from tests.shell import ROOT, QuickShell

pytestmark = [pytest.mark.slow, pytest.mark.long]
DEMO = ROOT / "examples" / "airqa_demo"


@pytest.fixture(scope="module")
def shell(tmp_path_factory) -> QuickShell:
    """A home with the papers of the demo, after the examples were made."""
    home = tmp_path_factory.mktemp("extractor") / "home"
    home.mkdir()
    for name in ("aimsciqa.toml", "recordings.jsonl"):
        shutil.copy(DEMO / name, home)
    subprocess.run([sys.executable, DEMO / "draw_papers.py", home / "papers"], check=True, timeout=120)
    recorded = {"extractor_model_backend": "recorded", "extractor_model_name": "claude"}
    shell = QuickShell(home, **recorded)
    shell("airqa", "store", str(home / "papers"))
    shell("extractor", "make", "--examples", "12", "--yes")
    return shell


def test_twelve_examples_are_made_of_all_kinds_and_elements(shell):
    found = shell.rows(
        "select kind, status, rejection_reason as why, count(*) as examples from extractor.examples "
        "group by all order by all"
    )
    assert [tuple(row.values()) for row in found] == [
        ("comprehensive", "accepted", None, 3),
        ("multiple", "accepted", None, 3),
        ("retrieval", "accepted", None, 3),
        ("single", "accepted", None, 3),
        ("single", "rejected", "merged", 6),
    ]
    asked = "select distinct element from extractor.examples where element is not null order by element"
    elements = [row["element"] for row in shell.rows(asked)]
    assert elements == ["formula", "image", "sections", "table", "text"]


def test_each_has_a_trajectory_to_its_answer(shell):
    found = shell.rows(
        "select kind, ended, count(*) as trajectories, sum(turns)::int as turns, "
        "sum(wrong_actions)::int as wrong, sum(score)::int as correct, sum(alone_score)::int as alone "
        "from extractor.trajectories where status = 'accepted' group by all order by kind"
    )
    assert [tuple(row.values()) for row in found] == [
        ("comprehensive", "answered", 3, 9, 0, 3, 0),
        ("multiple", "answered", 3, 9, 0, 3, 1),
        ("retrieval", "answered", 3, 6, 0, 3, 0),
        ("single", "answered", 3, 8, 1, 3, 1),
    ]
    unlearnt = shell.rows("select error, observation[:8] as told from extractor.turns where not loss")
    assert unlearnt == [{"error": "sql", "told": "[Error]:"}]


def test_the_export_loads_with_datasets(shell, tmp_path):
    shell("extractor", "export", str(tmp_path / "training"))
    command = [sys.executable, DEMO / "load_training.py", tmp_path / "training"]
    loaded = subprocess.run(command, check=True, timeout=120, capture_output=True, text=True)
    assert loaded.stdout.splitlines() == [
        "sharegpt: 31 rows of id, kind, conversations, system, tools",
        "tool_calls: 31 rows of id, kind, prompt, completion, tools",
    ]
