"""What else two papers say on the matter of their core pairs: the kept QA pairs with the nearest questions.

A second value of one thing, with another instrument or on another day, changes what a question may ask.
Whoever composes it has to see that there is one.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from aimsciqa_assets.aim_sciqa.relations.question_index import QuestionIndex
from aimsciqa_assets.platform.frames import frame_of

CorePairs = Mapping[str, Sequence[tuple[str, str]]]
"""The core pairs of each relation, source and target, by QA id."""


def other_facts(relations: pl.DataFrame, core: CorePairs, index: QuestionIndex, most: int) -> pl.DataFrame:
    """Rows of `relations.other_facts`: of both papers of each relation the `most` pairs that lie nearest.

    `core` has what the model chooses from. `index` has the questions of all papers of the relations. How near
    a pair is, is its highest cosine to a question of the core pairs, of either paper; among equally near ones
    the order of the index counts. Core pairs are no other facts. What the index does not have any more (its
    paper was replaced meanwhile) is left out.
    """
    row_of = {qa_id: row for row, qa_id in enumerate(index.qa_ids)}
    paper_of = {paper_id: paper for paper, paper_id in enumerate(index.paper_ids)}
    rows = []
    for relation in relations.iter_rows(named=True):
        asked = [row_of[qa_id] for pair in core[relation["relation_id"]] for qa_id in pair if qa_id in row_of]
        for role in ("source", "target"):
            paper = paper_of.get(relation[f"{role}_paper_id"])
            if paper is not None and asked:
                named = {name: relation[name] for name in ("batch", "relation_id", "variant")}
                rows += [
                    named | {"role": role, "rank": rank, "qa_id": qa_id, "similarity": similarity}
                    for rank, (qa_id, similarity) in enumerate(_nearest(paper, asked, index, most), 1)
                ]
    return frame_of("relations.other_facts", rows)


def _nearest(
    paper: int, asked: Sequence[int], index: QuestionIndex, most: int
) -> Iterator[tuple[str, float]]:
    first, end = map(int, index.rows_of_papers[paper : paper + 2])
    cosines = index.vectors[first:end] @ index.vectors[np.unique(asked)].T
    nearness = cosines.max(axis=1)
    others = np.setdiff1d(np.arange(first, end), asked)
    # The last bits of a product depend on how many there are.
    order = np.argsort(-nearness[others - first].round(6), kind="stable")
    for row in others[order[:most]]:
        yield index.qa_ids[int(row)], float(nearness[row - first])
