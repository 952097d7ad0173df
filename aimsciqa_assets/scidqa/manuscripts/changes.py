"""What changed between two versions of a manuscript: their parts aligned (SciDQA, section 3.1).

Parts with equal texts are aligned first, then those with the same title or the same work, then the most
similar ones. Each part has one partner at most.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, get_args

import numpy as np
from rapidfuzz import fuzz, process

from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.scidqa.manuscripts.parts import Kind, Part, Parts, Versions

CHANGES: Final = "scidqa.changes"

Row = dict[str, Any]
Pair = tuple[int, int, float]
"""Places of two aligned parts, and how alike they are."""

_LEAST: Final = {"section": 0.5, "paragraph": 0.5, "figure": 0.6, "table": 0.6, "reference": 0.8}
"""The least similarity at which a part counts as an altered one: below it, one went and another came."""
_MOST_COMPARED: Final = 250_000
"""Pairs of texts that are compared in full: where there are more, their beginnings are."""
_BEGINNING: Final = 200


def change_rows(batch: str, forum_id: str, papers: Versions, parts: Parts) -> Iterator[Row]:
    """Rows of `scidqa.changes` for the two versions of a forum's manuscript."""
    for kind in get_args(Kind):
        before, after = (parts.get((paper, kind), []) for paper in papers)
        for old, new, similarity in aligned(before, after, kind):
            if old and new:
                change = "same" if _is_same(old, new, kind) else "changed"
            else:
                change = "removed" if old else "added"
            part = new or old
            yield {
                "change_id": row_id(
                    forum_id, kind, old.part_id if old else "", new.part_id if new else "", "change"
                ),
                "batch": batch,
                "forum_id": forum_id,
                "kind": kind,
                "name": part.name if part else "",
                "change": change,
                "similarity": similarity,
                "before_id": old.part_id if old else None,
                "after_id": new.part_id if new else None,
            }


def aligned(
    before: Sequence[Part], after: Sequence[Part], kind: Kind
) -> Iterator[tuple[Part | None, Part | None, float]]:
    """Each part of either version with its partner, or None, and how alike the two are, from 0 to 1."""
    old, new = dict(enumerate(before)), dict(enumerate(after))
    pairs = [*_taken(_equal(old, new, lambda part: _plain(part.text)), old, new)]
    pairs += _taken(_equal(old, new, lambda part: part.anchor), old, new)
    pairs += _taken(_similar(old, new, _LEAST[kind]), old, new)
    yield from ((before[one], after[other], similarity) for one, other, similarity in sorted(pairs))
    yield from ((part, None, 0.0) for part in old.values())
    yield from ((None, part, 0.0) for part in new.values())


def _taken(pairs: Iterable[Pair], old: dict[int, Part], new: dict[int, Part]) -> Iterator[Pair]:
    """The pairs whose parts are both still to be had, which they are no more afterwards."""
    for one, other, similarity in pairs:
        if one in old and other in new:
            del old[one], new[other]
            yield one, other, similarity


def _equal(old: dict[int, Part], new: dict[int, Part], key: Callable[[Part], str]) -> list[Pair]:
    """Parts with the same key, in order where several have it."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, part in new.items():
        places[key(part)].append(place)
    pairs = list[Pair]()
    for place, part in old.items():
        if (found := key(part)) and places[found]:
            other = places[found].pop(0)
            pairs.append((place, other, _similarity(part.text, new[other].text)))
    return pairs


def _similar(old: dict[int, Part], new: dict[int, Part], least: float) -> list[Pair]:
    """Pairs that are at least so similar, the most similar first."""
    if not old or not new:
        return []
    texts = [_plain(part.text) for part in old.values()]
    others = [_plain(part.text) for part in new.values()]
    most = None if len(texts) * len(others) <= _MOST_COMPARED else _BEGINNING
    scores = process.cdist(
        [text[:most] for text in texts],
        [text[:most] for text in others],
        scorer=fuzz.ratio,
        score_cutoff=100 * least,
        dtype=np.float32,
    )
    places, partners = [*old], [*new]
    rows, columns = np.nonzero(scores)
    order = np.argsort(-scores[rows, columns], kind="stable")
    return [
        (places[row], partners[column], _similarity(old[places[row]].text, new[partners[column]].text))
        for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True)
    ]


def _similarity(text: str, other: str) -> float:
    """The share of characters that two texts have in common, in order, among all of both."""
    return round(fuzz.ratio(_plain(text), _plain(other)) / 100, 4)


def _plain(text: str) -> str:
    """Line ends of a layout are no change."""
    return " ".join(text.split())


def _is_same(old: Part, new: Part, kind: Kind) -> bool:
    """Whether nothing changed: a reference is the same work, a section has its title and its text."""
    if kind == "reference" and old.anchor and old.anchor == new.anchor:
        return True
    return _plain(old.text) == _plain(new.text) and (kind != "section" or old.anchor == new.anchor)
