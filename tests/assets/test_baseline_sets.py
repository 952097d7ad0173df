"""Published sets beside our own items, through the whole chain, by fakes."""

import pytest

from aimsciqa_assets.baseline_sets.taking import Draw
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.platform.queries import queries_in
from aimsciqa_assets.platform.steps import STEPS
from aimsciqa_assets.release.verifying import verify
from tests.fakes import SentenceModel, write_corpus
from tests.published_sets import as_lines, as_list, hotpot, musique, wiki
from tests.two_batches import CLUSTER, pipeline_at

pytestmark = pytest.mark.slow

ENVIRONMENT = CLUSTER | {
    "AIMSCIQA_BENCHMARK_ANSWERERS": "extractive",
    "AIMSCIQA_RELEASE_ANY_LICENCE": "true",
}
KINDS = ["2wiki_bridge", "hotpotqa_bridge", "hotpotqa_comparison", "musique_2hop"]


def rows(pipeline: Pipeline, query: str) -> list[tuple]:
    return pipeline.warehouse.read(query).rows()


def take(pipeline: Pipeline, file, set_name, per_kind: int = 50):
    return pipeline.take_in_set(Draw(file, set_name, per_kind, 42, 10**6), "CC BY-SA 4.0")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Six papers and three sets, all the way to release and report."""
    folder = tmp_path_factory.mktemp("sets")
    model = SentenceModel()
    pipeline = pipeline_at(folder / "home", model=model, environment=ENVIRONMENT)
    write_corpus(folder / "papers", 6)
    pipeline.ingest(folder / "papers")
    files = {
        "hotpotqa": as_list(folder / "h.json", hotpot(1), hotpot(2, "comparison"), hotpot(3, "riddle")),
        "2wiki": as_list(folder / "w.json", wiki(1)),
        "musique": as_lines(folder / "m.jsonl", musique(1)),
    }
    for set_name, file in files.items():
        take(pipeline, file, set_name)
    assert pipeline.run() == []
    return pipeline, model, files


def test_kinds_stand_side_by_side_in_the_benchmark(made):
    pipeline, _, _ = made
    items = "select kind, status, rejection_reason from baseline_sets.items order by kind nulls last"
    assert rows(pipeline, items) == [
        *((kind, "accepted", None) for kind in KINDS),
        (None, "rejected", "other_kind"),
    ]
    ours = rows(pipeline, "select distinct variant from multi_hop.items where status = 'accepted' order by 1")
    assert ours
    kinds = sorted([*KINDS, *(variant for (variant,) in ours)])
    for table in ("retrieval_scores", "answering_scores"):
        shown = f"select distinct variant from benchmark.{table} where variant <> 'all' order by 1"
        assert [variant for (variant,) in rows(pipeline, shown)] == kinds
    tested = "select distinct variant from quality.necessity_rates where variant <> 'all' order by 1"
    assert [variant for (variant,) in rows(pipeline, tested)] == kinds
    searched = "select len(cluster) from benchmark.queries where variant = 'hotpotqa_bridge'"
    assert rows(pipeline, searched) == [(4,)]


def test_evidence_and_hops_reach_the_form(made):
    pipeline, _, _ = made
    quotes = (
        "select evidence.role, papers.title, evidence.evidence, evidence_start, evidence_end "
        "from baseline_sets.evidence join baseline_sets.items using (item_id) "
        "join corpus.papers as papers on evidence.paper_id = papers.paper_id "
        "where kind = 'hotpotqa_bridge' order by position"
    )
    assert rows(pipeline, quotes) == [
        ("first", "Lido Brask", "It was drawn by Ana Feld.", 36, 61),
        ("second", "Ana Feld", "She was born in Tarnhof.", 39, 63),
    ]
    checks = {
        name: query
        for name, query in queries_in("tests").items()
        if query.table.startswith(("baseline_sets.", "release."))
    }
    settings = pipeline.settings
    found = {
        name: pipeline.warehouse.read(query.text, query.parameters(settings)).height
        for name, query in checks.items()
    }
    assert {"baseline_evidence_is_an_exact_quote", "baseline_items_are_never_released"} <= found.keys()
    assert {name for name, height in found.items() if height} == set()
    masked = (
        "select verdict from quality.necessity join baseline_sets.items using (item_id) "
        "where kind = 'musique_2hop' and test = 'bridge_masked' and necessity.model = 'rules'"
    )
    assert [verdict for (verdict,) in rows(pipeline, masked)] != ["not_applicable"]


def test_nothing_is_made_of_their_documents_and_nothing_of_them_is_released(made):
    pipeline, model, _ = made
    assert rows(pipeline, "select count(*) from corpus.papers where article_type = 'evaluation'") == [(10,)]
    assert rows(pipeline, "select count(*) from single_hop.extractions where paper_id like 'doc:%'") == [(0,)]
    assert not [one for one in model.asked if one.task == "single_hop" and "Tarnhof" in str(one.variables)]
    standing = "select distinct status, rejection_reason from hopweaver.documents where paper_id like 'doc:%'"
    assert rows(pipeline, standing) in ([], [("excluded", "evaluation_only")])
    fates = (
        "select released, rejection_reason, count(*) from release.items "
        "join baseline_sets.items using (item_id) group by all"
    )
    assert rows(pipeline, fates.replace("rejection_reason", "release.items.rejection_reason")) == [
        (False, "evaluation_only", 4)
    ]
    clustered = "select count(*) from relations.clusters where paper_id like 'doc:%'"
    assert rows(pipeline, clustered) == [(0,)]
    folder = pipeline.home.folder / "releases" / "aimsciqa-release"
    assert verify(folder).problems == ()
    texts = [path for path in folder.rglob("*") if path.is_file() and b"Tarnhof" in path.read_bytes()]
    assert texts == []


def test_the_same_file_again_changes_nothing_and_a_smaller_draw_replaces(made, tmp_path):
    pipeline, _, files = made
    before = rows(pipeline, "select * from baseline_sets.records")
    drawn, replaced, ingested = take(pipeline, files["hotpotqa"], "hotpotqa")
    assert (drawn.kinds, replaced) == ({"hotpotqa_bridge": 1, "hotpotqa_comparison": 1}, 0)
    assert (ingested.documents.new, ingested.documents.known, ingested.changed_batches) == (0, 4, [])
    assert rows(pipeline, "select * from baseline_sets.records") == before
    step = STEPS["baseline_sets.items"]
    assert step.on_request is False
    other = as_list(tmp_path / "h.json", hotpot(9))
    drawn, replaced, _ = take(pipeline, other, "hotpotqa")
    assert replaced == 2
    assert pipeline.run() == []
    items = "select kind, record_id from baseline_sets.items where status = 'accepted' order by 1"
    assert rows(pipeline, items) == [
        ("2wiki_bridge", "w1"),
        ("hotpotqa_bridge", "h9"),
        ("musique_2hop", "2hop__1_9"),
    ]
