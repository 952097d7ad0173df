"""For every source and candidate target: the top-K section pairs and their core QA pair."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import polars as pl

from aimsciqa_assets.aim_sciqa.relations.blocks import PaperPairs
from aimsciqa_assets.aim_sciqa.relations.question_index import QuestionIndex
from aimsciqa_assets.aim_sciqa.relations.similarity import Comparison, compare
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.identity import row_id

_PAPERS = ("source_paper_id", "target_paper_id")


def section_pairs_in_parts(
    parts: Sequence[pl.DataFrame],
    index_of: Callable[[pl.Series], QuestionIndex],
    how: Comparison,
    advance: Callable[[int], None] = lambda _pairs: None,
) -> pl.DataFrame:
    """The `section_pairs` of all candidates, which come in `parts` (see `parts_in_memory`).

    `index_of` reads the questions of the papers that a part needs.
    """
    found = [frame_of("relations.section_pairs", []).drop("batch")]
    for part in parts:
        papers = pl.concat([part["source_paper_id"], part["target_paper_id"]]).unique()
        found.append(section_pairs(part, index_of(papers), how, advance))
    return pl.concat(found, how="vertical_relaxed")


def section_pairs(
    candidates: pl.DataFrame,
    index: QuestionIndex,
    how: Comparison,
    advance: Callable[[int], None] = lambda _pairs: None,
) -> pl.DataFrame:
    """Rows of `relations.section_pairs`, without their batch.

    `candidates` has `variant, source_paper_id, target_paper_id, group`. Papers without a question give no
    row. Ties go to the lower id: the index is sorted.
    """
    numbered = candidates.with_columns(
        source=index.numbers(candidates["source_paper_id"]),
        target=index.numbers(candidates["target_paper_id"]),
    ).drop_nulls(["source", "target"])
    # Two papers may be candidates in both variants: they are compared once.
    pairs = numbered.group_by("source", "target").agg(pl.col("group").min()).sort("source", "target")
    found = compare(
        PaperPairs(*(pairs[column].cast(pl.Int64).to_numpy() for column in ("source", "target", "group"))),
        index,
        how,
        advance,
    )
    named = found.with_columns(
        pairs["source"].gather(found["pair"]),
        pairs["target"].gather(found["pair"]),
        index.section_ids.gather(found["source_section"]).alias("source_section_id"),
        index.section_ids.gather(found["target_section"]).alias("target_section_id"),
        index.qa_ids.gather(found["core_source"]).alias("core_source_qa_id"),
        index.qa_ids.gather(found["core_target"]).alias("core_target_qa_id"),
    )
    rows = numbered.select("variant", *_PAPERS, "source", "target").join(named, on=["source", "target"])
    ids = [
        row_id(*row) for row in rows.select("variant", "source_section_id", "target_section_id").iter_rows()
    ]
    return rows.select(
        pl.Series("section_pair_id", ids, dtype=pl.String),
        "variant",
        *_PAPERS,
        "source_section_id",
        "target_section_id",
        "similarity",
        "pairs_over_tau",
        "core_source_qa_id",
        "core_target_qa_id",
        "strength",
        "rank",
    ).sort("variant", *_PAPERS, "rank")


def parts_in_memory(
    candidates: pl.DataFrame, questions: pl.DataFrame, most_questions: int
) -> Iterator[pl.DataFrame]:
    """Divide the candidates into parts, each with about `most_questions` questions of targets.

    `questions` has `paper_id` and `questions`, their number; papers without any are left out. Targets come in
    this order, so that those which stand together there are read together. Every part reads all its sources,
    so targets that are sources do not count. They all come in the first part, so that two sources are
    compared once.
    """
    asked = questions["paper_id"].implode()
    candidates = candidates.filter(pl.col("source_paper_id").is_in(asked))
    sources = candidates["source_paper_id"].unique()
    targets = (
        candidates.select(paper_id="target_paper_id")
        .unique()
        .join(questions.with_row_index("place"), on="paper_id")
        .with_columns(is_source=pl.col("paper_id").is_in(sources.implode()))
        .sort("is_source", "place", descending=[True, False])
    )
    besides = targets.select(pl.when("is_source").then(0).otherwise("questions"))[:, 0].cum_sum().to_numpy()
    part = np.maximum(besides - 1, 0) // most_questions
    for number in np.unique(part):
        held = targets.filter(part == number)["paper_id"]
        yield candidates.filter(pl.col("target_paper_id").is_in(held.implode()))
