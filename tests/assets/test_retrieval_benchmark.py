"""The assets of the retrieval benchmark on a small corpus, with an encoder of the tests' own."""

import dagster as dg
import pytest

from aimsciqa_assets.benchmark.retrieval import assets as retrieval
from aimsciqa_assets.orchestration.presentation import problems_of
from aimsciqa_assets.platform.queries import queries_in, query_of
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES
from tests.fakes import WordEncoder
from tests.small_home import copy_of
from tests.some_steps import run_some
from tests.two_batches import CLUSTER, pipeline_at

pytestmark = pytest.mark.slow

FEW_CANDIDATES = {("cim", "cluster"), ("cim", "random")}
"""Three papers at most, so that Hit@3 would say nothing."""
TABLES_MADE = ("queries", "rankings", "retrieval_scores", "retrieval_comparisons")


class Benchmark:
    """The retrieval benchmark over a finished pipeline; `encoder` counts what it encoded."""

    def __init__(self, folder, **environment: str) -> None:
        self.encoder = WordEncoder()
        self.settings = Settings.preset_of("demo", CLUSTER | environment)
        self.pipeline = pipeline_at(folder, encoder=self.encoder, environment=CLUSTER | environment)

    def run(self, *more: str) -> None:
        """The scores and what they are made from, and `more` tables."""
        assert run_some(self.pipeline, "benchmark.retrieval_scores", *more) == []

    def retrieve(self) -> None:
        """Only the steps of retrieval: answers, release and report do not matter here."""
        for table in ("queries", "rankings", "retrieval_scores"):
            step = STEPS[f"benchmark.{table}"]
            parts = self.settings.benchmark.retriever_names if table == "rankings" else [""]
            for part in parts:
                bring_up_to_date(step, StepRun.of(step, part, self.pipeline.resources))

    def rank(self) -> None:
        """Only that step."""
        for name in self.settings.benchmark.retriever_names:
            self.pipeline.instance.add_dynamic_partitions("retriever", [name])
            assert dg.materialize(
                [retrieval.rankings],
                partition_key=name,
                resources=self.pipeline.resources,
                instance=self.pipeline.instance,
            ).success

    def rows(self, query: str) -> list[tuple]:
        return self.pipeline.warehouse.read(query).rows()

    def scores(self, measure: str) -> dict[tuple, float]:
        rows = self.rows(
            "select retriever, variant, setting, value from benchmark.retrieval_scores"
            f" where measure = '{measure}'"
        )
        return {tuple(key): value for *key, value in rows}

    def averages(self, of: str) -> dict[tuple, float]:
        """Of the stored ranks, with neither our measures nor those of a library."""
        rows = self.rows(
            f"select retriever, variant, setting, avg({of}) from benchmark.rankings group by all"
        )
        return {tuple(key): value for *key, value in rows}

    def offending(self) -> dict[str, int]:
        return {
            name: self.pipeline.warehouse.read(query.text, query.parameters(self.settings)).height
            for name, query in queries_in("tests").items()
            if query.table in {f"benchmark.{table}" for table in TABLES_MADE}
        }


@pytest.fixture
def home(finished, tmp_path):
    return copy_of(finished, tmp_path / "home")


def test_the_retrieval_benchmark(home):
    benchmark = Benchmark(home, AIMSCIQA_BENCHMARK_RETRIEVERS="bm25 words bm25+words")
    benchmark.run()
    ((accepted,),) = benchmark.rows("select count(*) from multi_hop.items where status = 'accepted'")
    assert accepted > 40
    assert benchmark.rows("select count(*) from benchmark.queries") == [(accepted,)]
    assert benchmark.rows("select retriever, count(*) from benchmark.rankings group by all order by all") == [
        (name, 3 * accepted) for name in ("bm25", "bm25+words", "words")
    ]
    assert benchmark.rows(
        "select distinct candidates from benchmark.rankings where setting = 'full' order by all"
    ) == [(11,)]
    assert benchmark.scores("MRR@5") == pytest.approx(benchmark.averages("if(rank <= 5, 1 / rank, 0)"))
    averages = benchmark.averages("(rank <= 3)::int")
    in_clusters_of_more = {key: value for key, value in averages.items() if key[1:] not in FEW_CANDIDATES}
    assert benchmark.scores("Hit@3") == pytest.approx(in_clusters_of_more)
    assert benchmark.rows("select count(*) from benchmark.retrieval_comparisons") == [(3 * 2 * 3 * 2,)]
    assert set(benchmark.offending().values()) == {0}
    assert len(benchmark.offending()) == 3
    for table in TABLES_MADE:
        assert problems_of(benchmark.pipeline.warehouse, TABLES[f"benchmark.{table}"]) == []
    assert len(benchmark.rows(query_of("cli.retrieval").text)) == 3 * 2 * 2
    assert len(benchmark.rows(query_of("cli.retrieval_full").text)) == 3 * 2


def test_another_retriever_leaves_the_others_alone(home):
    Benchmark(home, AIMSCIQA_BENCHMARK_RETRIEVERS="words").retrieve()
    benchmark = Benchmark(home, AIMSCIQA_BENCHMARK_RETRIEVERS="words bm25")
    benchmark.rank()
    assert benchmark.encoder.encoded == 0
    assert len(benchmark.rows("select distinct retriever from benchmark.rankings")) == 2


@pytest.mark.parametrize(
    ("text", "passages"),
    [
        # Abstract, introduction and results of 12 papers.
        ("chunks", "select 36"),
        ("questions", "select count(*) from single_hop.qa_pairs where status = 'kept'"),
    ],
)
def test_papers_in_pieces(home, text, passages):
    Benchmark(home, AIMSCIQA_BENCHMARK_RETRIEVERS="words").retrieve()
    benchmark = Benchmark(home, AIMSCIQA_BENCHMARK_RETRIEVERS="words", AIMSCIQA_BENCHMARK_DOCUMENT_TEXT=text)
    benchmark.rank()
    ((asked,),) = benchmark.rows("select count(*) from benchmark.queries")
    ((read,),) = benchmark.rows(passages)
    assert benchmark.encoder.encoded == asked + read
    assert set(benchmark.offending().values()) == {0}


def test_no_item_is_no_score(home):
    benchmark = Benchmark(
        home,
        AIMSCIQA_BENCHMARK_RETRIEVERS="bm25 words",
        AIMSCIQA_BENCHMARK_SPLIT="test",
        AIMSCIQA_MULTI_HOP_TEST_ITEMS="0",
    )
    benchmark.run()
    assert [benchmark.rows(f"select count(*) from benchmark.{table}") for table in TABLES_MADE] == [
        [(0,)]
    ] * 4
    assert set(benchmark.offending().values()) == {0}


def test_a_retriever_that_is_written_wrongly_names_the_setting_and_holds_up_no_other(home):
    benchmark = Benchmark(home, AIMSCIQA_BENCHMARK_RETRIEVERS="BM25 words")
    failures = benchmark.pipeline.run()
    assert [failure.part for failure in failures] == ["BM25"]
    assert "AIMSCIQA_BENCHMARK_RETRIEVERS" in failures[0].message
    assert {retriever for retriever, _, _ in benchmark.scores("Hit@1")} == {"words"}


def test_a_sample_of_each_kind_is_searched_for_and_scored(home):
    benchmark = Benchmark(
        home, AIMSCIQA_BENCHMARK_RETRIEVERS="bm25 words", AIMSCIQA_BENCHMARK_RETRIEVAL_ITEMS="2"
    )
    benchmark.run("benchmark.answers")
    assert benchmark.rows("select distinct queries from benchmark.retrieval_scores") == [(2,)]
    asked = (
        "select retriever, variant, count(distinct item_id) from benchmark.rankings group by all order by all"
    )
    assert benchmark.rows(asked) == [
        ("bm25", "cim", 2),
        ("bm25", "im", 2),
        ("words", "cim", 2),
        ("words", "im", 2),
    ]
    realistic = (
        "select count(*) from benchmark.answers where setting = 'realistic' and rejection_reason is null"
    )
    assert benchmark.rows(realistic) == [(4,)]
    assert set(benchmark.offending().values()) == {0}
