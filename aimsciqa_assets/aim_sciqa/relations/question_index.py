"""An index of the vectors of QA pairs, sorted so that each section and paper is a range of rows."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import polars as pl

if TYPE_CHECKING:
    from aimsciqa_assets.aim_sciqa.relations.kernel import Index


@dataclass(frozen=True, slots=True)
class QuestionIndex:
    """Vectors of questions (or of another level of QA pairs), sorted by paper, section and QA id.

    `vectors` is `(n_questions, dim)` float32, rows of unit length. Section `s` owns the rows from
    `section_starts[s]` up to `section_starts[s + 1]`, and paper `p` the sections from `paper_starts[p]` up to
    `paper_starts[p + 1]`; none is empty. `qa_ids`, `section_ids` and `paper_ids` name rows, sections, papers.
    """

    vectors: npt.NDArray[np.float32]
    section_starts: npt.NDArray[np.int64]
    paper_starts: npt.NDArray[np.int64]
    qa_ids: pl.Series
    section_ids: pl.Series
    paper_ids: pl.Series

    @classmethod
    def of(cls, rows: pl.DataFrame, vectors: npt.NDArray[np.float32]) -> "QuestionIndex":
        """Index `rows` (`paper_id, section_id, qa_id`) and their `vectors`, given in the same order.

        Rows that are sorted already are not copied.
        """
        order = order_of(rows)
        if not order.is_sorted():
            rows, vectors = rows[order], vectors[order.to_numpy()]
        sections = rows.group_by("paper_id", "section_id", maintain_order=True).len()
        papers = sections.group_by("paper_id", maintain_order=True).agg(pl.len())
        return cls(
            vectors=vectors,
            section_starts=_starts(sections["len"]),
            paper_starts=_starts(papers["len"]),
            qa_ids=rows["qa_id"],
            section_ids=sections["section_id"],
            paper_ids=papers["paper_id"],
        )

    @property
    def arrays(self) -> "Index":
        """The arrays that the kernel works on."""
        from aimsciqa_assets.aim_sciqa.relations.kernel import Index

        return Index(self.vectors, self.section_starts, self.paper_starts)

    @property
    def questions_of_papers(self) -> npt.NDArray[np.int64]:
        """How many questions each paper has, `(n_papers,)`."""
        return np.diff(self.rows_of_papers)

    @property
    def rows_of_papers(self) -> npt.NDArray[np.int64]:
        """Where the rows of each paper start, and where those of the last one end, `(n_papers + 1,)`."""
        return self.section_starts[self.paper_starts]

    def numbers(self, papers: pl.Series) -> pl.Series:
        """The numbers of papers given by id; null for a paper without a question."""
        known = pl.DataFrame({"paper": self.paper_ids}).with_row_index("number")
        return pl.DataFrame({"paper": papers}).join(known, on="paper", how="left", maintain_order="left")[
            "number"
        ]


def order_of(rows: pl.DataFrame) -> pl.Series:
    """The order of an index, by paper, section and pair, as row numbers.

    It does not depend on the order of `rows`, because the order of summation changes the last bits of a sum.
    """
    return rows.select(pl.arg_sort_by("paper_id", "section_id", "qa_id"))[:, 0]


def _starts(lengths: pl.Series) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths.to_numpy())]).astype(np.int64)
