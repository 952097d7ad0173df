"""The settings beyond the paper over the whole main line, by a model server on the loopback."""

import polars as pl
import pytest

from aimsciqa_assets.aim_sciqa.multi_hop.task import MULTI_HOP, MULTI_HOP_CHOICE
from aimsciqa_assets.aim_sciqa.single_hop.task import SINGLE_HOP_SELECTIVE
from aimsciqa_assets.cli.phases import Failure
from aimsciqa_assets.cli.pipeline import Pipeline
from tests.model_server import ModelServer
from tests.small_home import copy_of, pipeline_at
from tests.some_steps import run_some

pytestmark = pytest.mark.slow

CHOOSING = {"AIMSCIQA_REFINEMENT_MODEL_CHOOSES": "true", "AIMSCIQA_REFINEMENT_RETRIEVAL_SPECIFICITY": "0.5"}
RANKING = {"AIMSCIQA_REFINEMENT_RANK_CORE_PAIRS": "true"}
SELECTIVE = {"AIMSCIQA_REFINEMENT_SELECTIVE_SINGLE_HOP": "true"}


def rows(pipeline: Pipeline, query: str) -> list[tuple]:
    return pipeline.warehouse.read(query).rows()


def made_anew(pipeline: Pipeline) -> list[Failure]:
    """Items and what they are made from, and the reasons of what is none."""
    return run_some(pipeline, "multi_hop.items", alone=("ops.rejections",))


def test_without_these_settings_nothing_of_them_is_in_the_rows(items_home):
    pipeline = pipeline_at(items_home)
    assert rows(pipeline, "select count(*) from relations.core_pairs") == [(0,)]
    assert rows(pipeline, "select count(*) from relations.retrieval_candidates") == [(0,)]
    assert rows(pipeline, "select count(*) from relations.other_facts") == [(0,)]
    assert rows(
        pipeline, "select distinct link, identifiability, core_pair_rank, prompt_version from multi_hop.items"
    ) == [(None, None, None, MULTI_HOP.version)]


def test_the_model_chooses_and_its_choice_is_in_the_rows(tmp_path, items_home):
    with ModelServer() as server:
        pipeline = pipeline_at(copy_of(items_home, tmp_path / "home"), server.url, **CHOOSING)
        assert made_anew(pipeline) == []
    asked = [seen.text for seen in server.seen]
    # Relations of both variants may lead to the same request, which is sent once.
    assert 30 < len(asked) <= len(rows(pipeline, "select * from relations.candidate_relations"))
    assert all("<abstract>Cohort " in text and "<context>" in text for text in asked)
    assert max(text.count("<unique_qa ") for text in asked) == 4
    assert rows(
        pipeline,
        "select distinct status, link, identifiability, core_pair_rank, retrieval_rank, prompt_version "
        "from multi_hop.items",
    ) == [("accepted", "contrast", "accept", 1, 1, MULTI_HOP_CHOICE.version)]


def test_the_first_candidate_is_the_retrieval_question(tmp_path, items_home):
    with ModelServer() as server:
        pipeline = pipeline_at(copy_of(items_home, tmp_path / "home"), server.url, **CHOOSING)
        assert made_anew(pipeline) == []
    first = rows(
        pipeline, "select relation_id, qa_id from relations.retrieval_candidates where rank = 1 order by 1"
    )
    assert first == rows(pipeline, "select relation_id, qa_id from relations.retrieval_questions order by 1")
    assert rows(pipeline, "select max(rank), min(specificity) >= 0 from relations.retrieval_candidates") == [
        (4, True)
    ]


def test_the_model_is_shown_what_else_both_papers_say(tmp_path, items_home):
    with ModelServer() as server:
        pipeline = pipeline_at(copy_of(items_home, tmp_path / "home"), server.url, **CHOOSING)
        assert made_anew(pipeline) == []
    # Papers of the tests have seven pairs at most, of which one is the core pair.
    assert rows(pipeline, "select role, max(rank) from relations.other_facts group by all order by 1") == [
        ("source", 6),
        ("target", 6),
    ]
    assert rows(
        pipeline,
        "select count(*) from relations.other_facts as facts join relations.candidate_relations as relations "
        "using (relation_id) where qa_id in (core_source_qa_id, core_target_qa_id)",
    ) == [(0,)]
    (fact,) = rows(
        pipeline,
        "select question, answer from relations.other_facts join single_hop.qa_pairs using (qa_id) limit 1",
    )
    assert any("<also_says>\n<section_name>" in seen.text and fact[0] in seen.text for seen in server.seen)
    with ModelServer() as server:
        pipeline = pipeline_at(tmp_path / "home", server.url, AIMSCIQA_REFINEMENT_OTHER_FACTS="0", **CHOOSING)
        assert made_anew(pipeline) == []
    assert server.seen
    assert all("also_says>\n<section" not in seen.text for seen in server.seen)


def test_core_pairs_without_anything_in_common_are_refused_and_counted(tmp_path, items_home):
    """All papers of the tests' own are about zinc, so that nothing tells one from the other."""
    with ModelServer() as server:
        pipeline = pipeline_at(copy_of(items_home, tmp_path / "home"), server.url, **RANKING)
        assert made_anew(pipeline) == []
    refused = pipeline.warehouse.read("select rejection_reason, rank from relations.core_pairs")
    assert refused.height > 100
    assert refused.filter(pl.col("rank").is_not_null() & pl.col("rejection_reason").is_not_null()).is_empty()
    counted = rows(pipeline, "select sum(rows) from ops.rejections where table_name = 'relations.core_pairs'")
    assert counted == [(refused["rejection_reason"].count(),)]
    ranked = rows(pipeline, "select count(distinct source_paper_id) from relations.core_pairs where rank = 1")
    assert (
        rows(pipeline, "select count(distinct source_paper_id) from relations.candidate_relations") == ranked
    )


def test_paragraphs_that_are_not_worth_asking_are_left_out_with_a_reason(tmp_path, items_home):
    with ModelServer() as server:
        pipeline = pipeline_at(copy_of(items_home, tmp_path / "home"), server.url, **SELECTIVE)
        assert made_anew(pipeline) == []
    fates = rows(
        pipeline,
        "select status, rejection_reason, count(*), count(reply), any_value(prompt_version) "
        "from single_hop.extractions group by all order by 1",
    )
    version = SINGLE_HOP_SELECTIVE.version
    # The abstracts of these papers have one sentence, and so has the introduction of the first one.
    assert fates == [("answered", None, 23, 23, version), ("rejected", "one_sentence", 13, 0, version)]
