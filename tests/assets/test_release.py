"""The release as assets: made once, and again when somebody touched the folder."""

import shutil

import dagster as dg
import pytest
from aimsciqa_resources.language_model.opening import OneModel

from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.release import assets
from aimsciqa_assets.release.layout import releases_in
from aimsciqa_assets.release.verifying import verify
from tests.fakes import SentenceModel, WordEncoder
from tests.release_corpus import Corpus

pytestmark = pytest.mark.slow


@pytest.fixture
def materialize(tmp_path):
    """Materializes the release of a small warehouse; tells whether the folder was written."""
    _, settings = Corpus().write(tmp_path)
    resources = build_resources(
        Home(tmp_path), settings, language_models=OneModel(SentenceModel()), encoder=WordEncoder()
    )

    def run() -> bool:
        result = dg.materialize([assets.items, assets.files], resources=resources)
        assert all(check.passed for check in result.get_asset_check_evaluations())
        (made,) = result.asset_materializations_for_node("files")
        return "unchanged" not in made.metadata

    return run


def test_the_folder_is_written_once_and_again_when_it_was_touched(tmp_path, materialize):
    folder = releases_in(tmp_path) / "aimsciqa-release"
    assert materialize()
    assert verify(folder).problems == ()
    assert not materialize()
    (folder / "data/multi_hop/dev.jsonl").write_text("{}\n")
    assert materialize()
    shutil.rmtree(folder)
    assert materialize()
    assert verify(folder).problems == ()
    assert not materialize()
