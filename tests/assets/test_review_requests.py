"""What a preview and a sample know of reviews: pairs, their edits, evidence, and answers by segments."""

import dagster as dg
import pytest
from aimsciqa_resources.language_model.opening import LanguageModels
from rich.console import Console

from aimsciqa_assets.cli.foretelling import foretold
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.cli.sampling import draw, why_none
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.stand_in import StandInModel
from tests.fakes import WordEncoder
from tests.shell import ROOT

pytestmark = pytest.mark.slow
DEMO = ROOT / "examples" / "scidqa_demo"
RECORDED = {
    "AIMSCIQA_SCIDQA_EXTRACTION": "true",
    "AIMSCIQA_SCIDQA_MODEL_BACKEND": "recorded",
    "AIMSCIQA_SCIDQA_MODEL_NAME": "claude",
}


def pipeline_at(folder, **settings) -> Pipeline:
    """A home with reviews alone, whose recordings are those of the demo."""
    home = Home(folder)
    models = LanguageModels(home.journal, StandInModel, DEMO / "recordings.jsonl")
    chosen = Settings.preset_of("demo", {"AIMSCIQA_CORPUS_SINGLE_HOP": "false"} | settings)
    resources = build_resources(home, chosen, encoder=WordEncoder(), language_models=models)
    return Pipeline(home, resources, dg.DagsterInstance.ephemeral(), Console(quiet=True))


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """The threads of the demo, whose discussions were found."""
    folder = tmp_path_factory.mktemp("reviews") / "home"
    pipeline = pipeline_at(folder)
    pipeline.import_notes(DEMO / "threads.jsonl")
    assert pipeline.run() == []
    return folder


def drawn_from(pipeline, by="jane", most=100, **wanted):
    prompts = ["scidqa_extraction", "scidqa_editing", "scidqa_evidence"]
    journal = pipeline.home.journal
    found = draw(pipeline.resources, pipeline.batches(), prompts, by=by, most=most, seed=1, journal=journal)
    return {name: len(requests) for name, requests in found.items()}


def test_a_preview_tells_the_requests_for_pairs_and_at_most_how_many_follow(home):
    jane = RECORDED | {"AIMSCIQA_SCIDQA_MODEL_NAME": "jane"}
    asked, later = foretold(pipeline_at(home, **jane), 0, evaluate=False)
    assert {one.task: (one.requests, one.known) for one in asked} == {"scidqa_extraction": (6, 0)}
    assert {one.task: one.to_send for one in later} == {"scidqa_editing": 6}


def test_where_extraction_is_off_a_sample_says_how_to_turn_it_on(home):
    pipeline = pipeline_at(home)
    assert drawn_from(pipeline) == {}
    assert "AIMSCIQA_SCIDQA_EXTRACTION=true turns it on" in why_none("scidqa_editing", pipeline.settings)


def test_a_sample_has_the_requests_for_pairs_and_for_edits_once_these_were_found(home, tmp_path):
    pipeline = pipeline_at(home, **RECORDED)
    assert drawn_from(pipeline) == {"scidqa_extraction": 6}
    assert "follows replies to earlier prompts" in why_none("scidqa_editing", pipeline.settings)
    assert drawn_from(pipeline, most=2) == {"scidqa_extraction": 2}
    assert pipeline.run() == []
    assert drawn_from(pipeline) == {"scidqa_extraction": 6, "scidqa_editing": 6}
