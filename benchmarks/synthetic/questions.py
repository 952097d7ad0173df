"""The questions of made-up papers without the papers: what the comparison of sections works on."""

import numpy as np
import polars as pl

from aimsciqa_assets.aim_sciqa.relations.question_index import QuestionIndex
from benchmarks.synthetic.papers import keyword, pmcid
from benchmarks.synthetic.shape import plan
from benchmarks.synthetic.vectors import VectorSpace, subtopics_of


def questions_and_keywords(papers: int, dimension: int) -> tuple[QuestionIndex, pl.DataFrame]:
    """The index of all questions, and `paper_id, keyword` of all papers."""
    plans = [plan(number) for number in range(papers)]
    counts = np.concatenate([paper.questions for paper in plans])
    topics = np.repeat([paper.topic for paper in plans], [paper.questions.sum() for paper in plans])
    subtopics = np.concatenate(
        [subtopics_of(np.random.default_rng([paper.number, 2]), paper.questions.sum()) for paper in plans]
    )
    noise = np.random.default_rng(papers).integers(0, 2**63, len(topics), dtype=np.uint64)
    ids = pl.Series([pmcid(paper.number) for paper in plans])
    sections = np.concatenate([np.arange(len(paper.questions)) for paper in plans])
    of_paper = np.repeat(np.arange(papers), [len(paper.questions) for paper in plans])
    names = pl.DataFrame({"paper_id": ids.gather(of_paper), "section": sections}).select(
        "paper_id", section_id=pl.concat_str("paper_id", pl.lit("."), "section")
    )
    rows = names[np.repeat(np.arange(len(counts)), counts)].with_columns(
        qa_id=pl.concat_str("section_id", pl.lit("."), pl.int_range(pl.len()).cast(pl.String).str.zfill(7))
    )
    keywords = pl.DataFrame(
        [(pmcid(paper.number), keyword(rank)) for paper in plans for rank in paper.keywords],
        schema=["paper_id", "keyword"],
        orient="row",
    )
    return QuestionIndex.of(rows, VectorSpace(dimension).vectors(topics, subtopics, noise)), keywords
