"""A corpus for HopWeaver alone: AIM-SciQA is off, asks nobody, and leaves its tables empty."""

import pytest

from aimsciqa_assets.cli.foretelling import foretold
from aimsciqa_assets.cli.forgetting import forget_from
from aimsciqa_assets.cli.outcome import no_release, nothing_made
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.cli.readiness import TooFewPapersError, check_readiness
from aimsciqa_assets.release.verifying import verify
from aimsciqa_assets.settings import SettingsError
from tests.fakes import write_corpus
from tests.hop_model import HopModel
from tests.two_batches import CLUSTER, pipeline_at

pytestmark = pytest.mark.slow

ALONE = CLUSTER | {
    "AIMSCIQA_SYSTEMS": "",
    "AIMSCIQA_HOPWEAVER_KINDS": "bridge",
    # Few documents: a search finds each of them by chance.
    "AIMSCIQA_HOPWEAVER_MASKED_RANK": "0",
    "AIMSCIQA_HOPWEAVER_QUESTION_RANK": "0",
    "AIMSCIQA_HOPWEAVER_FEWEST_CHARACTERS": "100",
    "AIMSCIQA_HOPWEAVER_TOP_K": "11",
    "AIMSCIQA_MODEL_BACKEND": "recorded",
    "AIMSCIQA_MODEL_NAME": "jane",
    "AIMSCIQA_RELEASE_ANY_LICENCE": "true",
    "AIMSCIQA_RELEASE_GATES": "",
}


class Weaver(HopModel):
    """Fails when it is asked anything of AIM-SciQA."""

    def _single_hop(self, told) -> str:
        raise AssertionError("nothing of AIM-SciQA is to be asked")

    _multi_hop = _refusal_judge = _single_hop


class Blind(Weaver):
    """Finds no entity anywhere."""

    def _hopweaver_bridge_entity(self, told) -> str:
        return "I see no entity."


def pipeline_of(folder, papers: int = 12, model=None, **more: str) -> Pipeline:
    pipeline = pipeline_at(folder / "home", model=model or Weaver(), environment=ALONE | more)
    write_corpus(folder / "papers", papers)
    pipeline.ingest(folder / "papers")
    return pipeline


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Pipeline:
    pipeline = pipeline_of(tmp_path_factory.mktemp("alone"))
    assert check_readiness(pipeline, evaluate=True) == []
    assert pipeline.run() == []
    return pipeline


def count(pipeline: Pipeline, table: str) -> int:
    return pipeline.warehouse.read(f"select count(*) from {table}").item()


def test_its_tables_stay_empty_and_hopweaver_makes_its_items(made):
    tables = ("extractions", "triplets", "qa_pairs", "similarities")
    assert [count(made, f"single_hop.{table}") for table in tables] == [0] * len(tables)
    tables = ("embeddings", "section_pairs", "candidate_relations", "clusters")
    assert [count(made, f"relations.{table}") for table in tables] == [0] * len(tables)
    assert count(made, "multi_hop.items") == 0
    assert count(made, "hopweaver.items") == 12
    assert count(made, "benchmark.answers where setting = 'oracle'") > 0


def test_the_end_of_the_run_complains_of_nothing(made):
    assert nothing_made(made.warehouse, made.settings) is None
    assert no_release(made.warehouse) == ""
    folder = made.home.folder / "releases" / "aimsciqa-release"
    assert verify(folder).problems == ()
    assert not (folder / "data/multi_hop").exists()
    page = (made.home.folder / "report.html").read_text()
    assert "Bridge question" in page


def test_what_a_run_would_ask_counts_hopweaver_and_the_ledger(tmp_path):
    pipeline = pipeline_of(
        tmp_path,
        12,
        AIMSCIQA_HOPWEAVER_DOCUMENTS_PER_BATCH="3",
        AIMSCIQA_HOPWEAVER_EVALUATED="both",
        AIMSCIQA_HOPWEAVER_ABLATION="standard diverse",
        AIMSCIQA_HOPWEAVER_ABLATION_DOCUMENTS="4",
        AIMSCIQA_RERANKER_TRAINING_BASE="some/model",
        AIMSCIQA_NECESSITY_MODELS="recorded:bob",
        AIMSCIQA_BENCHMARK_ANSWERING_SETTINGS="oracle",
    )
    _, later = foretold(pipeline, 0, evaluate=True)
    # Three sources of two batches each, eleven candidates of each; both versions of six items.
    assert {(one.task, one.model.label): one.to_send for one in later} == {
        # For attempts, the training of a reranker, and two ways to search from four documents.
        ("hopweaver_bridge_entity", "recorded:jane"): 4,
        ("hopweaver_bridge_sub_questions", "recorded:jane"): 66 + 66 + 88,
        ("hopweaver_bridge_fusion", "recorded:jane"): 66 + 88,
        ("hopweaver_bridge_polisher", "recorded:jane"): 6,
        ("hopweaver_bridge_reader", "recorded:jane"): 6,
        ("answering", "recorded:jane"): 12,
        ("necessity_answer", "recorded:bob"): 120,
        ("necessity_counterfactual", "recorded:bob"): 12,
        ("necessity_mark", "recorded:jane"): 120,
    }


def test_without_any_system_nothing_starts(tmp_path):
    pipeline = pipeline_of(tmp_path, 3, AIMSCIQA_HOPWEAVER_KINDS="")
    with pytest.raises(SettingsError, match="No system would make questions: AIMSCIQA_SYSTEMS is ''"):
        check_readiness(pipeline, evaluate=True)


def test_two_documents_are_enough_and_one_is_not(tmp_path):
    assert check_readiness(pipeline_of(tmp_path / "two", 2), evaluate=True) == []
    with pytest.raises(TooFewPapersError, match="The corpus has 1 document"):
        check_readiness(pipeline_of(tmp_path / "one", 1), evaluate=True)


def test_advice_is_about_documents(tmp_path):
    pipeline = pipeline_of(tmp_path, 2, Blind())
    assert pipeline.run(evaluate=False) == []
    said = nothing_made(pipeline.warehouse, pipeline.settings)
    assert "(2 papers, 2 attempts of HopWeaver)" in said
    assert "Every attempt failed: docs/hopweaver.md" in said
    forget_from(pipeline.warehouse, "hopweaver")
    assert "No document may be a source" in nothing_made(pipeline.warehouse, pipeline.settings)


def test_turned_off_later_it_forgets_what_it_made(tmp_path):
    pipeline = pipeline_of(tmp_path, 6, HopModel(), AIMSCIQA_SYSTEMS="aim-sciqa")
    assert pipeline.run(evaluate=False) == []
    assert count(pipeline, "single_hop.qa_pairs") > 0
    off = pipeline_at(tmp_path / "home", model=Weaver(), environment=ALONE)
    assert off.run(evaluate=False) == []
    assert count(off, "single_hop.qa_pairs") == 0
    assert count(off, "multi_hop.items") == 0


def test_a_home_for_the_paper_store_alone_needs_one_paper_and_makes_no_item(tmp_path):
    pipeline = pipeline_of(tmp_path, 1, AIMSCIQA_HOPWEAVER_KINDS="", AIMSCIQA_AIRQA_STORE="true")
    assert check_readiness(pipeline, evaluate=True) == []
    assert nothing_made(pipeline.warehouse, pipeline.settings) is None
