"""The retrieval benchmark as assets: queries, a ranking of each by each retriever, scores, comparisons."""

import polars as pl
from aimsciqa_resources.warehouse import tables_in

from aimsciqa_assets.benchmark.dependence import FACTS, drawn_clusters
from aimsciqa_assets.benchmark.retrieval.access import access_rows
from aimsciqa_assets.benchmark.retrieval.corpus import RETRIEVABLE, retrieved_documents
from aimsciqa_assets.benchmark.retrieval.queries import query_rows
from aimsciqa_assets.benchmark.retrieval.rankings import ranking_rows
from aimsciqa_assets.benchmark.retrieval.scores import comparison_rows, score_rows
from aimsciqa_assets.benchmark.samples import sampled
from aimsciqa_assets.items.form import gold_papers, papers_in_hand
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.retrieval.notation import parse
from aimsciqa_assets.retrieval.opening import Opening

_ITEMS = query_of("benchmark.items")
_POOLS = query_of("benchmark.pools")
_EVALUATED = query_of("benchmark.evaluated")


@step_asset(
    Step(
        writes=("benchmark.queries",),
        reads=(
            *sorted({*tables_in(_ITEMS.text), *tables_in(_POOLS.text)}),
            "corpus.papers",
            "corpus.admitted_papers",
        ),
        settings=("benchmark.split", "benchmark.whole_variants", "benchmark.seed"),
        code=f"{_ITEMS.version}+{_POOLS.version}",
    )
)
def queries(run: StepRun) -> Frames:
    """Chooses the items to evaluate, each with the papers among which a retriever looks for its gold papers.

    Papers that were retracted or are not admitted are left out, and so is an item whose gold paper is one.
    """
    rows = query_rows(
        run.warehouse.read(_ITEMS.text),
        dict(run.warehouse.read(_POOLS.text).iter_rows()),
        run.read("corpus.papers", RETRIEVABLE, "paper_id")["paper_id"].sort().to_list(),
        split=run.settings.benchmark.split,
        whole=run.settings.benchmark.whole_variants.split(),
        seed=run.settings.benchmark.seed,
    )
    return {"benchmark.queries": frame_of("benchmark.queries", rows)}


@step_asset(
    Step(
        writes=("benchmark.rankings",),
        reads=(
            *tables_in(_EVALUATED.text),
            "corpus.papers",
            "corpus.admitted_papers",
            "corpus.sections",
            "corpus.paragraphs",
            "single_hop.qa_pairs",
        ),
        settings=(
            "benchmark.retrieval_items",
            "benchmark.seed",
            "benchmark.retriever_models",
            "benchmark.retriever_precision",
            "benchmark.trust_remote_code",
            "benchmark.document_text",
            "benchmark.chunk_words",
            "benchmark.rerank_depth",
        ),
        encodes=True,
        code=f"3+{_EVALUATED.version}",
    )
)
def rankings(run: StepRun) -> Frames:
    """Lets a retriever rank papers for each query: its cluster, a random cluster, and all papers."""
    asked = _asked(run)
    notation = parse(run.part)
    documents = retrieved_documents(run)
    retriever = Opening(documents, run.encoder, run.settings.benchmark).open(notation)
    with progress(f"{run.part}  ranking papers", asked.height) as advance:
        rows = list(ranking_rows(run.part, retriever, documents, asked, advance))
    return {"benchmark.rankings": frame_of("benchmark.rankings", rows)}


@step_asset(
    Step(
        writes=("benchmark.retrieval_scores", "benchmark.retrieval_comparisons"),
        reads=("benchmark.rankings", *tables_in(_EVALUATED.text), *tables_in(FACTS.text)),
        settings=(
            "benchmark.retrieval_items",
            "benchmark.resampled",
            "benchmark.resamples",
            "benchmark.seed",
        ),
        code=f"2+{_EVALUATED.version}+{FACTS.version}",
    )
)
def retrieval_scores(run: StepRun) -> Frames:
    """Measures the rankings with 95 % bootstrap intervals, and compares the retrievers in pairs: difference,
    interval, paired randomisation test with Holm's adjustment, over groups of items that share a
    fact.
    """
    rankings = _current_rankings(run)
    golds = dict(_asked(run).select("item_id", "gold").iter_rows())
    clusters = drawn_clusters(run, golds)
    resamples, seed = run.settings.benchmark.resamples, run.settings.benchmark.seed
    return {
        table: frame_of(table, rows(rankings, golds, clusters=clusters, resamples=resamples, seed=seed))
        for table, rows in (
            ("benchmark.retrieval_scores", score_rows),
            ("benchmark.retrieval_comparisons", comparison_rows),
        )
    }


@step_asset(
    Step(
        writes=("benchmark.evidence_access",),
        reads=("benchmark.rankings", *tables_in(_EVALUATED.text), *tables_in(FACTS.text)),
        settings=(
            "benchmark.retrieval_items",
            "benchmark.evidence_missing",
            "benchmark.resampled",
            "benchmark.resamples",
            "benchmark.seed",
        ),
        code=f"{_EVALUATED.version}+{FACTS.version}",
    )
)
def evidence_access(run: StepRun) -> Frames:
    """Measures how well each retriever finds the gold papers of the items among all papers (HopWeaver).

    Nothing is searched again: the rankings are those of the benchmark. Queries without gold papers, or
    without a result, count as 0 or are skipped, as the settings say; both are counted.
    """
    chosen, queries = run.settings.benchmark, _queries(run)
    rows = access_rows(
        _current_rankings(run).filter(pl.col("setting") == "full"),
        queries,
        missing=chosen.evidence_missing,
        clusters=drawn_clusters(run, queries["item_id"]),
        resamples=chosen.resamples,
        seed=chosen.seed,
    )
    return {"benchmark.evidence_access": frame_of("benchmark.evidence_access", rows)}


def _asked(run: StepRun) -> pl.DataFrame:
    """The items whose gold papers are searched for."""
    return _queries(run).filter(pl.col("gold").list.len() > 0)


def _queries(run: StepRun) -> pl.DataFrame:
    """The items that ask for papers, with the papers that are `gold` and those `in_hand`."""
    chosen = run.settings.benchmark
    evaluated = sampled(run.warehouse.read(_EVALUATED.text), chosen.retrieval_items, chosen.seed)
    documents = evaluated["documents"].to_list()
    return evaluated.with_columns(
        pl.Series("gold", [gold_papers(of) for of in documents], dtype=pl.List(pl.String)),
        pl.Series("in_hand", [papers_in_hand(of) for of in documents], dtype=pl.List(pl.String)),
    ).filter(pl.col("query").is_not_null())


def _current_rankings(run: StepRun) -> pl.DataFrame:
    current = run.current_parts("benchmark.rankings")
    return run.read("benchmark.rankings", "retriever in (select unnest($current))", current=current)
