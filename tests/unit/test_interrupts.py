"""Processes that tests start can be interrupted, also where the tests run in the background of a script."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHILD = """
import signal, subprocess, sys, tests.conftest
child = "import signal; print(signal.getsignal(signal.SIGINT) == signal.default_int_handler)"
subprocess.run([sys.executable, "-c", child], check=True)
"""


@pytest.mark.slow
def test_a_process_of_a_test_does_not_ignore_what_ends_it():
    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
