"""Broken, hostile and monstrous files: each becomes a paper or a rejected row.

`make test` takes a sixth of those that `make fuzz` takes: 12,000, some ten minutes.

`python -m tests.fuzz` holds the checks: exactly one row for each file, every row as the tables declare it, no
error of our own, no file over 10 seconds, no process over a gigabyte. It runs apart, so that the memory of
other tests does not count. What it prints names the seeds that went wrong, and how to repeat one.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "all_files", "fewest_papers"), [("jats", 10_000, 0.4), ("pdf", 2000, 0.25)])
def test_each_is_a_paper_or_a_rejected_row(kind, all_files, fewest_papers, capsys):
    count = all_files if "FUZZ_ALL" in os.environ else all_files // 6
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
