"""`make demo-airqa`: PDFs are drawn and read, and the recorded agent answers every example."""

import json
import shutil
import subprocess
import sys

import pytest

from tests.shell import ROOT, QuickShell

pytestmark = [pytest.mark.slow, pytest.mark.long]
DEMO = ROOT / "examples" / "airqa_demo"


@pytest.fixture(scope="module")
def shell(tmp_path_factory) -> QuickShell:
    """The home after the commands of the target, in their order."""
    home = tmp_path_factory.mktemp("airqa") / "home"
    home.mkdir()
    for name in ("aimsciqa.toml", "recordings.jsonl"):
        shutil.copy(DEMO / name, home)
    subprocess.run([sys.executable, DEMO / "draw_papers.py", home / "papers"], check=True, timeout=120)
    shell = QuickShell(home)
    shell("airqa", "store", str(home / "papers"))
    shell("airqa", "examples", str(DEMO / "examples.jsonl"))
    shell("airqa", "run", "--baseline", "full_text", "--baseline", "rag")
    recorded = {"airqa_model_backend": "recorded", "airqa_model_name": "claude"}
    QuickShell(home, **recorded)("airqa", "run", "--baseline", "agentic_hybrid")
    return shell


def test_every_paper_is_in_the_store_with_its_parts(shell):
    query = "select source, pages, tables, images, count(*) as papers from airqa.papers group by all"
    assert shell.rows(query) == [{"source": "pdf", "pages": 2, "tables": 1, "images": 1, "papers": 12}]


def test_every_reply_of_the_agent_is_recorded(shell):
    assert shell.rows(
        "select status, count(*) as answers, sum(turns)::int as turns from airqa.answers "
        "where run_id like 'agentic%' group by all"
    ) == [{"status": "answered", "answers": 24, "turns": 57}]


def test_the_table_tells_the_baselines_apart(shell):
    scores = json.loads(shell("airqa", "scores", "--json"))["scores"]
    total = {row["run_id"].partition("-")[0]: row["correct"] for row in scores if row["tag"] == "total"}
    assert total == {"agentic_hybrid": 24, "full_text": 1, "rag": 1}
