"""Relations as assets: section pairs, the selected relations, their clusters and retrieval questions.

Every step takes the papers of one batch as sources, and all papers of the corpus as possible targets.
"""

import polars as pl

from aimsciqa_assets.aim_sciqa.relations.candidates import citation_candidates, keyword_candidates
from aimsciqa_assets.aim_sciqa.relations.clusters import citation_clusters, similarity_clusters
from aimsciqa_assets.aim_sciqa.relations.reading import (
    ADMITTED,
    KeptQuestions,
    cited_alone,
    edges_of,
    index_of,
    keywords_of,
    listed_by,
    most_questions,
)
from aimsciqa_assets.aim_sciqa.relations.retrieval_questions import farthest_questions
from aimsciqa_assets.aim_sciqa.relations.section_pairs import parts_in_memory, section_pairs_in_parts
from aimsciqa_assets.aim_sciqa.relations.selection import select_relations
from aimsciqa_assets.aim_sciqa.relations.similarity import Comparison
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.orchestration.sql_assets import sql_asset
from aimsciqa_assets.platform.batches import INPUT_FILES
from aimsciqa_assets.platform.frames import Frames, as_declared
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.steps import Step, StepRun


@step_asset(
    Step(
        writes=("relations.section_pairs",),
        reads=("single_hop.qa_pairs", "corpus.references"),
        across=(
            "corpus.keywords",
            "single_hop.qa_pairs",
            "relations.embeddings",
            "corpus.source_papers",
            "corpus.admitted_papers",
            "corpus.citation_edges",
            "citation_guided.pairs",
        ),
        settings=("selection", "relations", "compute.similarity_precision"),
        encodes=True,
        stale_if="section_pairs",
        code="2",
    )
)
def scored_section_pairs(run: StepRun) -> Frames:
    """Compares the sections of each source with those of its candidates by question embeddings (eq. 4, 5).

    Candidates share a keyword with the source (im), or the source cites them alone in a sentence (cim).
    """
    kept = KeptQuestions.read(run)
    candidates = _candidates(run, _sources(run))
    settings = run.settings.relations
    how = Comparison(
        settings.tau, settings.section_pairs_per_document_pair, run.settings.compute.similarity_precision
    )
    parts = list(parts_in_memory(candidates, kept.of_papers, most_questions(run)))
    compared = sum(part.select("source_paper_id", "target_paper_id").n_unique() for part in parts)
    with progress(f"{run.part}  comparing papers", compared) as advance:
        rows = section_pairs_in_parts(
            parts, lambda papers: index_of(run, "question", papers, kept), how, advance
        )
    rows = rows.with_columns(batch=pl.lit(run.part))
    return {"relations.section_pairs": as_declared("relations.section_pairs", rows)}


@step_asset(
    Step(
        writes=("relations.candidate_relations",),
        reads=("relations.section_pairs",),
        settings=("relations",),
    )
)
def candidate_relations(run: StepRun) -> Frames:
    """Selects each source's strongest relations, `relations.relations_per_source` per variant at most."""
    section_pairs = run.read_part("relations.section_pairs")
    per_source = run.settings.relations.relations_per_source
    return {"relations.candidate_relations": select_relations(section_pairs, per_source)}


# With which ingest a batch came never changes.
mirrors = sql_asset("relations.mirrors", across=(INPUT_FILES,), across_if=lambda _settings: False)


@step_asset(
    Step(
        writes=("relations.clusters",),
        reads=("relations.candidate_relations",),
        across=("corpus.papers", "corpus.admitted_papers", "corpus.keywords", "corpus.citation_edges"),
        settings=("relations",),
        stale_if="clusters",
        code="3",
    )
)
def clusters(run: StepRun) -> Frames:
    """Puts each target among distractors: the nearest papers by keywords (im), or all cited papers (cim)."""
    relations = run.read_part("relations.candidate_relations")
    similar, cited = (relations.filter(pl.col("variant") == variant) for variant in ("im", "cim"))
    rows = pl.concat(
        [
            similarity_clusters(
                similar,
                keyword_candidates(
                    similar["source_paper_id"].unique(),
                    keywords_of(run),
                    run.settings.relations.keyword_order,
                ),
                run.read("corpus.papers", f"not retracted and {ADMITTED}", "paper_id")["paper_id"].to_list(),
                size=run.settings.relations.cluster_size,
                seed=run.settings.relations.seed,
            ),
            citation_clusters(cited, edges_of(run, cited["source_paper_id"].unique())),
        ]
    )
    return {"relations.clusters": as_declared("relations.clusters", rows)}


@step_asset(
    Step(
        writes=("relations.retrieval_questions",),
        reads=("relations.candidate_relations", "relations.clusters"),
        across=("single_hop.qa_pairs", "relations.embeddings"),
        settings=("relations",),
        encodes=True,
        stale_if="retrieval_questions",
    )
)
def retrieval_questions(run: StepRun) -> Frames:
    """Chooses the target's QA pair with the highest total cosine distance to the rest of the cluster."""
    members = run.read_part("relations.clusters")
    index = index_of(run, "qa", members["paper_id"].unique(), KeptQuestions.read(run))
    with progress(f"{run.part}  choosing retrieval questions", None) as advance:
        rows = farthest_questions(
            run.read_part("relations.candidate_relations"),
            members,
            index,
            core_allowed=run.settings.relations.core_as_retrieval_question,
            advance=advance,
        )
    return {"relations.retrieval_questions": as_declared("relations.retrieval_questions", rows)}


def _sources(run: StepRun) -> pl.Series:
    papers = run.read_part("corpus.papers", columns="paper_id")
    eligible = run.read("corpus.source_papers", "eligible", "paper_id")
    return papers.join(eligible, on="paper_id", how="semi")["paper_id"].sort()


def _candidates(run: StepRun, sources: pl.Series) -> pl.DataFrame:
    """Candidates of both variants. `group` is the number of a shared keyword, -1 for cited papers."""
    settings = run.settings.relations
    by_keyword = keyword_candidates(sources, keywords_of(run), settings.keyword_order)
    listed = listed_by(run) if settings.all_citations_in_corpus else None
    cited = citation_candidates(
        sources, cited_alone(run, sources), edges_of(run, sources), settings.min_cited_cluster, listed
    )
    columns = (pl.col("variant"), "source_paper_id", "target_paper_id", pl.col("group").cast(pl.Int64))
    return pl.concat(
        [
            by_keyword.with_columns(variant=pl.lit("im")).select(columns),
            cited.with_columns(variant=pl.lit("cim"), group=pl.lit(-1)).select(columns),
        ]
    )
