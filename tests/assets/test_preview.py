"""What a run would ask, foretold without asking or writing."""

from pathlib import Path

import pytest

from aimsciqa_assets.asking.prompts import load_prompt
from aimsciqa_assets.cli.foretelling import foretold
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
    now, _ = foretold(pipeline, shown, evaluate=False)
    return {one.task: (one.requests, one.known) for one in now}


def later(pipeline: Pipeline, *, evaluate: bool = True) -> dict[tuple[str, str], int]:
    """Requests at most by task and model, of steps that wait."""
    _, found = foretold(pipeline, 0, evaluate=evaluate)
    return {(one.task, one.model.name): one.to_send for one in found}


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
    (asked,), _ = foretold(pipeline, 2, evaluate=False)
    assert (asked.requests, asked.known, asked.to_send) == (paragraphs(pipeline), paragraphs(pipeline), 0)
    assert asked.prompt_tokens == 0
    assert [reply.text is not None for _, reply in asked.first] == [True, True]
    assert "Paragraph:" in asked.first[0][0].messages[-1].text


def test_requests_without_a_recorded_reply_are_still_to_be_answered(home):
    pipeline = pipeline_at(home, AIMSCIQA_MODEL_BACKEND="recorded", AIMSCIQA_MODEL_NAME="anna")
    (asked,), _ = foretold(pipeline, 1, evaluate=False)
    assert (asked.requests, asked.known) == (paragraphs(pipeline), 0)
    assert asked.prompt_tokens > 0


def test_papers_that_are_not_read_yet_are_read_in_a_copy(tmp_path):
    write_corpus(tmp_path / "papers", 3)
    pipeline = pipeline_at(tmp_path / "home")
    pipeline.ingest(tmp_path / "papers")
    before = pipeline.warehouse.read("from ops.materializations")
    (asked,), _ = foretold(pipeline, 1, evaluate=False)
    # Each paper has an abstract and two sections of a paragraph each.
    assert (asked.task, asked.requests, asked.known) == ("single_hop", 9, 0)
    assert asked.prompt_tokens > 9 * 100
    assert pipeline.warehouse.read("select * from corpus.papers").is_empty()
    assert pipeline.warehouse.read("from ops.materializations").equals(before)


JUDGED = {
    "AIMSCIQA_BENCHMARK_ANSWERERS": "qwen-small other",
    "AIMSCIQA_BENCHMARK_JUDGES": "judge-a judge-b",
    "AIMSCIQA_BENCHMARK_QUALITY_JUDGES": "judge-a",
}


@pytest.fixture
def taken_in(tmp_path) -> Path:
    """Twelve papers that are not read yet. The first has no references; the others may be sources."""
    write_corpus(tmp_path / "papers", 12)
    pipeline_at(tmp_path / "home").ingest(tmp_path / "papers")
    return tmp_path / "home"


def test_before_any_reply_later_steps_are_foretold_by_what_the_settings_allow(taken_in):
    assert later(pipeline_at(taken_in, **JUDGED)) == {
        # Three relations of each of 11 sources, of either variant.
        ("multi_hop", "qwen-small"): 33 + 33,
        # Oracle, closed book, realistic, and each paper alone; for cim the citation too.
        ("answering", "qwen-small"): 33 * 5 + 33 * 6,
        ("answering", "other"): 33 * 5 + 33 * 6,
        ("citation_marker", "qwen-small"): 33,
        ("citation_marker", "other"): 33,
        # The answers of two models.
        ("answer_judge", "judge-a"): 2 * 363,
        ("answer_judge", "judge-b"): 2 * 363,
        # Five times each of 50 items.
        ("quality_judge", "judge-a"): 250,
    }


def test_fewer_items_settings_and_relations_make_fewer_requests(taken_in):
    settings = {
        "AIMSCIQA_RELATIONS_RELATIONS_PER_SOURCE": "1",
        "AIMSCIQA_BENCHMARK_ANSWERING_SETTINGS": "oracle citation",
        "AIMSCIQA_BENCHMARK_ANSWERING_ITEMS": "10",
    }
    assert later(pipeline_at(taken_in, **settings)) == {
        ("multi_hop", "qwen-small"): 11 + 11,
        ("answering", "qwen-small"): 10 + 10 * 2,
        ("citation_marker", "qwen-small"): 10,
    }
    of_test = {"AIMSCIQA_BENCHMARK_SPLIT": "test", "AIMSCIQA_BENCHMARK_WHOLE_VARIANTS": "cim"}
    # A tenth of 11 is 1.
    assert later(pipeline_at(taken_in, **settings | of_test))["answering", "qwen-small"] == 1 + 10 * 2


def test_only_up_to_the_items_nobody_will_answer(taken_in):
    assert later(pipeline_at(taken_in), evaluate=False) == {("multi_hop", "qwen-small"): 66}


def test_a_judge_of_the_family_of_the_answerer_is_not_asked(taken_in):
    judged = {"AIMSCIQA_BENCHMARK_JUDGES": "qwen-large"}
    assert ("answer_judge", "qwen-large") not in later(pipeline_at(taken_in, **judged))
    judged |= {"AIMSCIQA_BENCHMARK_SAME_FAMILY": "true"}
    assert later(pipeline_at(taken_in, **judged))["answer_judge", "qwen-large"] == 363


def test_tokens_of_later_prompts_are_those_of_the_prompt_and_of_the_mean_papers(taken_in):
    pipeline = pipeline_at(taken_in, AIMSCIQA_BENCHMARK_ANSWERING_SETTINGS="oracle")
    _, (_, answering) = foretold(pipeline, 0, evaluate=True)
    assert (answering.task, answering.to_send) == ("answering", 66)
    pipeline.run_phase(0, "batch-0001")
    texts = pipeline.warehouse.read("select sum(length(text)) / 12 as mean from corpus.paragraphs")["mean"][0]
    prompt = len(load_prompt("answering").text)
    assert answering.prompt_tokens == pytest.approx(66 * (prompt + 2 * texts) / 4, abs=1)


def test_items_that_are_there_bound_what_follows(home):
    pipeline = pipeline_at(home, **JUDGED | {"AIMSCIQA_BENCHMARK_ANSWERING_SETTINGS": "oracle"})
    accepted = pipeline.warehouse.read("select * from multi_hop.items where status = 'accepted'").height
    assert 0 < accepted < 66
    # Answers are due now, so their requests are known; those of the judges are not.
    found = later(pipeline)
    assert ("answering", "other") not in found
    assert found["answer_judge", "judge-a"] == 2 * accepted


def test_questions_over_two_documents_are_foretold_by_their_candidates(tmp_path):
    write_corpus(tmp_path / "papers", 3)
    pipeline = pipeline_at(
        tmp_path / "home",
        AIMSCIQA_HOPWEAVER_KINDS="bridge comparison",
        AIMSCIQA_HOPWEAVER_DOCUMENTS_PER_BATCH="2",
        AIMSCIQA_HOPWEAVER_FEWEST_CHARACTERS="1",
    )
    pipeline.ingest(tmp_path / "papers")
    assert {task: number for task, (number, _) in told(pipeline).items() if task != "single_hop"} == {
        "hopweaver_bridge_entity": 2,
        "hopweaver_comparison_subject": 2,
    }
    waiting = {task: number for (task, _), number in later(pipeline, evaluate=False).items()}
    assert {task: number for task, number in waiting.items() if task.startswith("hopweaver")} == {
        "hopweaver_bridge_sub_questions": 10,
        "hopweaver_bridge_fusion": 10,
        "hopweaver_bridge_polisher": 2,
        "hopweaver_bridge_reader": 2,
        "hopweaver_comparison_scores": 2,
        "hopweaver_comparison_queries": 2,
        "hopweaver_comparison_question": 18,
        "hopweaver_comparison_polisher": 2,
        "hopweaver_comparison_reader": 2,
    }
