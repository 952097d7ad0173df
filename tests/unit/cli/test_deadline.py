"""Work that may last too long: its result, its error, or the end of the command."""

import os
import subprocess
import sys
from threading import Event

import pytest

from aimsciqa_assets.cli.deadline import LateError, within


def test_work_in_time_gives_its_result_or_raises_its_error():
    assert within(60, lambda: "rows") == "rows"
    with pytest.raises(ZeroDivisionError):
        within(60, lambda: 1 // 0)


def test_late_work_is_left_alone():
    never = Event()
    with pytest.raises(LateError, match=r"0\.01 seconds were not enough; give it more with --seconds"):
        within(0.01, never.wait)
    never.set()


@pytest.mark.slow
def test_a_command_ends_although_its_query_cannot_be_interrupted(tmp_path):
    # One block of rows, in which DuckDB looks for no interruption: a minute without the deadline.
    query = "select list_sum(list_transform(range(30000000), lambda x: sin(x) * cos(x)))"
    made = "import duckdb, sys; duckdb.connect(sys.argv[1])"
    subprocess.run([sys.executable, "-c", made, tmp_path / "warehouse.duckdb"], check=True)
    command = "import sys; from aimsciqa_assets.cli import main; sys.argv[0] = 'aimsciqa'; main()"
    ended = subprocess.run(
        [sys.executable, "-c", command, "sql", query, "--seconds", "0.2"],
        env={**os.environ, "AIMSCIQA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ended.returncode == 1
    assert "0.2 seconds were not enough" in ended.stderr
