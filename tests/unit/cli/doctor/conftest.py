"""A healthy home for each test."""

import pytest

from aimsciqa_assets.cli.doctor import installed
from aimsciqa_assets.platform.home import Home
from tests.doctor_home import make_home
from tests.small_home import copy_of


@pytest.fixture
def home(made_once, tmp_path, monkeypatch) -> Home:
    """A healthy home of one's own."""
    made = copy_of(made_once("doctor-home", make_home) / "home", tmp_path / "home")
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    # A test machine may have other packages than constraints.txt names.
    monkeypatch.setattr(installed, "_not_as_tested", list)
    return Home(made)
