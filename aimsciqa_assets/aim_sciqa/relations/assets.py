"""Relations as assets: section pairs, the selected relations, their clusters and retrieval questions.

Every step takes the papers of one batch as sources, and all papers of the corpus as possible targets.
"""

import numpy as np
import polars as pl

from aimsciqa_assets.aim_sciqa.relations.candidates import (
    citation_candidates,
    keyword_candidates,
    nearest_candidates,
)
from aimsciqa_assets.aim_sciqa.relations.clusters import citation_clusters, similarity_clusters
from aimsciqa_assets.aim_sciqa.relations.core_pairs import (
    Ranking,
    examined,
    offered_pairs,
    ranked_core_pairs,
    with_best_core_pairs,
)
from aimsciqa_assets.aim_sciqa.relations.other_facts import other_facts as facts_beside
from aimsciqa_assets.aim_sciqa.relations.reading import (
    ADMITTED,
    KeptQuestions,
    cited_alone,
    edges_of,
    index_of,
    keywords_of,
    listed_by,
    most_questions,
    rarity_in,
    statements_of,
)
from aimsciqa_assets.aim_sciqa.relations.retrieval_questions import (
    Choice,
    first_questions,
    questions_by_distance,
    retrieval_candidates,
)
from aimsciqa_assets.aim_sciqa.relations.section_pairs import parts_in_memory, section_pairs_in_parts
from aimsciqa_assets.aim_sciqa.relations.selection import select_relations
from aimsciqa_assets.aim_sciqa.relations.similarity import Comparison
from aimsciqa_assets.aim_sciqa.relations.statements import is_result, specificity
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.orchestration.sql_assets import sql_asset
from aimsciqa_assets.platform.batches import INPUT_FILES
from aimsciqa_assets.platform.frames import Frames, as_declared, frame_of
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
        settings=("selection", "relations", "compute.similarity_precision", "refinement.nearest_papers"),
        encodes=True,
        stale_if="section_pairs",
        code="2",
    )
)
def scored_section_pairs(run: StepRun) -> Frames:
    """Compares the sections of each source with those of its candidates by question embeddings (eq. 4, 5).

    Candidates share a keyword with the source (im), or the source cites them alone in a sentence (cim). With
    `refinement.nearest_papers` those with the nearest questions are candidates (im), too.
    """
    sources, kept = _sources(run), KeptQuestions.read(run)
    candidates = _candidates(run, sources, kept)
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
        writes=("relations.candidate_relations", "relations.core_pairs"),
        reads=("relations.section_pairs",),
        across=("single_hop.qa_pairs", "relations.embeddings", "corpus.sections"),
        across_if=lambda settings: settings.refinement.rank_core_pairs,
        settings=(
            "relations",
            "refinement.rank_core_pairs",
            "refinement.relations_examined",
            "refinement.core_pairs_offered",
        ),
        encodes=True,
    )
)
def candidate_relations(run: StepRun) -> Frames:
    """Selects the strongest relations of each source, at most `relations.relations_per_source` per variant.

    With `refinement.rank_core_pairs` it ranks the core pairs first, and takes the relations whose best ones
    share most.
    """
    section_pairs = run.read_part("relations.section_pairs")
    per_source = run.settings.relations.relations_per_source
    core_pairs = frame_of("relations.core_pairs", [])
    if run.settings.refinement.rank_core_pairs:
        core_pairs = _core_pairs(run, section_pairs)
        section_pairs = with_best_core_pairs(section_pairs, core_pairs, per_source)
    return {
        "relations.candidate_relations": select_relations(section_pairs, per_source),
        "relations.core_pairs": core_pairs,
    }


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
        writes=("relations.retrieval_questions", "relations.retrieval_candidates"),
        reads=("relations.candidate_relations", "relations.clusters"),
        across=("single_hop.qa_pairs", "relations.embeddings", "corpus.sections"),
        settings=(
            "relations",
            "refinement.model_chooses",
            "refinement.retrieval_questions_offered",
            "refinement.retrieval_specificity",
        ),
        encodes=True,
        stale_if="retrieval_questions",
    )
)
def retrieval_questions(run: StepRun) -> Frames:
    """Chooses the target's QA pair with the highest total cosine distance to the rest of the cluster.

    With `refinement.retrieval_specificity` rare names and values count beside the distance. Where the model
    chooses, the next best are kept as candidates.
    """
    relations = run.read_part("relations.candidate_relations")
    members = run.read_part("relations.clusters")
    kept = KeptQuestions.read(run)
    index = index_of(run, "qa", members["paper_id"].unique(), kept)
    with progress(f"{run.part}  choosing retrieval questions", None) as advance:
        ordered = questions_by_distance(
            relations,
            members,
            index,
            core_allowed=run.settings.relations.core_as_retrieval_question,
            choice=_choice(run, relations["target_paper_id"].unique(), kept),
            advance=advance,
        )
    candidates = frame_of("relations.retrieval_candidates", [])
    if run.settings.refinement.model_chooses:
        candidates = retrieval_candidates(ordered, run.settings.refinement.retrieval_questions_offered)
    return {
        "relations.retrieval_questions": as_declared(
            "relations.retrieval_questions", first_questions(ordered)
        ),
        "relations.retrieval_candidates": as_declared("relations.retrieval_candidates", candidates),
    }


@step_asset(
    Step(
        writes=("relations.other_facts",),
        reads=("relations.candidate_relations", "relations.core_pairs"),
        across=("single_hop.qa_pairs", "relations.embeddings"),
        across_if=lambda settings: settings.refinement.model_chooses and settings.refinement.other_facts > 0,
        settings=(
            "refinement.model_chooses",
            "refinement.core_pairs_offered",
            "refinement.other_facts",
        ),
        encodes=True,
        stale_if="other_facts",
    )
)
def other_facts(run: StepRun) -> Frames:
    """Finds what else both papers of a relation say on the matter of its core pairs.

    Whoever chooses one sees with it whether a paper has a second value. Without `refinement.model_chooses`
    there are none.
    """
    refinement = run.settings.refinement
    found = [frame_of("relations.other_facts", [])]
    if refinement.model_chooses and refinement.other_facts:
        relations, kept = run.read_part("relations.candidate_relations"), KeptQuestions.read(run)
        core = offered_pairs(relations, run.read_part("relations.core_pairs"), refinement.core_pairs_offered)
        with progress(f"{run.part}  looking for other facts", relations.height) as advance:
            for part in parts_in_memory(relations, kept.of_papers, most_questions(run)):
                papers = pl.concat([part["source_paper_id"], part["target_paper_id"]]).unique()
                index = index_of(run, "question", papers, kept)
                found.append(facts_beside(part, core, index, refinement.other_facts))
                advance(part.height)
    return {"relations.other_facts": pl.concat(found).sort("relation_id", "role", "rank")}


def _sources(run: StepRun) -> pl.Series:
    papers = run.read_part("corpus.papers", columns="paper_id")
    eligible = run.read("corpus.source_papers", "eligible", "paper_id")
    return papers.join(eligible, on="paper_id", how="semi")["paper_id"].sort()


def _candidates(run: StepRun, sources: pl.Series, kept: KeptQuestions) -> pl.DataFrame:
    """Candidates of both variants. `group` is the number of a shared keyword, -1 for cited papers."""
    settings = run.settings.relations
    by_keyword = keyword_candidates(sources, keywords_of(run), settings.keyword_order)
    listed = listed_by(run) if settings.all_citations_in_corpus else None
    cited = citation_candidates(
        sources, cited_alone(run, sources), edges_of(run, sources), settings.min_cited_cluster, listed
    )
    near = _nearest(run, sources, kept).join(
        by_keyword, on=["source_paper_id", "target_paper_id"], how="anti"
    )
    columns = (pl.col("variant"), "source_paper_id", "target_paper_id", pl.col("group").cast(pl.Int64))
    return pl.concat(
        [
            by_keyword.with_columns(variant=pl.lit("im")).select(columns),
            near.with_columns(variant=pl.lit("im"), group=pl.lit(-1)).select(columns),
            cited.with_columns(variant=pl.lit("cim"), group=pl.lit(-1)).select(columns),
        ]
    )


def _nearest(run: StepRun, sources: pl.Series, kept: KeptQuestions) -> pl.DataFrame:
    """The papers with the nearest questions; none without `refinement.nearest_papers`."""
    most = run.settings.refinement.nearest_papers
    counted = kept.of_papers
    if not most or counted.is_empty():
        return nearest_candidates(sources, pl.Series([], dtype=pl.String), np.zeros((0, 1), np.float32), 0)
    admitted = run.read("corpus.admitted_papers", columns="paper_id")
    usable = counted.join(admitted, on="paper_id", how="semi", maintain_order="left")
    part = (usable["questions"].cum_sum() // most_questions(run)).to_numpy()
    papers, means = [], []
    for number in np.unique(part):
        index = index_of(run, "question", usable.filter(part == number)["paper_id"], kept)
        papers.append(index.paper_ids)
        means.append(np.add.reduceat(index.vectors, index.rows_of_papers[:-1]))
    return nearest_candidates(sources, pl.concat(papers), np.concatenate(means), most)


def _core_pairs(run: StepRun, section_pairs: pl.DataFrame) -> pl.DataFrame:
    """The ranked core pairs of the section pairs that are examined, in parts that fit into memory."""
    settings, kept = run.settings, KeptQuestions.read(run)
    rarity = rarity_in(run, kept)
    how = Ranking(settings.relations.tau, settings.refinement.core_pairs_offered)
    looked_at = examined(section_pairs, settings.refinement.relations_examined)
    found = [frame_of("relations.core_pairs", [])]
    with progress(f"{run.part}  ranking core pairs", looked_at.height) as advance:
        for part in parts_in_memory(looked_at, kept.of_papers, most_questions(run)):
            papers = pl.concat([part["source_paper_id"], part["target_paper_id"]]).unique()
            questions = index_of(run, "question", papers, kept).questions_of
            found.append(ranked_core_pairs(part, statements_of(run, papers, kept), questions, rarity, how))
            advance(part.height)
    return pl.concat(found).sort("section_pair_id", "source_qa_id", "target_qa_id")


def _choice(run: StepRun, targets: pl.Series, kept: KeptQuestions) -> Choice | None:
    """What counts beside distance, under these settings."""
    refinement = run.settings.refinement
    if not (refinement.model_chooses or refinement.retrieval_specificity):
        return None
    rarity, statements = rarity_in(run, kept), statements_of(run, targets, kept)
    return Choice(
        {qa_id: specificity(f"{one.question} {one.answer}", rarity) for qa_id, one in statements.items()},
        {qa_id for qa_id, one in statements.items() if not is_result(one)},
        refinement.retrieval_specificity,
    )
