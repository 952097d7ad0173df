"""What a run would ask, foretold without asking or writing."""

from pathlib import Path

import pytest

from aimsciqa_assets.cli.foretelling import Asked, foretold
from aimsciqa_assets.cli.forgetting import forget_from
from aimsciqa_assets.cli.pipeline import Pipeline
from tests.fakes import write_corpus
from tests.small_home import copy_of, pipeline_at

pytestmark = pytest.mark.slow


@pytest.fixture
def home(items_home, tmp_path) -> Path:
    """A home with the items of twelve papers, and the replies to all that was asked."""
    return copy_of(items_home, tmp_path / "home")


def told(pipeline: Pipeline, shown: int = 0) -> dict[str, tuple[int, int]]:
    """Requests and known replies by task; models of the items only."""
    return {one.task: (one.requests, one.known) for one in foretold(pipeline, shown, evaluate=False)}


def paragraphs(pipeline: Pipeline) -> int:
    return pipeline.warehouse.read("select count(*) as n from corpus.paragraphs")["n"][0]


def test_where_everything_is_made_nobody_is_asked(home):
    assert told(pipeline_at(home)) == {}


def test_another_model_is_asked_everything_of_the_first_task(home):
    pipeline = pipeline_at(home, AIMSCIQA_MODEL_NAME="other")
    assert told(pipeline) == {"single_hop": (paragraphs(pipeline), 0)}


def test_replies_of_the_journal_are_known_and_shown(home):
    pipeline = pipeline_at(home)
    forget_from(pipeline.warehouse, "single_hop")
    (asked,) = foretold(pipeline, 2, evaluate=False)
    assert (asked.requests, asked.known, asked.to_send) == (paragraphs(pipeline), paragraphs(pipeline), 0)
    assert asked.prompt_tokens == 0
    assert [reply.text is not None for _, reply in asked.first] == [True, True]
    assert "Paragraph:" in asked.first[0][0].messages[-1].text


def test_papers_that_are_not_read_yet_are_read_in_a_copy(tmp_path):
    write_corpus(tmp_path / "papers", 3)
    pipeline = pipeline_at(tmp_path / "home")
    pipeline.ingest(tmp_path / "papers")
    before = pipeline.warehouse.read("from ops.materializations")
    (asked,) = foretold(pipeline, 1, evaluate=False)
    # Each paper has an abstract and two sections of a paragraph each.
    assert (asked.task, asked.requests, asked.known) == ("single_hop", 9, 0)
    assert asked.prompt_tokens > 9 * 100
    assert pipeline.warehouse.read("select * from corpus.papers").is_empty()
    assert pipeline.warehouse.read("from ops.materializations").equals(before)


def test_what_is_free_is_told_as_free(home):
    pipeline = pipeline_at(home)
    assert not Asked("t", pipeline.settings.models["judge"]).is_free
    pipeline = pipeline_at(home, AIMSCIQA_MODEL_BACKEND="recorded")
    assert Asked("t", pipeline.settings.models["judge"]).is_free
