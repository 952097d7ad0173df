"""How long a test may take before it must say so: unmarked, `slow`, or `nightly`.

The clock on the wall counts, so that a test that waits for processes cannot pass for a quick one. A limit is
several times what the slowest test takes on a quiet machine, and grows with the load of a busy one.
"""

import os

import pytest

UNMARKED_SECONDS = 12.0
SLOW_SECONDS = 120.0

OWN_TARGETS = ("cluster", "lake", "shared", "ui", "vllm")
"""Folders of tests with targets of their own: servers, a browser and a model take the time they take."""

_taken = pytest.StashKey[float]()


def complaint(seconds: float, markers: set[str], busy: float) -> str | None:
    """What is wrong with the time of a test, where `busy` is the number of processes that share a core."""
    patience = max(1.0, busy)
    if "nightly" in markers:
        return None
    if "slow" in markers:
        if seconds <= SLOW_SECONDS * patience:
            return None
        return f"took {seconds:.0f} s: make it cheaper, or mark it with @pytest.mark.nightly"
    if seconds <= UNMARKED_SECONDS * patience:
        return None
    return f"took {seconds:.0f} s: make it cheaper, or mark it with @pytest.mark.slow"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    """Fail a test that took too long for its markers, its own fixtures included."""
    report = yield
    item.stash[_taken] = item.stash.get(_taken, 0.0) + call.duration
    if report.when == "call" and report.passed and item.path.parent.name not in OWN_TARGETS:
        markers = {marker.name for marker in item.iter_markers()}
        found = complaint(item.stash[_taken], markers, os.getloadavg()[0] / len(os.sched_getaffinity(0)))
        if found:
            report.outcome = "failed"
            report.longrepr = f"{item.nodeid} {found}"
    return report
