"""Ranks the core pairs of section pairs by what their statements share, and puts the best one first.

The paper takes the two most similar questions of two sections (section 4.3). Those are mostly routine: all
papers extract DNA. Here every pair over tau is looked at, refused with a reason or ranked (`statements.py`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from aimsciqa_assets.aim_sciqa.relations.statements import (
    Fault,
    Rarity,
    Statement,
    fault_of,
    mismatch_of,
    score_of,
    shared_by,
)
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.identity import row_id

TABLE = "relations.core_pairs"
_SIDES = ("source", "target")
_PAPERS = ("variant", "source_paper_id", "target_paper_id")
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ranking:
    """How core pairs are ranked: cosines of at least `tau` count, the `most` best pairs of two sections get a
    rank, and `considered` pairs at most are looked at, the most similar first.
    """

    tau: float
    most: int
    considered: int = 60


def rarity_of(papers_with_word: Mapping[str, int], papers: int) -> Rarity:
    """The rarity of a word in a corpus of `papers` papers: log(N / n) / log(N), 1 for an unknown word."""
    scale = log(papers) if papers > 1 else 1.0

    def rarity(word: str) -> float:
        return log(papers / papers_with_word.get(word, 1)) / scale if papers > 1 else 1.0

    return rarity


def examined(section_pairs: pl.DataFrame, most: int) -> pl.DataFrame:
    """The strongest section pairs of each source and variant: those whose core pairs are ranked."""
    group = ["variant", "source_paper_id"]
    ordered = section_pairs.sort(
        *group, "strength", "section_pair_id", descending=[False, False, True, False]
    )
    return ordered.filter(pl.int_range(pl.len()).over(group) < most)


def ranked_core_pairs(
    section_pairs: pl.DataFrame,
    statements: Mapping[str, Statement],
    questions_of: Callable[[str], tuple[list[str], npt.NDArray[np.float32]]],
    rarity: Rarity,
    how: Ranking,
) -> pl.DataFrame:
    """Rows of `relations.core_pairs` for rows of `relations.section_pairs`.

    `questions_of` gives the pairs of a section, sorted by id, with their question vectors `(n, dim)`.
    """
    judge = _Judge(statements, {qa_id: fault_of(one) for qa_id, one in statements.items()}, rarity)
    rows: list[Row] = []
    for pair in section_pairs.iter_rows(named=True):
        source, target = (questions_of(pair[f"{side}_section_id"]) for side in _SIDES)
        looked_at = _most_similar(source, target, how)
        rows += judge.rows_of(pair, looked_at, how.most)
    return frame_of(TABLE, rows).sort("section_pair_id", "source_qa_id", "target_qa_id")


def with_best_core_pairs(
    section_pairs: pl.DataFrame, core_pairs: pl.DataFrame, per_source: int
) -> pl.DataFrame:
    """The section pairs of each source whose best core pairs score highest, with these as their core pairs.

    A section pair without a sound core pair is no relation.
    """
    best = core_pairs.filter(pl.col("rank") == 1).select(
        "section_pair_id",
        "score",
        core_source_qa_id="source_qa_id",
        core_target_qa_id="target_qa_id",
        strength="strength",
    )
    group = ["variant", "source_paper_id"]
    refined = section_pairs.drop("core_source_qa_id", "core_target_qa_id", "strength").join(
        best, on="section_pair_id"
    )
    ordered = refined.sort(*group, "score", "section_pair_id", descending=[False, False, True, False])
    return ordered.filter(pl.int_range(pl.len()).over(group) < per_source).select(section_pairs.columns)


def offered_pairs(
    relations: pl.DataFrame, core_pairs: pl.DataFrame, most: int
) -> dict[str, list[tuple[str, str]]]:
    """The core pairs of each relation that the model chooses from: its own first, then the next best."""
    ranked = core_pairs.drop_nulls("rank").sort("section_pair_id", "rank")
    of_sections: dict[str, list[tuple[str, str]]] = {}
    for section_pair, source, target in ranked.select(
        "section_pair_id", "source_qa_id", "target_qa_id"
    ).iter_rows():
        of_sections.setdefault(section_pair, []).append((source, target))
    offered = {}
    for row in relations.iter_rows(named=True):
        own = (row["core_source_qa_id"], row["core_target_qa_id"])
        sections = row_id(row["variant"], row["source_section_id"], row["target_section_id"])
        others = [pair for pair in of_sections.get(sections, []) if pair != own]
        offered[row["relation_id"]] = [own, *others][:most]
    return offered


def _most_similar(
    source: tuple[list[str], npt.NDArray[np.float32]],
    target: tuple[list[str], npt.NDArray[np.float32]],
    how: Ranking,
) -> Iterator[tuple[str, str, float]]:
    """The pairs of two sections over tau, the most similar first."""
    (sources, left), (targets, right) = source, target
    cosines = left.astype(np.float64) @ right.astype(np.float64).T
    # Rounded, so that the last bit of a sum does not decide about the order.
    order = np.argsort(-cosines.round(9), axis=None, kind="stable")[: how.considered]
    for place in order:
        row, column = divmod(int(place), len(targets))
        if cosines[row, column] >= how.tau:
            yield sources[row], targets[column], float(cosines[row, column])


@dataclass(frozen=True, slots=True)
class _Judge:
    """Scores and refuses pairs of statements, given by QA id."""

    statements: Mapping[str, Statement]
    faults: Mapping[str, Fault | None]
    rarity: Rarity

    def rows_of(self, section_pair: Row, looked_at: Iterable[tuple[str, str, float]], most: int) -> list[Row]:
        """The rows of a section pair."""
        place = {name: section_pair[name] for name in ("batch", "section_pair_id", *_PAPERS)}
        rows = [place | self._row(source, target, cosine) for source, target, cosine in looked_at]
        _rank(rows, most)
        return rows

    def _row(self, source: str, target: str, cosine: float) -> Row:
        one, other = self.statements[source], self.statements[target]
        shared = shared_by(one, other, self.rarity)
        return {
            "source_qa_id": source,
            "target_qa_id": target,
            "strength": cosine,
            "score": score_of(one, other, shared, cosine, self.rarity),
            "shared_entities": list(shared.entities),
            "shared_attributes": list(shared.attributes),
            "rank": None,
            "rejection_reason": self.faults[source]
            or self.faults[target]
            or mismatch_of(one, other, shared, self.rarity),
        }


def _rank(rows: list[Row], most: int) -> None:
    """Give the best sound pairs a rank, no statement twice: three wordings of one fact are no choice."""
    used: set[str] = set()
    rank = 0
    sound = (row for row in rows if row["rejection_reason"] is None)
    for row in sorted(sound, key=lambda row: (-row["score"], row["source_qa_id"], row["target_qa_id"])):
        if rank < most and not {row["source_qa_id"], row["target_qa_id"]} & used:
            rank += 1
            row["rank"] = rank
            used |= {row["source_qa_id"], row["target_qa_id"]}
