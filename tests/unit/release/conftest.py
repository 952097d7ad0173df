import pytest

from aimsciqa_assets.release.layout import releases_in
from aimsciqa_assets.release.writing import write_release
from tests.release_corpus import Corpus


@pytest.fixture
def release(tmp_path):
    """A release of three items."""
    warehouse, settings = Corpus().write(tmp_path)
    folder = releases_in(tmp_path) / settings.release.name
    write_release(warehouse, settings, folder)
    return folder
