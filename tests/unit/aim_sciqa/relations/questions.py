"""Indexes of question vectors for the tests of this folder."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from aimsciqa_assets.aim_sciqa.relations.question_index import QuestionIndex


def unit_rows(vectors) -> np.ndarray:
    """Rows scaled to unit length, float32; a zero row stays zero."""
    rows = np.asarray(vectors, dtype=np.float64)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(norms > 0, norms, 1)).astype(np.float32)


def index_of(papers: Sequence[Sequence[Sequence]]) -> QuestionIndex:
    """An index of papers given as sections given as vectors."""
    rows = [
        (f"p{p:04}", f"p{p:04}.s{s:02}", f"p{p:04}.s{s:02}.q{q:03}", vector)
        for p, sections in enumerate(papers)
        for s, vectors in enumerate(sections)
        for q, vector in enumerate(vectors)
    ]
    frame = pl.DataFrame([row[:3] for row in rows], schema=["paper_id", "section_id", "qa_id"], orient="row")
    return QuestionIndex.of(frame, unit_rows([row[3] for row in rows]))
