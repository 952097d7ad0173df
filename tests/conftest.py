"""What all tests share: no telemetry, no network, homes made once for a run, and slow tests that say so."""

import atexit
import os
import shutil
import signal
import sys
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path

import hypothesis
import pytest
from dagster._config.pythonic_config import resource
from filelock import FileLock

from tests.durations import pytest_runtest_makereport

__all__ = ["pytest_runtest_makereport"]

os.environ["DAGSTER_DISABLE_TELEMETRY"] = "1"
os.environ["HF_HUB_OFFLINE"] = "1"
for name in [name for name in os.environ if name.startswith("AIMSCIQA_")]:
    del os.environ[name]  # no test sees the settings of whoever runs it

# What a shell without job control starts with `&` ignores SIGINT, and so does every process that it starts in
# turn. Dagster's code server gives SIGTERM the handler of SIGINT: it would ignore both and never end. Whoever
# runs the tests like that gets the processes that others get.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@atexit.register
def _without_pages_about_leaks() -> None:
    """DuckDB 2.0 prints them about its Python binding, after all else that a test run does."""
    sys.stderr.flush()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


# `make test-quick` tries fewer examples of each property; `make test` tries as many as hypothesis does.
hypothesis.settings.register_profile("quick", max_examples=20)

# Dagster infers the same schema anew for each `Settings`: two thirds of their time, hundreds of times.
_infer = resource.infer_schema_from_config_class


@cache
def _schema_of(model, omitted):
    return _infer(model, fields_to_omit=set(omitted))


def _inferred_once(model, *, fields_to_omit, **more):
    if more:
        return _infer(model, fields_to_omit=fields_to_omit, **more)
    return _schema_of(model, frozenset(fields_to_omit))


resource.infer_schema_from_config_class = _inferred_once

pytest_plugins = ["pytester"]
collect_ignore = ["ui"]  # needs a browser: `make test-ui` names the folder


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name binary values by their argument: gzip writes the time, and all workers must name a test alike."""
    return argname if isinstance(val, bytes) and not val.isascii() else None


_HOMES = count()
MadeOnce = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture(scope="session")
def made_once(tmp_path_factory) -> MadeOnce:
    """Gives a folder of this name, filled by the first test of any worker that asks for it.

    It is for reading. A test that changes something takes a copy.
    """
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def made(name: str, fill: Callable[[Path], object]) -> Path:
        folder = shared / "made-once" / name
        folder.parent.mkdir(exist_ok=True)
        with FileLock(f"{folder}.lock"):
            if not folder.exists():
                filling = folder.with_name(f"{name}-unfinished")
                shutil.rmtree(filling, ignore_errors=True)
                filling.mkdir()
                fill(filling)
                filling.rename(folder)
        return folder

    return made


@pytest.fixture(scope="session")
def _homeless(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("homeless")


@pytest.fixture(autouse=True)
def _own_home(request, _homeless, monkeypatch):
    """No test sees the data of whoever runs it. One without a folder of its own has none made for a home."""
    has_folder = "tmp_path" in request.fixturenames
    home = request.getfixturevalue("tmp_path") / "home" if has_folder else _homeless / f"home-{next(_HOMES)}"
    monkeypatch.setenv("AIMSCIQA_HOME", str(home))
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
