"""Relations as assets: section pairs, the selected relations, their clusters and retrieval questions.

All of them work on the papers of one batch as sources and look at every paper so far as a target.
"""

import polars as pl

from aimsciqa_assets.asset_builders import step_asset
from aimsciqa_assets.frames import Frames, frame_of, vectors_of
from aimsciqa_assets.progress import progress
from aimsciqa_assets.relations.candidates import citation_candidates, keyword_candidates, targets_by_source
from aimsciqa_assets.relations.clusters import cluster_rows
from aimsciqa_assets.relations.retrieval import retrieval_rows
from aimsciqa_assets.relations.section_pairs import QuestionIndex, section_pairs
from aimsciqa_assets.relations.selection import select_relations
from aimsciqa_assets.steps import Declaration, Step


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
        settings=("selection", "relations"),
        encodes=True,
        stale_if="section_pairs",
    )
)
def scored_section_pairs(step: Step) -> Frames:
    """Compares the sections of each source with those of its candidates by question embeddings (eq. 4, 5).

    Candidates share a keyword with the source (im), or are cited by it in a sentence of their own (cim).
    """
    sources = _sources(step)
    index = _questions(step)
    by_variant = {
        "im": targets_by_source(keyword_candidates(sources, step.read("corpus.keywords"))),
        "cim": targets_by_source(
            citation_candidates(
                sources,
                step.read("citation_guided.pairs"),
                _edges(step),
                step.settings.relations.min_cited_cluster,
            )
        ),
    }
    with progress(f"{step.part}  comparing sections", sum(map(len, by_variant.values()))) as advance:
        rows = [
            row | {"batch": step.part}
            for variant, candidates in by_variant.items()
            for row in section_pairs(
                candidates,
                index,
                variant=variant,
                tau=step.settings.relations.tau,
                per_document_pair=step.settings.relations.section_pairs_per_document_pair,
                advance=advance,
            )
        ]
    return {"relations.section_pairs": frame_of("relations.section_pairs", rows)}


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
    )
)
def clusters(step: Step) -> Frames:
    """Puts each target among its distractors: 30 papers by keywords (im), or all cited papers (cim)."""
    relations = step.read_part("relations.candidate_relations")
    rows = cluster_rows(
        relations,
        nearest=targets_by_source(
            keyword_candidates(relations["source_paper_id"].unique(), step.read("corpus.keywords"))
        ),
        papers=step.read("corpus.papers", "not retracted", "paper_id")["paper_id"].to_list(),
        cited=_cited(step),
        size=step.settings.relations.cluster_size,
        seed=step.settings.relations.seed,
    )
    return {"relations.clusters": frame_of("relations.clusters", rows)}


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
    vectors = _embedded(step, "qa")
    with progress(f"{step.part}  choosing retrieval questions", relations.height) as advance:
        rows = list(
            retrieval_rows(
                relations,
                members,
                vectors,
                core_allowed=step.settings.relations.core_as_retrieval_question,
                advance=advance,
            )
        )
    return {"relations.retrieval_questions": frame_of("relations.retrieval_questions", rows)}


def _sources(step: Step) -> pl.Series:
    papers = step.read_part("corpus.papers", columns="paper_id")
    eligible = step.read("corpus.source_papers", "eligible", "paper_id")
    return papers.join(eligible, on="paper_id", how="semi")["paper_id"].sort()


def _cited(step: Step) -> dict[str, list[str]]:
    edges = _edges(step).group_by("citing_paper_id", maintain_order=True).agg("cited_paper_id")
    return dict(edges.iter_rows())


def _edges(step: Step) -> pl.DataFrame:
    """Who cites whom, but for papers that were retracted."""
    usable = "cited_paper_id in (select paper_id from corpus.papers where not retracted)"
    return step.read("corpus.citation_edges", usable, "citing_paper_id, cited_paper_id")


def _questions(step: Step) -> QuestionIndex:
    rows = _embedded(step, "question")
    return QuestionIndex.of(rows.drop("vector"), vectors_of(rows["vector"]))


def _embedded(step: Step, level: str) -> pl.DataFrame:
    """Vectors of all kept pairs of papers that were not retracted, by paper, section and pair."""
    usable = (
        "level = $level and encoder = $encoder and encoder_revision = $revision"
        " and qa_id in (select qa_id from single_hop.qa_pairs where status = 'kept')"
        " and paper_id not in (select paper_id from corpus.papers where retracted)"
    )
    return step.read(
        "relations.embeddings",
        usable,
        "paper_id, section_id, qa_id, vector",
        level=level,
        encoder=step.encoder.name,
        revision=step.encoder.revision,
    )
