from pathlib import Path

import pytest

from tests.evaluated_corpus import write_evaluated_release


@pytest.fixture(scope="session")
def evaluated_release(made_once) -> Path:
    """A release of four items with baselines; for reading."""
    return made_once("evaluated-release", write_evaluated_release) / "release"
