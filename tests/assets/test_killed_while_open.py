"""A run keeps the warehouse open from step to step: killed before it was closed, it loses no step."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.two_batches import content, pipeline_at

pytestmark = [pytest.mark.slow, pytest.mark.long]

KILLED_BEHIND_THE_LAST_STEP = """
import os, signal, sys
from pathlib import Path
from aimsciqa_resources.warehouse import kept_open
from aimsciqa_assets.platform.home import Home
from tests.two_batches import pipeline_at

home, papers = map(Path, sys.argv[1:])
pipeline = pipeline_at(home)
pipeline.ingest(papers)
kept_open._IDLE_SECONDS = 1000
Home.publish_snapshot = lambda self: os.kill(os.getpid(), signal.SIGKILL)
pipeline.run(evaluate=False)
"""


def test_all_tables_are_there_behind_a_kill(tmp_path, corpus, finished):
    home = tmp_path / "home"
    killed = subprocess.run([sys.executable, "-c", KILLED_BEHIND_THE_LAST_STEP, home, corpus], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert Path(f"{home / 'warehouse.duckdb'}.wal").stat().st_size > 100_000
    assert content(pipeline_at(home)) == content(pipeline_at(finished))
    assert pipeline_at(home).run(evaluate=False) == []
