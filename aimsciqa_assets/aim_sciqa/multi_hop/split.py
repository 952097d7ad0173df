"""The two parts of a released dataset: a small test set and the rest for development."""

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import Final, Literal

from aimsciqa_assets.platform.identity import row_id

Part = Literal["dev", "test"]

# AIM-SciQA, table 3: 300 test items of 13,672.
TEST_ITEMS: Final = 300
TEST_FRACTION: Final = 0.1


def split_items(
    items: Iterable[tuple[str, str]],
    seed: int,
    test_items: int = TEST_ITEMS,
    test_fraction: float = TEST_FRACTION,
) -> dict[str, Part]:
    """The part of every item, by id. `items` are pairs of item id and source paper id.

    The test part gets at most `test_items` items, and at most the share `test_fraction` of all. All items of
    a source paper go to the same part. Source papers are tried in the order of a hash of `seed` and their id;
    a paper goes to test if all its items still fit. So the order of `items` does not matter, and an added
    paper moves few others.

    Raises ValueError when an item occurs with two source papers.
    """
    source_of: dict[str, str] = {}
    for item, source in items:
        if source_of.setdefault(item, source) != source:
            raise ValueError(f"item {item} has two source papers: {source_of[item]} and {source}")
    items_of: dict[str, list[str]] = defaultdict(list)
    for item, source in source_of.items():
        items_of[source].append(item)

    # Rounded first: the last bit of a float must not turn 0.1 x 30 into 2.
    room = min(test_items, math.floor(round(test_fraction * len(source_of), 9)))
    tested = set()
    for source in sorted(items_of, key=lambda source: (row_id(seed, source), source)):
        if len(items_of[source]) <= room:
            tested.add(source)
            room -= len(items_of[source])
    return {item: "test" if source in tested else "dev" for item, source in source_of.items()}
