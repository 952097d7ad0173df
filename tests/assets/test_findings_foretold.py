"""What Findings would ask, and requests drawn of its prompts, before and after replies."""

from pathlib import Path

import pytest
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.recordings import Recording, key_of_request

from aimsciqa_assets.asking.prompts import prompt_names
from aimsciqa_assets.cli.foretelling import foretold
from aimsciqa_assets.cli.forgetting import forget_from
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.cli.sampling import draw
from tests.findings_model import FindingsModel, write_field_papers
from tests.findings_pipeline import ON
from tests.small_home import copy_of
from tests.some_steps import run_some
from tests.two_batches import pipeline_at

pytestmark = pytest.mark.slow

RECORDED = ON | {"AIMSCIQA_MODEL_BACKEND": "recorded", "AIMSCIQA_MODEL_NAME": "ann"}
PROMPTS = [name for name in prompt_names() if name.startswith("findings_")]


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """Four papers with questions, and all replies recorded."""
    folder = tmp_path_factory.mktemp("findings")
    model = FindingsModel()
    pipeline = pipeline_at(folder / "home", model=model, environment=ON)
    write_field_papers(folder / "papers", 4)
    pipeline.ingest(folder / "papers")
    assert run_some(pipeline, "findings.splits", "findings.relabellings") == []
    asked = list(model.asked)
    replies = [(request, *FindingsModel().replies([request])) for request in asked]
    LanguageModels(pipeline.home.journal).recordings().add(
        [
            Recording(key_of_request(request), request.task, "ann", "2026-01-01T00:00:00Z", reply.text)
            for request, reply in replies
        ]
    )
    return pipeline.home.folder


def recorded_at(folder: Path, **environment: str) -> Pipeline:
    pipeline = pipeline_at(folder, environment=RECORDED | environment)
    models = LanguageModels(pipeline.home.journal)
    return Pipeline(
        pipeline.home,
        pipeline.resources | {"language_models": models},
        pipeline.instance,
        pipeline.console,
    )


def test_before_any_reply_later_requests_are_estimated_by_the_number_of_papers(home, tmp_path):
    pipeline = recorded_at(copy_of(home, tmp_path / "home"), AIMSCIQA_MODEL_NAME="bob")
    forget_from(pipeline.warehouse, "findings")
    now, later = foretold(pipeline, 0, evaluate=True)
    assert {asked.task: asked.to_send for asked in now} == {"findings_reading": 4}
    told = {asked.task: asked for asked in later}
    assert {name: told[name].to_send for name in told if name.startswith("findings_")} == {
        "findings_vocabulary": 4,
        "findings_drafting": 8,
        "findings_challenge": 12,
        "findings_strict_reading": 24,
        "findings_relabelling": 8,
    }
    # At least the text of the prompt and a hundred findings.
    assert told["findings_drafting"].prompt_tokens > 8 * 5000
    # Two items of each paper, with the documents at hand, without any, and each of two alone.
    assert told["answering"].to_send > 12


def test_requests_of_a_run_with_recorded_replies_are_known_step_by_step(home, tmp_path):
    pipeline = recorded_at(copy_of(home, tmp_path / "home"))
    for table, tasks in (
        ("findings.findings", {"findings_reading": 4}),
        ("findings.groups", {"findings_vocabulary": 1}),
        ("findings.drafts", {"findings_drafting": 5}),
        ("findings.splits", {"findings_challenge": 9, "findings_strict_reading": 18}),
        ("findings.relabellings", {"findings_relabelling": 9}),
    ):
        now, _ = foretold(pipeline, 0, evaluate=False)
        assert {asked.task: asked.requests for asked in now} == tasks
        assert {asked.to_send for asked in now} == {0}
        assert run_some(pipeline, table) == []
    assert foretold(pipeline, 0, evaluate=False)[0] == []


def test_every_prompt_of_findings_is_drawn(home):
    pipeline = recorded_at(home)
    found = draw(
        pipeline.resources,
        pipeline.batches(),
        PROMPTS,
        by="ann",
        most=2,
        seed=1,
        journal=pipeline.home.journal,
    )
    assert {name: len(requests) for name, requests in found.items()} == {
        name: 1 if name == "findings_vocabulary" else 2 for name in PROMPTS
    }
