"""What a run of the main line makes again, and why: settings, new papers, failures, earlier versions."""

import shutil

import dagster as dg
import pytest

from aimsciqa_assets.cli.phases import plan_of_a_run
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.platform.steps import STEPS
from tests.fakes import SentenceModel, WordEncoder, write_corpus, write_id_map
from tests.small_home import copy_of
from tests.some_steps import run_some
from tests.two_batches import CLUSTER, content, count, pipeline_at

pytestmark = pytest.mark.slow


def test_a_changed_setting_redoes_what_depends_on_it_and_no_more(tmp_path, finished):
    copy_of(finished, tmp_path / "home")
    model, encoder = SentenceModel(), WordEncoder()
    strict = CLUSTER | {"AIMSCIQA_RELATIONS_RELATIONS_PER_SOURCE": "1"}
    second = pipeline_at(tmp_path / "home", model=model, encoder=encoder, environment=strict)
    assert second.run(evaluate=False) == []
    assert encoder.encoded == 0
    assert {request.task for request in model.asked} == {"multi_hop"}
    assert count(second, "relations.candidate_relations", "variant = 'im'") == 11
    by_subject = CLUSTER | {"AIMSCIQA_RELATIONS_KEYWORD_ORIGINS": "subject"}
    third = pipeline_at(tmp_path / "home", environment=by_subject)
    assert third.run(evaluate=False) == []
    assert count(third, "relations.candidate_relations", "variant = 'im'") == 0, (
        "all keywords are the authors'"
    )


def why(pipeline: Pipeline, table: str, part: str = "") -> tuple[str, tuple[str, ...]]:
    verdict = plan_of_a_run(pipeline.resources).of(STEPS[table], part)
    return verdict.state, verdict.why


def test_what_a_run_would_make_is_told_with_the_reason(tmp_path, finished):
    shutil.copytree(finished, tmp_path / "home")
    assert why(pipeline_at(tmp_path / "home"), "multi_hop.items", "batch-0002") == ("current", ())
    strict = CLUSTER | {"AIMSCIQA_RELATIONS_RELATIONS_PER_SOURCE": "1"}
    pipeline = pipeline_at(tmp_path / "home", environment=strict)
    changed = "setting relations.relations_per_source was 3, is 1"
    assert why(pipeline, "relations.section_pairs", "batch-0001") == ("due", (changed,))
    assert why(pipeline, "relations.candidate_relations", "batch-0001") == (
        "waits",
        ("waits for relations.section_pairs", changed),
    )
    assert why(pipeline, "multi_hop.splits") == ("waits", ("waits for multi_hop.items",))
    assert why(pipeline, "single_hop.qa_pairs", "batch-0001") == ("current", ())
    assert why(pipeline, "benchmark.evidence_coverage") == ("due", ("it was never made",))

    write_corpus(tmp_path / "more", 6, first=13)
    pipeline = pipeline_at(tmp_path / "home")
    pipeline.ingest(tmp_path / "more")
    assert why(pipeline, "corpus.papers", "batch-0003") == ("due", ("it was never made",))
    assert why(pipeline, "corpus.citation_edges") == (
        "waits",
        ("waits for corpus.papers, corpus.references",),
    )
    assert why(pipeline, "relations.section_pairs", "batch-0001") == ("current", ())
    assert pipeline.run(["batch-0003"], evaluate=False) == []
    refreshed = pipeline_at(tmp_path / "home", refresh=True)
    assert why(refreshed, "relations.section_pairs", "batch-0001") == ("due", ("batch-0003 is new",))


def test_a_step_that_failed_says_so_until_it_succeeds(tmp_path, finished):
    class Broken(SentenceModel):
        revision = "2"

        def replies(self, requests):
            raise OSError("the disk is full")

    shutil.copytree(finished, tmp_path / "home")
    broken = pipeline_at(tmp_path / "home", model=Broken())
    assert {failure.part for failure in broken.run(evaluate=False)} == {"batch-0001", "batch-0002"}
    changed = "revision of model sentences was 1, is 2"
    assert why(broken, "single_hop.extractions", "batch-0001") == (
        "failed",
        ("OSError: the disk is full", changed),
    )
    held_up = ("waits", ("waits for single_hop.extractions, which failed",))
    assert why(broken, "single_hop.triplets", "batch-0001") == held_up
    assert why(pipeline_at(tmp_path / "home"), "single_hop.extractions", "batch-0001") == ("current", ())


def test_a_home_of_an_earlier_version_is_taken_over_and_nothing_is_made_again(tmp_path, finished):
    shutil.copytree(finished, tmp_path / "home")
    model, encoder = SentenceModel(), WordEncoder()
    pipeline = pipeline_at(tmp_path / "home", model=model, encoder=encoder)
    before = content(pipeline)
    with pipeline.warehouse.get_connection() as connection:
        connection.execute("alter table ops.materializations drop column determinants")
        connection.execute("alter table ops.materializations rename column part to batch")
        connection.execute("alter table ops.llm_calls rename column part to batch")
        connection.execute("drop table ops.failures")
    assert pipeline.run(evaluate=False) == []
    assert (model.asked, encoder.encoded) == ([], 0)
    assert content(pipeline) == before
    refreshed = pipeline_at(tmp_path / "home", environment=CLUSTER | {"AIMSCIQA_RELATIONS_TAU": "0.4"})
    assert why(refreshed, "relations.section_pairs", "batch-0001") == (
        "due",
        ("something changed since an earlier version of this program made its rows",),
    )


def test_a_loaded_id_map_redoes_the_source_papers_where_it_counts(tmp_path, corpus):
    def citations(pipeline: Pipeline) -> int:
        return pipeline.warehouse.read("select sum(accessible_citations) as n from corpus.source_papers")[
            "n"
        ][0]

    def fingerprint(pipeline: Pipeline) -> str:
        query = "select fingerprint from ops.materializations where table_name = 'corpus.source_papers'"
        return pipeline.warehouse.read(query)["fingerprint"][0]

    # The first paper of the corpus cites one that is not in it.
    first = corpus / "paper-001.xml"
    entry = '<ref id="x"><element-citation><pub-id pub-id-type="pmid">77</pub-id></element-citation></ref>'
    first.write_text(first.read_text().replace("</ref-list>", f"{entry}</ref-list>"))
    pipeline = pipeline_at(tmp_path / "home")
    pipeline.ingest(corpus)
    assert run_some(pipeline, "corpus.source_papers") == []
    before = fingerprint(pipeline)
    write_id_map(tmp_path / "ids.csv.gz", "PMC1,77,")
    assert pipeline.load_ids(tmp_path / "ids.csv.gz").articles == 1
    assert run_some(pipeline, "corpus.source_papers") == []
    assert (citations(pipeline), fingerprint(pipeline)) == (30, before)

    in_pmc = pipeline_at(tmp_path / "home", environment=CLUSTER | {"AIMSCIQA_SELECTION_SCOPE": "pmc"})
    assert run_some(in_pmc, "corpus.source_papers") == []
    assert citations(in_pmc) == 31
    write_id_map(tmp_path / "ids.csv.gz", "PMC2,78,")
    in_pmc.load_ids(tmp_path / "ids.csv.gz")
    assert run_some(in_pmc, "corpus.source_papers") == []
    assert citations(in_pmc) == 30
    event = in_pmc.instance.get_latest_materialization_event(dg.AssetKey(["corpus", "pmc_ids"]))
    assert event.asset_materialization.metadata["dagster/row_count"].value == 1
