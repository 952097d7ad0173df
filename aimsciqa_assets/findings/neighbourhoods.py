"""Neighbourhoods: overlapping groups of papers that may be compared, opened by the papers of a batch."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.retrieval.neighbours import nearest

Row = dict[str, Any]

SURE: Final = 5
"""A paper needs no neighbourhood of its own if one holds it together with so many of its nearest papers."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A paper of a neighbourhood: its likeness to the paper that opens it, and why it is there."""

    paper_id: str
    similarity: float
    reason: str


def neighbourhoods(
    papers: Sequence[str],
    vectors: npt.NDArray[np.float32],
    new: Sequence[str],
    cited: Mapping[str, Sequence[str]],
    most: int,
) -> Iterator[list[Neighbour]]:
    """Yield neighbourhoods of at most `most` papers, each opened by a new paper, until all are covered.

    `papers` are all papers up to this batch and `vectors` theirs, `(n, dim)` float32, rows of unit length.
    Papers that a paper cites, or that cite it, come before others that are no nearer. A corpus of at most
    `most` papers is one neighbourhood.
    """
    if not new:
        return
    places = {paper: at for at, paper in enumerate(papers)}
    rows = np.array([places[paper] for paper in new])
    near, alike = nearest(vectors[rows], vectors, most)
    # The paper with the nearest neighbours opens first: what lies between two topics is covered by both.
    order = np.lexsort((rows, -np.round(alike[:, 1 : SURE + 1].sum(axis=1), 4)))
    nearest_of = {int(rows[at]): near[at].tolist() for at in range(len(new))}
    covered = set[int]()
    for at in order.tolist():
        opening = int(rows[at])
        if opening in covered:
            continue
        chosen = _chosen(
            opening, near[at], alike[at], [places[p] for p in cited.get(papers[opening], ()) if p in places]
        )
        chosen = chosen[:most]
        inside = {place for place, _, _ in chosen}
        covered |= {
            place for place in inside if place in nearest_of and set(nearest_of[place][: SURE + 1]) <= inside
        } | {opening}
        yield [Neighbour(papers[place], similarity, reason) for place, similarity, reason in chosen]


def _chosen(
    opening: int, near: npt.NDArray[np.int64], alike: npt.NDArray[np.float64], cited: Sequence[int]
) -> list[tuple[int, float, str]]:
    """Return the opening paper, its citations among the near ones, then the other near ones."""
    similarity = dict(zip(near.tolist(), alike.tolist(), strict=True))
    ordered = sorted(
        (place for place in {*similarity, *cited} if place != opening),
        key=lambda place: (place not in cited, -round(similarity.get(place, 0.0), 4), place),
    )
    return [(opening, 1.0, "opens")] + [
        (place, similarity.get(place, 0.0), "cites" if place in cited else "near") for place in ordered
    ]


def of_reviews(
    reviews: Mapping[str, Sequence[str]],
    papers: Sequence[str],
    vectors: npt.NDArray[np.float32],
    new: Sequence[str],
    most: int,
) -> Iterator[tuple[str, list[list[Neighbour]]]]:
    """Yield each review (or other citing article) with the neighbourhoods of the papers that it cites.

    Those of more than `most` papers are several. The other arguments are as in `neighbourhoods`.
    """
    places = {paper: at for at, paper in enumerate(papers)}
    for review, cited in sorted(reviews.items()):
        members = sorted(places.keys() & cited)
        opening = sorted(set(new) & set(members))
        if len(members) > 1 and opening:
            rows = vectors[[places[paper] for paper in members]]
            opened = neighbourhoods(members, rows, opening, {}, most)
            yield (
                review,
                [
                    [members[0], *(replace(member, reason="review") for member in members[1:])]
                    for members in opened
                ],
            )


def neighbourhood_rows(batch: str, opened: Sequence[Sequence[Neighbour]], review: str = "") -> list[Row]:
    """Return the rows of `findings.neighbourhoods`, of those of a review or of all others."""
    parts = ("neighbourhood", review, batch) if review else ("neighbourhood", batch)
    return [
        {
            "neighbourhood_id": row_id(*parts, members[0].paper_id),
            "batch": batch,
            "paper_id": member.paper_id,
            "position": position,
            "similarity": member.similarity,
            "reason": member.reason,
        }
        for members in opened
        for position, member in enumerate(members)
    ]
