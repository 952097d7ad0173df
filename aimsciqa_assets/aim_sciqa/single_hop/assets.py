"""Single-hop QA as assets, in four steps: ask the model, read the replies, encode the pairs, filter them.

They are separate so that a new threshold encodes nothing again, and a better reader asks no model again.
"""

import polars as pl

from aimsciqa_assets.aim_sciqa.single_hop.alignment import Others
from aimsciqa_assets.aim_sciqa.single_hop.encoding import encode_in_parts
from aimsciqa_assets.aim_sciqa.single_hop.extraction import extractions_of, paragraph_dialogues
from aimsciqa_assets.aim_sciqa.single_hop.pairs import (
    embedding_frame,
    encode_pairs,
    encoded_before,
    exact_pairs,
    filter_pairs,
    similarity_frame,
    triplet_frame,
    with_earlier,
)
from aimsciqa_assets.aim_sciqa.single_hop.task import SINGLE_HOP
from aimsciqa_assets.asking.task import version_of
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.orchestration.sql_assets import sql_asset
from aimsciqa_assets.platform.batches import BATCHES, INPUT_FILES
from aimsciqa_assets.platform.frames import Frames
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.steps import Step, StepRun

_OF_BATCHES = "from single_hop.similarities where batch in (select unnest($batches))"


@step_asset(
    Step(
        writes=("single_hop.extractions",),
        reads=("corpus.paragraphs", "corpus.sections", "corpus.papers", "corpus.keywords"),
        across=("corpus.admitted_papers",),
        across_if=lambda settings: settings.selection.corpus == "eligible",
        settings=("selection.corpus", "systems.aim_sciqa", "single_hop.tables"),
        stale_if="extractions",
        stale_why="papers were admitted to the corpus, or left it",
        stale_alone=True,
        asks=SINGLE_HOP.name,
        prompts=(SINGLE_HOP.name,),
        prompt_version=version_of(SINGLE_HOP),
    )
)
def extractions(run: StepRun) -> Frames:
    """Asks the language model for question-answer-evidence triplets, one request per paragraph (eq. 2).

    A paper that is admitted later is asked about then; the replies about the others are in the journal.
    Without `aim-sciqa` among the `systems` it asks nothing.
    """
    paragraphs = run.read_part("corpus.paragraphs", _asked(run)).sort("paper_id", "section_id", "position")
    sections = run.read_part("corpus.sections")
    papers, keywords = run.read_part("corpus.papers"), run.read_part("corpus.keywords")
    dialogues = paragraph_dialogues(paragraphs, sections, papers, keywords)
    table = "single_hop.extractions"
    with run.ask(table, dialogues, paragraphs.height, "asking about paragraphs") as outcomes:
        return {table: extractions_of(outcomes, paragraphs, run.model)}


def _asked(run: StepRun) -> str:
    """Which paragraphs are asked about.

    Where all papers are admitted, that list is not waited for: papers tell themselves whether they are there
    for evaluation only, or manuscripts.
    """
    if not run.settings.systems.aim_sciqa:
        return "false"
    kinds = "kind in ('text', 'table')" if run.settings.single_hop.tables else "kind = 'text'"
    if run.settings.selection.corpus == "all":
        left_out = "select paper_id from corpus.papers where article_type in ('evaluation', 'manuscript')"
        return f"{kinds} and paper_id not in ({left_out})"
    return f"{kinds} and paper_id in (select paper_id from corpus.admitted_papers)"


@step_asset(Step(writes=("single_hop.triplets",), reads=("single_hop.extractions", "corpus.paragraphs")))
def triplets(run: StepRun) -> Frames:
    """Reads each reply once, and looks for the evidence of each triplet in its paragraph (section 4.1)."""
    texts: dict[str, str] = dict(run.read_part("corpus.paragraphs", columns="paragraph_id, text").iter_rows())
    return {"single_hop.triplets": triplet_frame(run.read_part("single_hop.extractions"), texts)}


@step_asset(
    Step(
        writes=("single_hop.similarities", "relations.embeddings"),
        reads=("single_hop.triplets",),
        encodes=True,
    )
)
def encoded_pairs(run: StepRun) -> Frames:
    """Encodes every pair with exact evidence: question, answer, evidence, and question + answer.

    A pair that the batch had before keeps its vectors: a paper that is admitted later costs its own pairs
    only. After a kill, the next run reuses the vectors that were finished.
    """
    pairs = exact_pairs(run.read_part("single_hop.triplets"))
    earlier = {table: _earlier(run, table) for table in ("single_hop.similarities", "relations.embeddings")}
    known = encoded_before(*earlier.values())
    new = [pair for pair in pairs if pair["qa_id"] not in known]
    with progress(f"{run.part}  encoding texts of QA pairs", 4 * len(new)) as advance:
        unfinished = run.unfinished("relations.embeddings")
        vectors = encode_pairs(new, lambda texts: encode_in_parts(texts, run.encoder, unfinished, advance))
    made = {
        "single_hop.similarities": similarity_frame(new, vectors, run.encoder),
        "relations.embeddings": embedding_frame(new, vectors, run.encoder),
    }
    return {table: with_earlier(frame, earlier[table], known, pairs) for table, frame in made.items()}


def _earlier(run: StepRun, table: str) -> pl.DataFrame | None:
    """The rows that the step wrote for this batch with this encoder; None before the first of any batch."""
    schema, _, name = table.partition(".")
    there = "select 1 from duckdb_tables() where schema_name = $schema and table_name = $name"
    if run.warehouse.read(there, {"schema": schema, "name": name}).is_empty() or run.lacks_columns(table):
        return None
    by = {"encoder": run.encoder.name, "revision": run.encoder.revision}
    same = "batch = $part and encoder = $encoder and encoder_revision = $revision"
    return run.read(table, same, part=run.part, **by)


@step_asset(
    Step(
        writes=("single_hop.qa_pairs",),
        reads=("single_hop.triplets", "single_hop.similarities"),
        across=("single_hop.similarities", INPUT_FILES),
        across_if=lambda settings: settings.single_hop.alignment_scope == "corpus",
        settings=("single_hop",),
    )
)
def qa_pairs(run: StepRun) -> Frames:
    """Keeps the pairs with exact evidence, except the share with the lowest alignment (a tenth).

    Alignment is Sim(Q,A) - Sim(Q,E) (section 4.2). It is low where the evidence fits the question but the
    answer does not. Over the corpus, the lowest pairs are those of all batches that were ingested together.
    They give up so many that it is floor(0.1 N) of all pairs so far; earlier batches stay as they are.
    """
    similarities, others, before = run.read_part("single_hop.similarities"), None, 0
    if run.settings.single_hop.alignment_scope == "corpus":
        came = run.warehouse.read(BATCHES)
        own = came.filter(pl.col("batch") == run.part)["ingest"][0]
        together = came.filter(pl.col("ingest") == own, pl.col("batch") != run.part)
        others = _alignments_of(run, together["batch"])
        before = _pairs_in(run, came.filter(pl.col("ingest") < own)["batch"])
    fraction = run.settings.single_hop.alignment_fraction
    frame = filter_pairs(run.read_part("single_hop.triplets"), similarities, fraction, others, before)
    return {"single_hop.qa_pairs": frame}


def _alignments_of(run: StepRun, batches: pl.Series) -> Others:
    """The pairs of other batches. Their ids are as large as all the rest together, and few are needed."""
    asked = {"batches": batches.to_list()}
    level = f"select qa_id {_OF_BATCHES} and alignment = $at"
    return Others(
        run.warehouse.read(f"select alignment {_OF_BATCHES}", asked)["alignment"],
        lambda at: run.warehouse.read(level, {**asked, "at": at})["qa_id"],
    )


def _pairs_in(run: StepRun, batches: pl.Series) -> int:
    """How many pairs some batches have."""
    count = f"select count(*) as pairs {_OF_BATCHES}"
    return int(run.warehouse.read(count, {"batches": batches.to_list()}).item())


statistics = sql_asset("single_hop.statistics")
pairs_by_section = sql_asset("single_hop.pairs_by_section")
