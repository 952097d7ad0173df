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
    ranked_core_pairs,
    rarity_of,
    with_best_core_pairs,
)
from aimsciqa_assets.aim_sciqa.relations.question_index import QuestionIndex, order_of
from aimsciqa_assets.aim_sciqa.relations.retrieval_questions import (
    Choice,
    first_questions,
    questions_by_distance,
    retrieval_candidates,
)
from aimsciqa_assets.aim_sciqa.relations.section_pairs import parts_in_memory, section_pairs_in_parts
from aimsciqa_assets.aim_sciqa.relations.selection import select_relations
from aimsciqa_assets.aim_sciqa.relations.similarity import Comparison
from aimsciqa_assets.aim_sciqa.relations.statements import Rarity, Statement, is_result, specificity
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.orchestration.sql_assets import sql_asset
from aimsciqa_assets.platform.batches import INPUT_FILES
from aimsciqa_assets.platform.frames import Frames, as_declared, frame_of, vectors_of
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import Step, StepRun

_ADMITTED = "paper_id in (select paper_id from corpus.admitted_papers)"


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
    sources = _sources(run)
    candidates = _candidates(run, sources)
    settings = run.settings.relations
    how = Comparison(
        settings.tau, settings.section_pairs_per_document_pair, run.settings.compute.similarity_precision
    )
    parts = list(parts_in_memory(candidates, _counted(run), _most_questions(run)))
    compared = sum(part.select("source_paper_id", "target_paper_id").n_unique() for part in parts)
    with progress(f"{run.part}  comparing papers", compared) as advance:
        rows = section_pairs_in_parts(parts, lambda papers: _index(run, "question", papers), how, advance)
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
                    similar["source_paper_id"].unique(), _keywords(run), run.settings.relations.keyword_order
                ),
                run.read("corpus.papers", f"not retracted and {_ADMITTED}", "paper_id")["paper_id"].to_list(),
                size=run.settings.relations.cluster_size,
                seed=run.settings.relations.seed,
            ),
            citation_clusters(cited, _edges(run)),
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
    index = _index(run, "qa", members["paper_id"].unique())
    with progress(f"{run.part}  choosing retrieval questions", None) as advance:
        ordered = questions_by_distance(
            relations,
            members,
            index,
            core_allowed=run.settings.relations.core_as_retrieval_question,
            choice=_choice(run, relations["target_paper_id"].unique()),
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


def _sources(run: StepRun) -> pl.Series:
    papers = run.read_part("corpus.papers", columns="paper_id")
    eligible = run.read("corpus.source_papers", "eligible", "paper_id")
    return papers.join(eligible, on="paper_id", how="semi")["paper_id"].sort()


def _candidates(run: StepRun, sources: pl.Series) -> pl.DataFrame:
    """Candidates of both variants. `group` is the number of a shared keyword, -1 for cited papers."""
    settings = run.settings.relations
    by_keyword = keyword_candidates(sources, _keywords(run), settings.keyword_order)
    listed = _listed(run) if settings.all_citations_in_corpus else None
    cited = citation_candidates(
        sources, run.read("citation_guided.pairs"), _edges(run), settings.min_cited_cluster, listed
    )
    near = _nearest(run, sources).join(by_keyword, on=["source_paper_id", "target_paper_id"], how="anti")
    columns = (pl.col("variant"), "source_paper_id", "target_paper_id", pl.col("group").cast(pl.Int64))
    return pl.concat(
        [
            by_keyword.with_columns(variant=pl.lit("im")).select(columns),
            near.with_columns(variant=pl.lit("im"), group=pl.lit(-1)).select(columns),
            cited.with_columns(variant=pl.lit("cim"), group=pl.lit(-1)).select(columns),
        ]
    )


def _nearest(run: StepRun, sources: pl.Series) -> pl.DataFrame:
    """The papers with the nearest questions; none without `refinement.nearest_papers`."""
    most = run.settings.refinement.nearest_papers
    counted = _counted(run).sort("paper_id")
    if not most or counted.is_empty():
        return nearest_candidates(sources, pl.Series([], dtype=pl.String), np.zeros((0, 1), np.float32), 0)
    admitted = run.read("corpus.admitted_papers", columns="paper_id")
    usable = counted.join(admitted, on="paper_id", how="semi")
    part = (usable["questions"].cum_sum() // _most_questions(run)).to_numpy()
    papers, means = [], []
    for number in np.unique(part):
        index = _index(run, "question", usable.filter(part == number)["paper_id"])
        papers.append(index.paper_ids)
        means.append(np.add.reduceat(index.vectors, index.rows_of_papers[:-1]))
    return nearest_candidates(sources, pl.concat(papers), np.concatenate(means), most)


def _keywords(run: StepRun) -> pl.DataFrame:
    """The keywords of the papers that the method works on, of the origins that the settings name."""
    origins = run.settings.relations.keyword_origins.split()
    return run.read(
        "corpus.keywords", f"{_ADMITTED} and origin in (select unnest($origins))", origins=origins
    )


def _core_pairs(run: StepRun, section_pairs: pl.DataFrame) -> pl.DataFrame:
    """The ranked core pairs of the section pairs that are examined, in parts that fit into memory."""
    settings = run.settings
    rarity = _rarity(run)
    how = Ranking(settings.relations.tau, settings.refinement.core_pairs_offered)
    looked_at = examined(section_pairs, settings.refinement.relations_examined)
    found = [frame_of("relations.core_pairs", [])]
    with progress(f"{run.part}  ranking core pairs", looked_at.height) as advance:
        for part in parts_in_memory(looked_at, _counted(run), _most_questions(run)):
            papers = pl.concat([part["source_paper_id"], part["target_paper_id"]]).unique()
            questions = _index(run, "question", papers).questions_of
            found.append(ranked_core_pairs(part, _statements(run, papers), questions, rarity, how))
            advance(part.height)
    return pl.concat(found).sort("section_pair_id", "source_qa_id", "target_qa_id")


def _choice(run: StepRun, targets: pl.Series) -> Choice | None:
    """What counts beside distance, under these settings."""
    refinement = run.settings.refinement
    if not (refinement.model_chooses or refinement.retrieval_specificity):
        return None
    rarity, statements = _rarity(run), _statements(run, targets)
    return Choice(
        {qa_id: specificity(f"{one.question} {one.answer}", rarity) for qa_id, one in statements.items()},
        {qa_id for qa_id, one in statements.items() if not is_result(one)},
        refinement.retrieval_specificity,
    )


def _statements(run: StepRun, papers: pl.Series) -> dict[str, Statement]:
    """The kept QA pairs of some papers, with the kind of their section."""
    pairs = run.read(
        "single_hop.qa_pairs",
        "status = 'kept' and paper_id in (select unnest($papers))",
        "qa_id, section_id, question, answer",
        papers=papers.to_list(),
    )
    kinds = dict(run.read("corpus.sections", columns="section_id, kind").iter_rows())
    return {
        qa_id: Statement(question, answer, kinds[section])
        for qa_id, section, question, answer in pairs.iter_rows()
    }


def _rarity(run: StepRun) -> Rarity:
    """How rare words are in the kept pairs of the whole corpus."""
    words = run.warehouse.read(query_of("relations.papers_with_word").text)
    return rarity_of(dict(words.select("word", "papers").iter_rows()), _counted(run).height)


def _edges(run: StepRun) -> pl.DataFrame:
    """Which paper cites which; cited papers that were retracted or not admitted are left out."""
    usable = f"cited_paper_id in (select paper_id from corpus.papers where not retracted and {_ADMITTED})"
    return run.read("corpus.citation_edges", usable, "citing_paper_id, cited_paper_id, reference_ids")


def _listed(run: StepRun) -> pl.DataFrame:
    """How many references each paper of the batch lists."""
    return run.warehouse.read(
        "select paper_id, count(*) as references from corpus.references where batch = $part group by all",
        {"part": run.part},
    )


def _counted(run: StepRun) -> pl.DataFrame:
    """How many kept questions each paper has."""
    return run.warehouse.read(
        "select paper_id, count(*) as questions from single_hop.qa_pairs where status = 'kept' group by all"
    )


def _most_questions(run: StepRun) -> int:
    """How many question vectors the settings allow in memory, not counting those of the sources."""
    measured = run.warehouse.read("select len(vector) as numbers from relations.embeddings limit 1")
    numbers = int(measured["numbers"].sum()) or 1
    return max(1, run.settings.compute.similarity_memory_mib * 2**20 // (4 * numbers))


def _index(run: StepRun, level: str, papers: pl.Series) -> QuestionIndex:
    """Kept pairs of some papers, with their vectors of a level."""
    asked = {
        "papers": papers.to_list(),
        "level": level,
        "encoder": run.encoder.name,
        "revision": run.encoder.revision,
    }
    # Row numbers are valid only while nobody writes to the table.
    with run.warehouse.one_state():
        pairs = run.warehouse.read(query_of("vectors.of_papers").text, asked)
        pairs = pairs[order_of(pairs)]
        read = run.warehouse.stream(query_of("vectors.of_rows").text, {"rows": pairs["row"].to_list()})
        vectors = vectors_of(pairs["row"].to_numpy(), read)
    return QuestionIndex.of(pairs, vectors)
