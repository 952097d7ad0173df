"""Feedback, training and the ablation through the tables, with a model of the tests' own."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from aimsciqa_assets.cli.commands import app
from tests.assets.test_hopweaver import made_at, rows
from tests.hop_model import HopModel
from tests.tiny_cross_encoder import write_cross_encoder

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reranker")
    texts = ["Zinc in cohort of the test corpus", "mean zinc intake and growth", "Group rose by percent"]
    base = write_cross_encoder(folder / "base", texts)
    settings = {
        "HOPWEAVER_TOP_K": "4",
        "HOPWEAVER_ABLATION": "standard diverse diverse_zs diverse_ft",
        "HOPWEAVER_ABLATION_DOCUMENTS": "5",
        "RERANKER_TRAINING_BASE": str(base),
        "RERANKER_TRAINING_RECIPE": "readme",
        "RERANKER_TRAINING_LEARNING_RATE": "0.001",
        "RERANKER_TRAINING_EPOCHS": "2",
        "RERANKER_TRAINING_BATCH": "1",
        "RERANKER_TRAINING_GROUP_SIZE": "3",
        "RERANKER_TRAINING_HELD_OUT": "0.4",
    }
    model = HopModel()
    return made_at(folder, model, **settings), model, folder, settings


def test_feedback_ends_with_a_candidate_that_serves_and_one_that_does_not(made):
    pipeline, *_ = made
    labels = "select attempt_id, list(label order by position) as labels from hopweaver.feedback group by 1"
    found = [labels for _, labels in rows(pipeline, labels)]
    assert len(found) == 11
    both = [labels for labels in found if {"positive", "negative"} == set(labels)]
    assert len(both) >= 5
    assert all(len(labels) == 4 for labels in found if labels not in both)
    assert all(labels[-1] not in labels[:-1] for labels in both)


def test_a_reranker_is_trained_and_compared_with_its_base_on_held_out_queries(made):
    pipeline, *_ = made
    ((folder, recipe, queries, held_out),) = rows(
        pipeline, "select folder, recipe, queries, held_out_queries from hopweaver.rerankers"
    )
    chosen = json.loads(recipe)
    assert (chosen["learning_rate"], chosen["epochs"], chosen["batch"], chosen["group_size"]) == (
        0.001,
        2,
        1,
        3,
    )
    assert (Path(folder) / "model.safetensors").exists()
    assert not (Path(folder) / "checkpoints").exists()
    assert queries > 0 < held_out
    assert rows(pipeline, "select count(*) from hopweaver.reranker_ranks") == [(held_out,)]
    ((steps, epochs),) = rows(pipeline, "select count(*), max(epoch) from hopweaver.reranker_curve")
    assert (steps, epochs) == (2 * queries, 2.0)


def test_the_ablation_has_every_way_from_the_same_sources(made):
    pipeline, *_ = made
    ways = (
        "select arm, count(*), bool_and(documents_tried <= 4) from hopweaver.ablation group by 1 order by 1"
    )
    assert rows(pipeline, ways) == [
        ("diverse", 5, True),
        ("diverse_ft", 5, True),
        ("diverse_zs", 5, True),
        ("standard", 5, True),
    ]
    assert rows(pipeline, "select count(distinct paper_id) from hopweaver.ablation") == [(5,)]


def test_the_command_prints_the_ways_beside_the_paper(made, monkeypatch):
    _, _, folder, _ = made
    monkeypatch.setenv("AIMSCIQA_HOME", str(folder / "home"))
    said = CliRunner().invoke(app, ["hopweaver", "ablation"])
    assert said.exit_code == 0, said.output
    assert [line.split()[:2] for line in said.output.splitlines()[1:]] == [
        ["standard", "5"],
        ["diverse", "5"],
        ["diverse_zs", "5"],
        ["diverse_ft", "5"],
    ]
    assert "0.753" in said.output


def test_nothing_is_asked_or_trained_again_until_the_model_is_gone(made):
    pipeline, model, folder, settings = made
    asked = len(model.asked)
    made_at(folder, model, **settings)
    assert len(model.asked) == asked
    ((trained,),) = rows(pipeline, "select folder from hopweaver.rerankers")
    weights = Path(trained) / "model.safetensors"
    before = weights.read_bytes()
    Path(trained).rename(folder / "moved")
    made_at(folder, model, **settings)
    assert weights.read_bytes() == before
