"""Broken, hostile and monstrous files: each becomes a paper or a rejected row.

`make test` takes a few hundred, `make fuzz` and `make test-nightly` take 10,800: some half an hour.

`python -m tests.fuzz` holds the checks: exactly one row for each file, every row as the tables declare it, no
error of our own, no file over 10 seconds, no process over a gigabyte. It runs apart, so that the memory of
other tests does not count. What it prints names the seeds that went wrong, and how to repeat one.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ALL_FILES = {"jats": 10_000, "pdf": 800}


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "fewest_papers"), [("jats", 0.4), ("pdf", 0.25)])
@pytest.mark.parametrize("share", [0.04, pytest.param(1.0, marks=pytest.mark.nightly)])
def test_each_is_a_paper_or_a_rejected_row(kind, fewest_papers, share, capsys):
    count = int(share * ALL_FILES[kind])
    run = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", kind, "0", str(count)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-5000:] + run.stderr[-5000:]
    summary = json.loads(run.stdout.splitlines()[-1])
    with capsys.disabled():
        sys.stdout.write(f"\n{count} mutated {kind} files: {summary}\n")
    outcomes = summary["outcomes"]
    assert sum(outcomes.values()) == count
    # The mutations must leave something to read, or they test nothing; and only monsters take too long.
    assert outcomes["paper"] > fewest_papers * count
    assert outcomes.get("reader_too_slow", 0) < count / 100
