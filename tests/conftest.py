"""What all tests share: no telemetry, no network, and slow tests that say so."""

import os
import time

import pytest

os.environ["DAGSTER_DISABLE_TELEMETRY"] = "1"
os.environ["HF_HUB_OFFLINE"] = "1"

FAST_SECONDS = 20.0

collect_ignore = ["ui"]  # needs a browser: `make test-ui` names the folder


@pytest.fixture(autouse=True)
def _fast_unless_marked(request: pytest.FixtureRequest):
    """Fail a test that takes long without being marked as slow: slow tests cannot hide among fast ones."""
    start = time.process_time()
    yield
    taken = time.process_time() - start
    if taken > FAST_SECONDS and request.node.get_closest_marker("slow") is None:
        pytest.fail(f"took {taken:.0f} s of CPU time: mark it with @pytest.mark.slow")


@pytest.fixture(autouse=True)
def _own_home(tmp_path, monkeypatch):
    """No test sees the data or the settings of whoever runs it."""
    for name in [name for name in os.environ if name.startswith("AIMSCIQA_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
