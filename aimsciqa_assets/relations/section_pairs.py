"""For every source and candidate target: the top-K section pairs and their core QA pair."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from aimsciqa_assets.identity import row_id
from aimsciqa_assets.relations.similarity import (
    SectionQuestions,
    SectionSimilarities,
    core_pair,
    section_similarities,
)


@dataclass(frozen=True, slots=True)
class QuestionIndex:
    """The question vectors of many papers, sorted by paper, section and QA id.

    `vectors` is `(n_questions, dim)` float32, rows of unit length; `qa_ids` names the rows; `section_ids`
    and `section_starts` the sections; `papers` gives each paper's range of sections.
    """

    vectors: npt.NDArray[np.float32]
    qa_ids: list[str]
    section_ids: list[str]
    section_starts: npt.NDArray[np.int64]
    papers: dict[str, range]

    @classmethod
    def of(cls, rows: pl.DataFrame, vectors: npt.NDArray[np.float32]) -> "QuestionIndex":
        """Index `rows` (`paper_id, section_id, qa_id`), whose vectors stand in the same order."""
        order = rows.with_row_index().sort("paper_id", "section_id", "qa_id")
        sections = (
            order.drop("index")
            .with_row_index()
            .group_by("paper_id", "section_id", maintain_order=True)
            .agg(pl.col("index").first())
        )
        papers = sections.with_row_index("section").group_by("paper_id", maintain_order=True)
        ranges = papers.agg(pl.col("section").min().alias("first"), pl.col("section").max().alias("last"))
        return cls(
            vectors=vectors[order["index"].to_numpy()],
            qa_ids=order["qa_id"].to_list(),
            section_ids=sections["section_id"].to_list(),
            section_starts=sections["index"].to_numpy().astype(np.int64),
            papers={paper: range(first, last + 1) for paper, first, last in ranges.iter_rows()},
        )

    def gather(self, papers: list[str]) -> tuple[SectionQuestions, list[int], npt.NDArray[np.int64]]:
        """The questions of some papers, one after another.

        Returns them with the index's section number of each of their sections and row of each question.
        """
        sections = [section for paper in papers for section in self.papers[paper]]
        ends = np.append(self.section_starts[1:], len(self.vectors))
        ranges = [np.arange(self.section_starts[section], ends[section]) for section in sections]
        sizes = np.array([len(rows) for rows in ranges])
        rows = np.concatenate(ranges)
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        return SectionQuestions(self.vectors[rows], starts), sections, rows


def section_pairs(
    candidates: Mapping[str, list[str]],
    index: QuestionIndex,
    *,
    variant: str,
    tau: float,
    per_document_pair: int,
    advance: Callable[[int], None] = lambda _sources: None,
) -> Iterator[dict[str, Any]]:
    """Rows of `relations.section_pairs`, without their batch.

    `candidates` gives the target papers of each source paper. A section pair without a question pair that
    reaches tau is no relation and gives no row. Ties go to the lower id: the index is sorted.
    """
    for source_paper, targets in candidates.items():
        known = [paper for paper in targets if paper in index.papers]
        if source_paper in index.papers and known:
            yield from _pairs_of_source(
                source_paper, sorted(known), index, variant=variant, tau=tau, top=per_document_pair
            )
        advance(1)


def _pairs_of_source(
    source_paper: str, targets: list[str], index: QuestionIndex, *, variant: str, tau: float, top: int
) -> Iterator[dict[str, Any]]:
    source, source_sections, source_rows = index.gather([source_paper])
    target, target_sections, target_rows = index.gather(targets)
    similarities = section_similarities(source, target, tau)
    first = 0
    for target_paper in targets:
        last = first + len(index.papers[target_paper])
        for rank, pair in enumerate(_best(similarities, first, last, top), start=1):
            core_source, core_target = core_pair(similarities, source, target, pair)
            source_section = index.section_ids[source_sections[pair[0]]]
            target_section = index.section_ids[target_sections[pair[1]]]
            yield {
                "section_pair_id": row_id(variant, source_section, target_section),
                "variant": variant,
                "source_paper_id": source_paper,
                "target_paper_id": target_paper,
                "source_section_id": source_section,
                "target_section_id": target_section,
                "similarity": float(similarities.similarity[pair]),
                "pairs_over_tau": int(similarities.pairs_over_tau[pair]),
                "core_source_qa_id": index.qa_ids[source_rows[core_source]],
                "core_target_qa_id": index.qa_ids[target_rows[core_target]],
                "strength": float(similarities.strength[pair]),
                "rank": rank,
            }
        first = last


def _best(similarities: SectionSimilarities, first: int, last: int, top: int) -> list[tuple[int, int]]:
    """The `top` section pairs with one document, by Sim; target sections are columns `first` to `last`."""
    block = similarities.similarity[:, first:last]
    order = np.argsort(-block, axis=None, kind="stable")[:top]
    pairs = [np.unravel_index(int(flat), block.shape) for flat in order]
    return [(int(row), first + int(column)) for row, column in pairs if block[row, column] > 0]
