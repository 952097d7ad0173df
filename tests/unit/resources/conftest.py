"""Fixtures of tests of models and servers."""

import pytest
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.settings import ModelSettings


@pytest.fixture
def journal_place(tmp_path):
    """Where no journal is yet."""
    return tmp_path / "deep" / "journal.sqlite"


@pytest.fixture
def model_of(tmp_path):
    """Opens models that share one journal."""

    def open_model(server, **settings):
        values = {
            "backend": "server",
            "name": "m",
            "base_url": server.url,
            "in_flight": 8,
            "most_in_flight": 8,
        }
        return LanguageModels(tmp_path / "journal.sqlite").open(ModelSettings(**values | settings))

    return open_model
