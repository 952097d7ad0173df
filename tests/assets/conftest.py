"""Homes that are made once for a whole run, and copied by the tests that change them."""

from pathlib import Path

import pytest

from tests.fakes import write_corpus
from tests.small_home import copy_of, make_items
from tests.two_batches import pipeline_at


@pytest.fixture(scope="session")
def items_home(made_once) -> Path:
    """Twelve papers with their items, by the served model `qwen-small`, in one batch."""
    return made_once("items", make_items) / "home"


@pytest.fixture(scope="session")
def finished(made_once) -> Path:
    """Twelve papers in two batches, finished up to the items, by a model of the tests' own."""

    def make(folder: Path) -> None:
        write_corpus(folder / "papers", 12)
        pipeline = pipeline_at(folder / "home")
        pipeline.ingest(folder / "papers")
        assert pipeline.run(evaluate=False) == []

    return made_once("finished", make) / "home"


@pytest.fixture(scope="session")
def evaluated(made_once, finished) -> Path:
    """The same with benchmark, release and report."""

    def make(folder: Path) -> None:
        assert pipeline_at(copy_of(finished, folder / "home")).run() == []

    return made_once("evaluated", make) / "home"


@pytest.fixture
def corpus(tmp_path) -> Path:
    write_corpus(tmp_path / "papers", 12)
    return tmp_path / "papers"
