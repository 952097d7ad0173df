"""`make demo-scidqa`: questions of reviews by recorded replies, and the versions that answer them."""

import shutil
import subprocess
import sys

import pytest

from tests.shell import ROOT, QuickShell

pytestmark = [pytest.mark.slow, pytest.mark.long]
DEMO = ROOT / "examples" / "scidqa_demo"


@pytest.fixture(scope="module")
def shell(tmp_path_factory) -> QuickShell:
    """The home after the commands of the target, in their order."""
    home = tmp_path_factory.mktemp("scidqa") / "home"
    home.mkdir()
    for name in ("aimsciqa.toml", "recordings.jsonl"):
        shutil.copy(DEMO / name, home)
    subprocess.run([sys.executable, DEMO / "make_versions.py", home / "papers"], check=True, timeout=120)
    shell = QuickShell(home)
    shell("reviews", "import", str(DEMO / "threads.jsonl"))
    shell("reviews", "papers", str(home / "papers"))
    shell("run", "--only-items", "--quiet")
    return shell


def test_all_notes_are_read_and_every_reply_is_recorded(shell):
    notes = "select status, count(*) as notes from scidqa.notes group by all"
    assert shell.rows(notes) == [{"status": "accepted", "notes": 20}]
    calls = "select table_name as made, outcome, count(*) as calls from ops.llm_calls group by all order by all"
    assert [tuple(row.values()) for row in shell.rows(calls)] == [
        ("scidqa.answerability", "ok", 16),
        ("scidqa.extractions", "ok", 6),
        ("scidqa.qa_pairs", "ok", 6),
    ]


def test_ten_questions_are_accepted(shell):
    found = shell.rows(
        "select status, rejection_reason as why, version, count(*) as pairs, "
        "count(*) filter (where multi_document)::int as several from scidqa.qa_pairs "
        "group by all order by all"
    )
    assert [tuple(row.values()) for row in found] == [
        ("accepted", None, "initial", 7, 1),
        ("accepted", None, "revised", 3, 0),
        ("rejected", "irrelevant", "initial", 1, 0),
    ]


def test_two_are_answered_by_the_final_version_alone(shell):
    found = shell.rows((DEMO / "questions.sql").read_text().partition("\n")[2])
    verdicts = [(row["from_initial"], row["from_final"], row["version"]) for row in found]
    assert sorted(verdicts) == [
        *[("answerable", "answerable", "initial")] * 7,
        ("partly", "answerable", "revised"),
        *[("unanswerable", "answerable", "revised")] * 2,
    ]
    gained = "select forum_id from scidqa.contrasts where contrast = 'gained' order by forum_id"
    assert [row["forum_id"] for row in shell.rows(gained)] == ["DemoTracker", "DemoWeeklyVitD"]


def test_every_quote_stands_in_its_manuscript(shell):
    quotes = "select rejection_reason as why, count(*) as quotes from scidqa.evidence group by all"
    assert shell.rows(quotes) == [{"why": None, "quotes": 25}]
    equal = "select forum_id from scidqa.manuscripts where same_as_initial order by forum_id"
    assert [row["forum_id"] for row in shell.rows(equal)] == ["DemoInulin", "DemoZinc"]
