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
from aimsciqa_assets.scripted_model import ScriptedModel
from aimsciqa_assets.settings import Settings
from tests.fakes import WordEncoder
from tests.review_questions import MANUSCRIPTS, review_questions
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
    models = LanguageModels(home.journal, ScriptedModel, DEMO / "recordings.jsonl")
    chosen = Settings.preset_of("demo", {"AIMSCIQA_SYSTEMS": ""} | settings)
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


@pytest.fixture
def long_manuscripts(tmp_path, monkeypatch):
    """Two questions about a manuscript of several segments, which rules find answers in."""
    for paper, (title, abstract, texts) in list(MANUSCRIPTS.items()):
        filled = [
            f"{text} {f'The seeds of {number} runs took a day. ' * 60}" for number, text in enumerate(texts)
        ]
        monkeypatch.setitem(MANUSCRIPTS, paper, (title, abstract, filled))
    return review_questions(tmp_path / "home", benchmark_context_tokens=1000, systems="")


def test_choices_among_answers_to_segments_are_drawn_although_another_setting_is_on(
    long_manuscripts, tmp_path
):
    journal = Home(tmp_path / "home").journal
    found = draw(long_manuscripts, [], ["answer_selection"], by="jane", most=9, seed=1, journal=journal)
    questions = {one.variables["question"] for one in found["answer_selection"]}
    # The rules have several answers to one of them.
    assert questions == {"How many seeds?"}
    assert all(len(one.variables["answers"]) > 1 for one in found["answer_selection"])
    assert long_manuscripts["warehouse"].read("from benchmark.answers").is_empty()


def test_where_all_papers_fit_into_the_context_nothing_is_to_be_chosen(tmp_path):
    resources = review_questions(tmp_path / "home", systems="")
    journal = Home(tmp_path / "home").journal
    assert draw(resources, [], ["answer_selection"], by="jane", most=9, seed=1, journal=journal) == {}
    assert "AIMSCIQA_BENCHMARK_CONTEXT_TOKENS" in why_none("answer_selection", resources["settings"])
