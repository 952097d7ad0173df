"""The assets of the main line on a small corpus, with a model and an encoder of the tests' own."""

import dagster as dg
import pytest

from aimsciqa_assets.cli.phases import PHASES
from aimsciqa_assets.definitions import build_definitions
from tests.aim_sciqa_alone import AIM_SCIQA
from tests.fakes import SentenceModel, WordEncoder, write_corpus
from tests.small_home import copy_of
from tests.some_steps import run_some
from tests.two_batches import CLUSTER, content, count, pipeline_at

pytestmark = pytest.mark.slow


def test_the_phases_cover_every_asset_once():
    written = [table for phase in PHASES for step in phase.steps for table in step.writes]
    in_phases = [dg.AssetKey(table.split(".")) for table in written]
    graph = build_definitions().resolve_asset_graph()
    ingested = {dg.AssetKey(["corpus", name]) for name in ("input_files", "pmc_articles")}
    ingested |= {dg.AssetKey(["scidqa", name]) for name in ("notes", "forums", "rejected_lines")}
    assert len(in_phases) == len(set(in_phases))
    assert set(in_phases) == graph.materializable_asset_keys - ingested


def test_the_id_map_comes_from_outside_and_leads_to_the_source_papers():
    graph = build_definitions().resolve_asset_graph()
    pmc_ids = dg.AssetKey(["corpus", "pmc_ids"])
    by_people = {dg.AssetKey(["benchmark", name]) for name in ("audit_ratings", "reviews")}
    by_others = {dg.AssetKey(["baseline_sets", name]) for name in ("records", "supports", "contexts", "hops")}
    by_others |= {dg.AssetKey(["airqa", name]) for name in ("examples", "rejected_examples")}
    by_others |= {dg.AssetKey(["scidqa", "manuscripts"]), dg.AssetKey(["corpus", "corrections"])}
    by_others |= {dg.AssetKey(["findings", "seeds"]), dg.AssetKey(["corpus", "cited_papers"])}
    assert graph.external_asset_keys == {pmc_ids, *by_people, *by_others}
    assert pmc_ids in graph.get(dg.AssetKey(["corpus", "source_papers"])).parent_keys


def test_the_definitions_load_as_the_server_loads_them():
    dg.Definitions.validate_loadable(build_definitions())


def test_the_main_line(tmp_path, evaluated):
    home = copy_of(evaluated, tmp_path / "home")
    pipeline = pipeline_at(home)
    assert count(pipeline, "corpus.input_files") == count(pipeline, "corpus.papers") == 12
    assert count(pipeline, "corpus.citation_edges") == 30
    assert count(pipeline, "corpus.source_papers", "eligible") == 11
    assert count(pipeline, "single_hop.qa_pairs", "status = 'rejected'") > 0
    assert count(pipeline, "relations.clusters", "variant = 'im'") == 5 * count(
        pipeline, "relations.candidate_relations", "variant = 'im'"
    )
    assert count(pipeline, "multi_hop.items", "status = 'accepted' and variant = 'im'") == 27
    assert count(pipeline, "multi_hop.items", "status = 'accepted' and variant = 'cim'") > 10
    assert count(pipeline, "multi_hop.splits") == count(pipeline, "multi_hop.items", "status = 'accepted'")
    assert count(pipeline, "benchmark.retrieval_scores") > 0
    assert (home / "inspect.duckdb").exists()
    assert list((home / "unfinished").iterdir()) == []


def test_a_second_run_asks_and_encodes_nothing_and_changes_nothing(tmp_path, corpus, evaluated):
    first = pipeline_at(copy_of(evaluated, tmp_path / "home"))
    before = content(first)
    model, encoder = SentenceModel(), WordEncoder()
    second = pipeline_at(tmp_path / "home", model=model, encoder=encoder)
    assert second.ingest(corpus).new_files == 0
    assert second.run() == []
    assert model.asked == []
    assert encoder.encoded == 0
    assert content(second) == before


def test_new_papers_leave_finished_batches_alone_until_they_are_refreshed(tmp_path, finished):
    copy_of(finished, tmp_path / "home")
    pipeline = pipeline_at(tmp_path / "home")
    before = pipeline.warehouse.read("select * from multi_hop.items order by all")
    write_corpus(tmp_path / "more", 6, first=13)
    pipeline.ingest(tmp_path / "more")
    assert run_some(pipeline, "multi_hop.items") == []
    old = pipeline.warehouse.read("select * from multi_hop.items where batch <= 'batch-0002' order by all")
    assert old.equals(before)
    assert count(pipeline, "multi_hop.items", "batch = 'batch-0003'") > 0
    new_targets = "batch = 'batch-0001' and target_paper_id in ('doi:10.5555/test.13', 'doi:10.5555/test.16')"
    assert count(pipeline, "relations.section_pairs", new_targets) == 0
    of_new = "select * from multi_hop.items where batch = 'batch-0003' order by all"
    paid = pipeline.warehouse.read(of_new)
    assert run_some(pipeline_at(tmp_path / "home", refresh=True), "multi_hop.items") == []
    assert count(pipeline, "relations.section_pairs", new_targets) > 0
    assert count(pipeline, "relations.mirrors", new_targets.replace("batch = 'batch-0001' and ", "")) > 0
    assert pipeline.warehouse.read(of_new).equals(paid), (
        "what finds them now is the mirror of what they found"
    )


def test_no_model_is_asked_about_a_mirror_and_all_others_give_an_item(tmp_path, finished):
    core_pairs = """select count(*) as items, count(distinct (
        variant, least(core_source_qa_id, core_target_qa_id), greatest(core_source_qa_id, core_target_qa_id)
    )) as facts from multi_hop.items"""
    copy_of(finished, tmp_path / "home")
    pipeline = pipeline_at(tmp_path / "home")
    relations, mirrors = (
        count(pipeline, "relations.candidate_relations"),
        count(pipeline, "relations.mirrors"),
    )
    ((items, facts),) = pipeline.warehouse.read(core_pairs).rows()
    assert items == facts == relations - mirrors
    assert mirrors > 0
    assert count(pipeline, "ops.rejections", f"rejection_reason = 'mirror' and rows = {mirrors}") == 1
    both = pipeline_at(
        tmp_path / "home",
        model=(model := SentenceModel()),
        environment=CLUSTER | {"AIMSCIQA_RELATIONS_MIRRORS": "both"},
    )
    assert run_some(both, "multi_hop.items") == []
    assert both.warehouse.read(core_pairs).rows() == [(relations, facts)]
    assert {request.task for request in model.asked} == {"multi_hop"}


def test_the_order_of_batches_does_not_matter(tmp_path, corpus, finished):
    ahead = pipeline_at(finished)
    behind = pipeline_at(tmp_path / "behind")
    behind.ingest(corpus)
    behind.run(["batch-0002"], evaluate=False)
    behind.run(["batch-0001"], evaluate=False)
    assert count(behind, "multi_hop.items", "batch = 'batch-0002'") > 0
    behind.run(evaluate=False)
    assert content(behind) == content(ahead)


def test_the_lowest_tenth_over_the_corpus_does_not_depend_on_the_order_either(tmp_path, corpus):
    environment = CLUSTER | {"AIMSCIQA_SINGLE_HOP_ALIGNMENT_SCOPE": "corpus"}
    pipeline = pipeline_at(tmp_path / "home", environment=environment)
    pipeline.ingest(corpus)
    assert run_some(pipeline, "single_hop.qa_pairs") == []
    measured = count(pipeline, "single_hop.similarities")
    low = "rejection_reason = 'low_alignment'"
    assert count(pipeline, "single_hop.qa_pairs", low) == measured // 10
    before = pipeline.warehouse.read("select * from single_hop.qa_pairs order by all")

    write_corpus(tmp_path / "more", 4, first=13)
    pipeline.ingest(tmp_path / "more")
    assert run_some(pipeline, "single_hop.qa_pairs") == []
    assert (more := count(pipeline, "single_hop.similarities")) % 10 > measured % 10 > 0
    assert count(pipeline, "single_hop.qa_pairs", low) == more // 10
    after = pipeline.warehouse.read(
        "select * from single_hop.qa_pairs where batch < 'batch-0003' order by all"
    )
    assert after.equals(before)


def test_a_small_corpus_gives_small_clusters(tmp_path):
    write_corpus(tmp_path / "papers", 3)
    pipeline = pipeline_at(tmp_path / "home", environment=AIM_SCIQA)
    pipeline.ingest(tmp_path / "papers")
    assert run_some(pipeline, "multi_hop.items") == []
    sizes = "select distinct cluster_size from relations.clusters where variant = 'im'"
    assert pipeline.warehouse.read(sizes).rows() == [(2,)]
    assert count(pipeline, "multi_hop.items", "status = 'accepted'") > 0


def test_one_paper_alone_has_no_relations_and_no_failure(tmp_path):
    write_corpus(tmp_path / "papers", 1)
    pipeline = pipeline_at(tmp_path / "home", environment={})
    pipeline.ingest(tmp_path / "papers")
    assert pipeline.run() == []
    assert count(pipeline, "single_hop.qa_pairs", "status = 'kept'") > 0
    assert count(pipeline, "multi_hop.items") == 0
