"""`make demo-scidqa`: questions of reviews by recorded replies, and answers in four settings."""

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
    shell("run", "--quiet")
    return shell


def query(name: str) -> str:
    """A query of the demo, without the comment before it, which a shell would take for an option."""
    lines = (DEMO / name).read_text().splitlines()
    return "\n".join(line for line in lines if not line.startswith("--"))


def test_all_notes_are_read_and_every_reply_is_recorded(shell):
    notes = "select status, count(*) as notes from scidqa.notes group by all"
    assert shell.rows(notes) == [{"status": "accepted", "notes": 20}]
    calls = "select table_name, outcome, count(*) as calls from ops.llm_calls group by all order by all"
    assert [tuple(row.values()) for row in shell.rows(calls)] == [
        ("benchmark.answers", "ok", 40),
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
    found = shell.rows(query("questions.sql"))
    verdicts = [(row["from_initial"], row["from_final"], row["version"]) for row in found]
    assert sorted(verdicts) == [
        *[("answerable", "answerable", "initial")] * 7,
        ("partly", "answerable", "revised"),
        *[("unanswerable", "answerable", "revised")] * 2,
    ]
    gained = "select forum_id from scidqa.contrasts where contrast = 'gained' order by forum_id"
    assert [row["forum_id"] for row in shell.rows(gained)] == ["DemoTracker", "DemoWeeklyVitD"]


def test_all_ten_are_released(shell):
    released = "select split, count(*) as items from release.items where released group by all order by all"
    assert shell.rows(released) == [{"split": "dev", "items": 7}, {"split": "test", "items": 3}]
    assert "7 scidqa (dev), 3 scidqa (test)" in shell("release", "verify")


def test_every_quote_stands_in_its_manuscript(shell):
    quotes = "select rejection_reason as why, count(*) as quotes from scidqa.evidence group by all"
    assert shell.rows(quotes) == [{"why": None, "quotes": 25}]
    equal = "select forum_id from scidqa.manuscripts where same_as_initial order by forum_id"
    assert [row["forum_id"] for row in shell.rows(equal)] == ["DemoInulin", "DemoZinc"]


def test_the_more_a_model_reads_the_nearer_it_comes_to_the_authors(shell):
    found = shell.rows(query("scores.sql"))
    assert [(row["setting"], row["answers"], round(row["lexical_judge"], 2)) for row in found] == [
        ("title_abstract", 10, 0.0),
        ("closed_book", 10, 0.0),
        ("passages", 10, 0.55),
        ("full_text", 10, 0.95),
    ]
    assert [round(row["rouge_l"], 2) for row in found] == [0.11, 0.15, 0.60, 0.83]
    by_display = next(row for row in shell.rows(query("questions.sql")) if "display" in row["question"])
    assert by_display["closed_book"].startswith("People who look")
    assert by_display["title_abstract"] == "declined"
    assert by_display["passages"].endswith("the passages do not report the result.")
    assert "0.61 percentage points" in by_display["full_text"]
