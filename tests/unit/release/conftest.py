import shutil
from pathlib import Path

import pytest

from aimsciqa_assets.release.layout import releases_in
from aimsciqa_assets.release.writing import write_release
from tests.release_corpus import Corpus
from tests.report_warehouse import full_warehouse, page_of


@pytest.fixture(scope="session")
def written(tmp_path_factory) -> Path:
    """A home with a release of three items."""
    home = tmp_path_factory.mktemp("written")
    warehouse, settings = Corpus().write(home)
    write_release(warehouse, settings, releases_in(home) / settings.release.name)
    return home


@pytest.fixture
def release(written, tmp_path) -> Path:
    """A release of three items, beside its warehouse, for a test to change."""
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    return releases_in(tmp_path) / "aimsciqa-release"


@pytest.fixture(scope="module")
def page() -> str:
    with full_warehouse() as connection:
        return page_of(connection)
