"""Relations as assets: section pairs, the selected relations, their clusters and retrieval questions.

All of them work on the papers of one batch as sources and look at every paper so far as a target.
"""

import polars as pl

from aimsciqa_assets.aim_sciqa.relations.candidates import citation_candidates, keyword_candidates
from aimsciqa_assets.aim_sciqa.relations.clusters import citation_clusters, similarity_clusters
from aimsciqa_assets.aim_sciqa.relations.questions import QuestionIndex, order_of
from aimsciqa_assets.aim_sciqa.relations.retrieval import farthest_questions
from aimsciqa_assets.aim_sciqa.relations.section_pairs import parts_in_memory, section_pairs_in_parts
from aimsciqa_assets.aim_sciqa.relations.selection import select_relations
from aimsciqa_assets.aim_sciqa.relations.similarity import Comparison
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.platform.frames import Frames, as_declared, vectors_of
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import Declaration, Step


@step_asset(
    Declaration(
        writes=("relations.section_pairs",),
        reads=("single_hop.qa_pairs",),
        across=(
            "corpus.keywords",
            "single_hop.qa_pairs",
            "relations.embeddings",
            "corpus.source_papers",
            "corpus.citation_edges",
            "citation_guided.pairs",
        ),
        settings=("selection", "relations", "compute.similarity_precision"),
        encodes=True,
        stale_if="section_pairs",
        code="2",
    )
)
def scored_section_pairs(step: Step) -> Frames:
    """Compares the sections of each source with those of its candidates by question embeddings (eq. 4, 5).

    Candidates share a keyword with the source (im), or are cited by it in a sentence of their own (cim).
    """
    sources = _sources(step)
    candidates = _candidates(step, sources)
    settings = step.settings.relations
    how = Comparison(
        settings.tau, settings.section_pairs_per_document_pair, step.settings.compute.similarity_precision
    )
    parts = list(parts_in_memory(candidates, _counted(step), _most_questions(step)))
    compared = sum(part.select("source_paper_id", "target_paper_id").n_unique() for part in parts)
    with progress(f"{step.part}  comparing papers", compared) as advance:
        rows = section_pairs_in_parts(parts, lambda papers: _index(step, "question", papers), how, advance)
    rows = rows.with_columns(batch=pl.lit(step.part))
    return {"relations.section_pairs": as_declared("relations.section_pairs", rows)}


@step_asset(
    Declaration(
        writes=("relations.candidate_relations",), reads=("relations.section_pairs",), settings=("relations",)
    )
)
def candidate_relations(step: Step) -> Frames:
    """Selects the strongest relations of each source, at most three per variant."""
    selected = select_relations(
        step.read_part("relations.section_pairs"), step.settings.relations.relations_per_source
    )
    return {"relations.candidate_relations": selected}


@step_asset(
    Declaration(
        writes=("relations.clusters",),
        reads=("relations.candidate_relations",),
        across=("corpus.papers", "corpus.keywords", "corpus.citation_edges"),
        settings=("relations",),
        stale_if="clusters",
        code="2",
    )
)
def clusters(step: Step) -> Frames:
    """Puts each target among its distractors: 30 papers by keywords (im), or all cited papers (cim)."""
    relations = step.read_part("relations.candidate_relations")
    similar, cited = (relations.filter(pl.col("variant") == variant) for variant in ("im", "cim"))
    rows = pl.concat(
        [
            similarity_clusters(
                similar,
                keyword_candidates(similar["source_paper_id"].unique(), step.read("corpus.keywords")),
                step.read("corpus.papers", "not retracted", "paper_id")["paper_id"].to_list(),
                size=step.settings.relations.cluster_size,
                seed=step.settings.relations.seed,
            ),
            citation_clusters(cited, _edges(step)),
        ]
    )
    return {"relations.clusters": as_declared("relations.clusters", rows)}


@step_asset(
    Declaration(
        writes=("relations.retrieval_questions",),
        reads=("relations.candidate_relations", "relations.clusters"),
        across=("single_hop.qa_pairs", "relations.embeddings"),
        settings=("relations",),
        encodes=True,
        stale_if="retrieval_questions",
    )
)
def retrieval_questions(step: Step) -> Frames:
    """Chooses the target's QA pair with the highest total cosine distance to the rest of the cluster."""
    relations = step.read_part("relations.candidate_relations")
    members = step.read_part("relations.clusters")
    index = _index(step, "qa", members["paper_id"].unique())
    with progress(f"{step.part}  choosing retrieval questions", None) as advance:
        rows = farthest_questions(
            relations,
            members,
            index,
            core_allowed=step.settings.relations.core_as_retrieval_question,
            advance=advance,
        )
    return {"relations.retrieval_questions": as_declared("relations.retrieval_questions", rows)}


def _sources(step: Step) -> pl.Series:
    papers = step.read_part("corpus.papers", columns="paper_id")
    eligible = step.read("corpus.source_papers", "eligible", "paper_id")
    return papers.join(eligible, on="paper_id", how="semi")["paper_id"].sort()


def _candidates(step: Step, sources: pl.Series) -> pl.DataFrame:
    """Candidates of both variants; those of one keyword are a group."""
    by_keyword = keyword_candidates(sources, step.read("corpus.keywords"))
    cited = citation_candidates(
        sources, step.read("citation_guided.pairs"), _edges(step), step.settings.relations.min_cited_cluster
    )
    columns = (pl.col("variant"), "source_paper_id", "target_paper_id", pl.col("group").cast(pl.Int64))
    return pl.concat(
        [
            by_keyword.with_columns(variant=pl.lit("im")).select(columns),
            cited.with_columns(variant=pl.lit("cim"), group=pl.lit(-1)).select(columns),
        ]
    )


def _edges(step: Step) -> pl.DataFrame:
    """Who cites whom, but for papers that were retracted."""
    usable = "cited_paper_id in (select paper_id from corpus.papers where not retracted)"
    return step.read("corpus.citation_edges", usable, "citing_paper_id, cited_paper_id")


def _counted(step: Step) -> pl.DataFrame:
    """How many kept questions each paper has."""
    return step.warehouse.read(
        "select paper_id, count(*) as questions from single_hop.qa_pairs where status = 'kept' group by all"
    )


def _most_questions(step: Step) -> int:
    """How many question vectors the settings allow in memory besides those of the sources."""
    measured = step.warehouse.read("select len(vector) as numbers from relations.embeddings limit 1")
    numbers = int(measured["numbers"].sum()) or 1
    return max(1, step.settings.compute.similarity_memory_mib * 2**20 // (4 * numbers))


def _index(step: Step, level: str, papers: pl.Series) -> QuestionIndex:
    """Kept pairs of some papers, with their vectors of a level."""
    asked = {
        "papers": papers.to_list(),
        "level": level,
        "encoder": step.encoder.name,
        "revision": step.encoder.revision,
    }
    # The numbers of rows hold as long as nobody writes.
    with step.warehouse.one_state():
        pairs = step.warehouse.read(query_of("vectors.of_papers").text, asked)
        pairs = pairs[order_of(pairs)]
        read = step.warehouse.stream(query_of("vectors.of_rows").text, {"rows": pairs["row"].to_list()})
        vectors = vectors_of(pairs["row"].to_numpy(), read)
    return QuestionIndex.of(pairs, vectors)
