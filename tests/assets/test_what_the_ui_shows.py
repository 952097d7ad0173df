"""What the web UI shows of tables that were made: figures, rejections, plots, and checks that failed."""

import dagster as dg
import polars as pl
import pytest
from aimsciqa_resources.language_model.opening import OneModel
from dagster._core.definitions.data_version import CachingStaleStatusResolver, StaleStatus
from dagster._core.test_utils import BasicLoadingContext
from rich.console import Console

from aimsciqa_assets.aim_sciqa.relations import assets as relations
from aimsciqa_assets.aim_sciqa.single_hop import assets as single_hop
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.corpus import assets as corpus
from aimsciqa_assets.definitions import build_definitions, build_resources
from aimsciqa_assets.orchestration.plots import SHOWN_AT_ONCE
from aimsciqa_assets.orchestration.presentation import markdown
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.queries import queries_in
from aimsciqa_assets.settings import Settings
from tests.aim_sciqa_alone import AIM_SCIQA
from tests.fakes import SentenceModel, WordEncoder, write_corpus
from tests.report_warehouse import insert
from tests.small_home import copy_of

pytestmark = pytest.mark.slow


def spoil(request, text):
    return "Nothing to ask." if request.variables.get("paragraph", "").startswith("Zinc") else text


def pipeline_at(folder, **environment: str) -> Pipeline:
    resources = build_resources(
        Home(folder),
        Settings.preset_of(
            "demo",
            AIM_SCIQA
            | {"AIMSCIQA_RELATIONS_CLUSTER_SIZE": "5", "AIMSCIQA_BENCHMARK_RETRIEVERS": "bm25"}
            | environment,
        ),
        language_models=OneModel(SentenceModel(spoil)),
        encoder=WordEncoder(),
    )
    return Pipeline(Home(folder), resources, dg.DagsterInstance.ephemeral(), Console(quiet=True))


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory) -> Pipeline:
    """Twelve papers, run to the end; for reading."""
    folder = tmp_path_factory.mktemp("shown")
    write_corpus(folder / "papers", 12)
    pipeline = pipeline_at(folder / "home")
    pipeline.ingest(folder / "papers")
    pipeline.run()
    return pipeline


def shown(pipeline: Pipeline, table: str) -> dict:
    event = pipeline.instance.get_latest_materialization_event(dg.AssetKey(table.split(".")))
    return {name: value.value for name, value in event.asset_materialization.metadata.items()}


def test_rejections_stand_in_a_table_and_as_numbers(pipeline):
    metadata = shown(pipeline, "single_hop.extractions")
    assert metadata["dagster/row_count"] == metadata["dagster/partition_row_count"] == 36
    assert metadata["rejected rows"] == 12
    assert metadata["accepted share"] == 0.6667
    assert metadata["rejected"] == (
        "| rows | share | reason | for example |\n"
        "|---:|---:|---|---|\n"
        "| 12 | 33.3% | malformed_reply | 1790a8e45023d5b9 |\n"
        "| 12 | 33.3% | of all 36 rows | |"
    )
    assert "rejected" not in shown(pipeline, "corpus.papers")


def test_some_accepted_items_stand_at_their_table(pipeline):
    markdown = shown(pipeline, "multi_hop.items")["some accepted items"]
    head, _, *rows = markdown.split("\n\n")[0].splitlines()
    assert head == "| item | kind | question | answer |"
    assert 1 <= len(rows) <= 5
    accepted = "select item_id from multi_hop.items where status = 'accepted'"
    ids = set(pipeline.warehouse.read(accepted)["item_id"])
    assert {row.split(" | ")[0].removeprefix("| ") for row in rows} <= ids
    assert "How do they differ" in rows[0]


def test_what_a_cell_holds_is_shown_as_text():
    table = markdown(pl.DataFrame({"a": ["x|y <b>_z_</b>\n[u](v) `c` \x1b[1m"]}))
    cell = "| x\\|y &lt;b&gt;\\_z\\_&lt;/b&gt; \\[u\\](v) \\`c\\`"
    assert table.splitlines()[2].startswith(cell)
    assert "\x1b" not in table


def test_each_plot_stands_at_its_table_and_is_small(pipeline):
    for name, query in queries_in("plots").items():
        markdown = shown(pipeline, query.table)[name.replace("_", " ")]
        assert query.comment in markdown
        assert len(markdown) < SHOWN_AT_ONCE
    assert shown(pipeline, "single_hop.qa_pairs")["questions per section kind"] == (
        "|kind|kept|rejected|\n"
        "|---|---|---|\n"
        "|abstract|████████████ 12|0|\n"
        "|results|██████████ 10|██ 2|\n\n"
        "Questions of the batch by kind of section, kept and rejected."
    )


def damaged(pipeline: Pipeline, statement: str) -> str:
    """What a run says after somebody changed the warehouse by hand."""
    with pipeline.warehouse.get_connection() as connection:
        connection.execute(statement)
    return "\n".join(failure.message for failure in pipeline.run(evaluate=False))


def test_a_failed_check_says_what_to_do(pipeline, tmp_path):
    pipeline = pipeline_at(copy_of(pipeline.home.folder, tmp_path / "home"))
    said = damaged(pipeline, "update relations.clusters set paper_id = source_paper_id where role = 'target'")
    assert "no_source_in_its_own_cluster: offending rows: " in said
    assert "what to do: the item gives its source away; do not use it." in said
    said = damaged(pipeline, "insert into multi_hop.items select * from multi_hop.items limit 1")
    assert "key occurs 2 times" in said
    assert "Run `aimsciqa reset --from multi_hop --yes`, then `aimsciqa run`" in said


def test_a_run_up_to_the_items_checks_nothing_of_a_benchmark_that_it_leaves_alone(pipeline, tmp_path):
    pipeline = pipeline_at(copy_of(pipeline.home.folder, tmp_path / "home"))
    with pipeline.warehouse.get_connection() as connection:
        insert(connection, "quality.necessity", {"item_id": "of no item", "test": "twin", "verdict": "pass"})
    assert pipeline.run(evaluate=False) == []


def stale(pipeline: Pipeline) -> list[str]:
    """The tables of which the web UI says that a part is stale."""
    graph = build_definitions().resolve_asset_graph()
    resolver = CachingStaleStatusResolver(pipeline.instance, graph, BasicLoadingContext(pipeline.instance))

    def parts(key: dg.AssetKey) -> list[str | None]:
        divided = graph.get(key).partitions_def
        return divided.get_partition_keys(dynamic_partitions_store=pipeline.instance) if divided else [None]

    return sorted(
        ".".join(key.path)
        for key in graph.get_all_asset_keys()
        for part in parts(key)
        if resolver.get_status(key, part) == StaleStatus.STALE
    )


def materialize(pipeline: Pipeline, asset: dg.AssetsDefinition, part: str | None = None) -> None:
    """Make the rows of an asset as the web UI does."""
    made = dg.materialize(
        [asset], resources=pipeline.resources, instance=pipeline.instance, partition_key=part
    )
    assert made.success


def test_what_is_up_to_date_is_not_stale(tmp_path):
    """Neither after a run nor after a materialization, nor for papers that came later."""
    write_corpus(tmp_path / "papers", 6)
    later = sorted((tmp_path / "papers").iterdir())[3:]
    for paper in later:
        paper.rename(tmp_path / paper.name)
    pipeline = pipeline_at(tmp_path / "home", AIMSCIQA_CORPUS_PAPERS_PER_BATCH="3")
    pipeline.ingest(tmp_path / "papers")
    assert pipeline.run(evaluate=False) == []
    assert stale(pipeline) == []
    materialize(pipeline, corpus.parsed_papers, "batch-0001")
    materialize(pipeline, corpus.citation_edges)
    assert stale(pipeline) == []

    for paper in later:
        (tmp_path / paper.name).rename(paper)
    pipeline.ingest(tmp_path / "papers")
    assert pipeline.run(evaluate=False) == []
    assert stale(pipeline) == []

    (tmp_path / "c.csv").write_text(f"paper,year\n{later[0].name},2001\n")
    assert pipeline.correct(tmp_path / "c.csv").papers == 1
    assert pipeline.run(evaluate=False) == []
    materialize(pipeline, single_hop.extractions, "batch-0001")
    assert stale(pipeline) == []

    # What reads rows that were made anew is stale.
    with pipeline.warehouse.get_connection() as connection:
        connection.execute(
            "update ops.materializations set fingerprint = 'new' where table_name = 'single_hop.qa_pairs'"
        )
    materialize(pipeline, relations.scored_section_pairs, "batch-0001")
    assert set(stale(pipeline)) >= {"relations.candidate_relations"}
