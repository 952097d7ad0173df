import os

import pytest
from aimsciqa_resources.cores import threads_of_process


@pytest.mark.parametrize(
    ("share", "threads"), [("3", 3), ("2,1", 2), ("0", None), ("many", None), ("", None)]
)
def test_a_process_takes_its_share_of_the_cores(monkeypatch, share, threads):
    monkeypatch.setenv("OMP_NUM_THREADS", share)
    assert threads_of_process() == (threads or len(os.sched_getaffinity(0)))
