"""What the steps of relations read: vectors and texts of papers that they look at, and of no other batch."""

from dataclasses import dataclass

import polars as pl

from aimsciqa_assets.aim_sciqa.relations.question_index import QuestionIndex, order_of
from aimsciqa_assets.platform.frames import vectors_of
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import StepRun

ADMITTED = "paper_id in (select paper_id from corpus.admitted_papers)"


@dataclass(frozen=True, slots=True)
class KeptQuestions:
    """How many kept questions the papers have: `batch, paper_id, questions`, by batch and paper."""

    rows: pl.DataFrame

    @classmethod
    def read(cls, run: StepRun) -> "KeptQuestions":
        """Those of the whole corpus."""
        query = "select batch, paper_id, count(*) as questions from single_hop.qa_pairs where status = 'kept'"
        return cls(run.warehouse.read(f"{query} group by all order by all"))

    @property
    def of_papers(self) -> pl.DataFrame:
        """`paper_id, questions`. Papers of a batch stand together: a part of them lies in few batches."""
        return self.rows.group_by("paper_id", maintain_order=True).agg(pl.col("questions").sum())

    def batches_of(self, papers: pl.Series) -> list[str]:
        """The batches that hold kept questions of some papers."""
        held = self.rows.filter(pl.col("paper_id").is_in(papers.implode()))
        return held["batch"].unique().sort().to_list()


def index_of(run: StepRun, level: str, papers: pl.Series, kept: KeptQuestions) -> QuestionIndex:
    """Kept pairs of some papers, with their vectors of a level."""
    lying = {"level": level, "batches": kept.batches_of(papers)}
    asked = {
        "papers": papers.to_list(),
        "encoder": run.encoder.name,
        "revision": run.encoder.revision,
    }
    # Row numbers are valid only while nobody writes to the table.
    with run.warehouse.one_state():
        pairs = run.warehouse.read(query_of("vectors.of_papers").text, lying | asked)
        pairs = pairs[order_of(pairs)]
        rows = {"rows": pairs["row"].to_list()}
        vectors = vectors_of(
            pairs["row"].to_numpy(), run.warehouse.stream(query_of("vectors.of_rows").text, lying | rows)
        )
    return QuestionIndex.of(pairs, vectors)


def most_questions(run: StepRun) -> int:
    """How many question vectors the settings allow in memory, not counting those of the sources."""
    of_any = "select len(vector) as numbers from relations.embeddings where level = 'question' {also} limit 1"
    # Mostly the batch has vectors of its own, which are read anyway.
    measured = run.warehouse.read(of_any.format(also="and batch = $part"), {"part": run.part})
    if measured.is_empty():
        measured = run.warehouse.read(of_any.format(also=""))
    numbers = int(measured["numbers"].sum()) or 1
    return max(1, run.settings.compute.similarity_memory_mib * 2**20 // (4 * numbers))


def keywords_of(run: StepRun) -> pl.DataFrame:
    """The keywords of the papers that the method works on, of the origins that the settings name."""
    origins = run.settings.relations.keyword_origins.split()
    return run.read("corpus.keywords", f"{ADMITTED} and origin in (select unnest($origins))", origins=origins)


def edges_of(run: StepRun, sources: pl.Series) -> pl.DataFrame:
    """Which papers some sources cite; those that were retracted or not admitted are left out."""
    usable = f"cited_paper_id in (select paper_id from corpus.papers where not retracted and {ADMITTED})"
    return run.read(
        "corpus.citation_edges",
        f"citing_paper_id in (select unnest($sources)) and {usable}",
        "citing_paper_id, cited_paper_id, reference_ids",
        sources=sources.to_list(),
    )


def cited_alone(run: StepRun, sources: pl.Series) -> pl.DataFrame:
    """The papers that some sources cite alone in a sentence: `source_paper_id, target_paper_id`."""
    return run.read(
        "citation_guided.pairs",
        "source_paper_id in (select unnest($sources))",
        "source_paper_id, target_paper_id",
        sources=sources.to_list(),
    )


def listed_by(run: StepRun) -> pl.DataFrame:
    """How many references each paper of the batch lists."""
    return run.warehouse.read(
        "select paper_id, count(*) as references from corpus.references where batch = $part group by all",
        {"part": run.part},
    )
