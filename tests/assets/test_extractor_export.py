"""Trajectories that EXTRACTOR made, exported: what LLaMA-Factory and TRL find there."""

import json

import pytest

from aimsciqa_assets.airqa.agent.telling import observed
from aimsciqa_assets.airqa.extractor.exporting import export
from aimsciqa_assets.airqa.extractor.reading import Choice
from aimsciqa_assets.airqa.extractor.windows import Cut
from tests import llama_factory
from tests.extractor_home import make, resources_at
from tests.extractor_model import ScriptedModel
from tests.model_server import ModelServer
from tests.paper_stores import rows

pytestmark = pytest.mark.slow


def test_an_export_has_a_sample_for_each_turn_that_loss_is_taken_on(tmp_path):
    with ModelServer(answer=ScriptedModel()) as server:
        resources = resources_at(tmp_path, server.url, examples=4)
        make(resources)
    (tmp_path / "out").mkdir()
    export(resources["warehouse"], tmp_path / "out", Cut(), Choice())
    samples = llama_factory.read(tmp_path / "out", "extractor")
    turns = (
        "select system, task, said, observation, loss from extractor.turns "
        "join extractor.trajectories using (example_id) order by example_id, turn"
    )
    found = rows(resources, turns)
    assert len(samples) == sum(loss for *_, loss in found) > 0
    learnt = [(one["system"], one["prompt"][0]["content"], one["response"][0]["content"]) for one in samples]
    assert learnt == [(system, task, said) for system, task, said, _, loss in found if loss]
    told = {message["content"] for one in samples for message in one["prompt"][2::2]}
    assert told <= {observed(observation or "") for *_, observation, _ in found}
    calls = (tmp_path / "out" / "tool_calls.jsonl").read_text(encoding="utf-8").splitlines()
    names = {json.loads(line)["completion"][0]["tool_calls"][0]["function"]["name"] for line in calls}
    assert "Answer" in names
