"""Reading in processes of their own, with readers that crash, hang, and take everything."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from aimsciqa_assets.corpus.rows import file_rows
from aimsciqa_assets.reading import isolation
from aimsciqa_assets.reading.isolation import Limits, UnfitReaderError, read_isolated
from aimsciqa_assets.reading.paper import RejectedFileError
from tests.unit.reading.misbehaving_readers import misbehave

pytestmark = pytest.mark.slow

SHORT = Limits(memory=300 * 2**20, cpu_seconds=0.5, wall_seconds=5.0)


def outcomes(*files: str) -> list[str]:
    """What became of each file: its content, or the reason of its rejection."""
    named = [{"file_id": file} for file in files]
    return [
        reading.reason if isinstance(reading, RejectedFileError) else reading[0]
        for reading in read_isolated(misbehave, named, lambda file_id, _limit: file_id.encode(), SHORT)
    ]


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"  # dead, and nobody asked how


def eventually(condition) -> bool:
    deadline = time.monotonic() + 60
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        ("segfault", "reader_crashed"),
        ("abort", "reader_crashed"),
        ("exit", "reader_crashed"),
        ("raise", "reader_crashed"),
        ("compute", "reader_too_slow"),
        pytest.param("sleep", "reader_too_slow", marks=pytest.mark.slow),
        ("fill", "reader_out_of_memory"),
        ("killed", "reader_out_of_memory"),
        ("starve", "reader_out_of_memory"),
        ("reject", "no_text"),
        ("print", "print"),
    ],
)
def test_a_file_costs_its_own_row_and_no_other(does, reason):
    assert outcomes("a", "b", does, "c", does, "d") == ["a", "b", reason, "c", reason, "d"]


def test_a_parser_out_of_memory_does_not_call_the_file_broken():
    data = b"<article><body>" + b"<sec><title>a</title><p>b</p></sec>" * 200_000 + b"</body></article>"
    file = {"file_id": "a", "file_name": "a.xml", "batch": "b"}
    (reading,) = read_isolated(file_rows, [file], lambda *_: data, Limits(memory=50 * 2**20))
    assert reading.reason == "reader_out_of_memory"


def test_many_files_come_in_their_order():
    names = [str(number) for number in range(200)]
    assert outcomes(*names) == names


def test_no_files_need_no_process():
    assert outcomes() == []


def test_only_a_new_process_gives_a_verdict(monkeypatch):
    monkeypatch.setattr(isolation.os, "cpu_count", lambda: 1)
    assert outcomes("first", "second", "third") == ["first", "second", "third"]


def test_the_detail_says_where_a_reader_of_ours_went_wrong():
    (reading,) = read_isolated(misbehave, [{"file_id": "raise"}], lambda *_: b"raise", SHORT)
    assert reading.detail.startswith("KeyError: 'nothing of the kind' (misbehaving_readers.py:")


def test_what_no_process_can_do_is_no_fault_of_the_file():
    with pytest.raises(UnfitReaderError, match="no library"):
        outcomes("a", "import", "b")


def test_a_process_that_does_not_come_up_is_no_fault_of_the_file(monkeypatch, capfd):
    monkeypatch.setattr(isolation.sys, "executable", "/bin/false")
    with pytest.raises(UnfitReaderError, match="no reading process: it ended with 1"):
        outcomes("a")


def test_files_that_cannot_be_loaded_stop_the_work():
    with pytest.raises(FileNotFoundError):
        list(read_isolated(misbehave, [{"file_id": "a"}], lambda *_: Path("/nowhere").read_bytes()))


def test_nothing_runs_on_when_the_work_is_left(monkeypatch):
    files = ({"file_id": file} for file in ["a", *["sleep"] * 50])
    with closing(read_isolated(misbehave, files, lambda file_id, _limit: file_id.encode())) as readings:
        _, pid = next(readings)
    assert not is_running(pid)


PARENT = """
import sys
from aimsciqa_assets.reading.isolation import Limits, read_isolated
from tests.unit.reading.misbehaving_readers import misbehave
load = lambda file_id, limit: file_id.encode()
files = [{"file_id": name} for name in ["a", "b", "compute", "compute"]]
for reading in read_isolated(misbehave, files, load, Limits(cpu_seconds=1)):
    print(reading[1], flush=True)
"""


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_a_parent_that_is_ended_leaves_no_process(end):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    with parent:
        pids = [int(parent.stdout.readline()) for _ in range(2)]
        assert any(map(is_running, pids))
        parent.send_signal(end)
        parent.wait(timeout=20)
    assert eventually(lambda: not any(map(is_running, pids)))
