"""Statements that want to write, read, escape, last and grow: none of them may."""

import time
from pathlib import Path

import pytest

from tests.hostile_sql import STATEMENTS, HostilePlace

pytestmark = pytest.mark.slow

# Most of the first kind run until they are killed, the others for milliseconds.
_SHORT, _LONG = 0.3, 20.0


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = HostilePlace(tmp_path_factory.mktemp("hostile"))
    yield place
    place.close()


@pytest.mark.parametrize("statement", [pytest.param(one, id=one["id"]) for one in STATEMENTS])
def test_a_hostile_statement_does_nothing_and_ends(place, statement):
    sql = place.filled(statement)
    seconds = _SHORT if statement["kind"] in {"time", "memory", "deep"} else _LONG
    place.query.observe("SELECT 1", max_timeout=60)  # starts a process where the last one was killed
    start = time.monotonic()
    observation = place.run(sql, seconds)
    # The promise of the sandbox, not a measurement of this machine.
    assert time.monotonic() - start < seconds + 1
    if statement["expect"] != "any":
        assert observation.failed == (statement["expect"] == "failed"), observation.text[:500]


def test_the_system_itself_refuses_a_worker_files_and_memory(place):
    place.query.observe("SELECT 1", max_timeout=60)
    (worker,) = [
        Path("/proc", pid)
        for task in Path("/proc/self/task").iterdir()
        for pid in (task / "children").read_text().split()
        if b"untrusted_sql.worker" in Path("/proc", pid, "cmdline").read_bytes()
    ]
    limits = {
        line[:26].strip(): line[26:].split()[1] for line in (worker / "limits").read_text().splitlines()
    }
    assert limits["Max file size"] == "0"
    assert limits["Max address space"] == str(2**30)
    assert int(limits["Max open files"]) == len(list((worker / "fd").iterdir()))  # no number is free
    environment = (worker / "environ").read_bytes().split(b"\0")
    assert {one.partition(b"=")[0] for one in environment} <= {
        *(b"", b"PYTHONPATH", b"HOME", b"MALLOC_ARENA_MAX", b"OPENBLAS_NUM_THREADS", b"LC_CTYPE")
    }


def test_what_a_statement_leaves_in_its_connection_is_gone_for_the_next(place):
    first = place.query.observe("SELECT setseed(0.5), random() AS r").text
    assert place.query.observe("SELECT random() AS r").text != first
