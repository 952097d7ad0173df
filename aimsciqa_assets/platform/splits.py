"""The two parts of a released dataset: a small test set and the rest for development.

What must not stand on both sides goes together: items of one source, of the same two papers, and, if so asked
for, items that rest on the same sentence. Such items hang together through others, of both variants: the
components of that graph are divided, not the items.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from aimsciqa.measures.dependence import clusters_of
from aimsciqa_assets.platform.identity import row_id

Part = Literal["dev", "test"]
Apart = Literal["evidence", "facts"]

# AIM-SciQA, table 3: 300 test items of 13,672.
TEST_ITEMS: Final = 300
TEST_FRACTION: Final = 0.1


@dataclass(frozen=True, slots=True)
class Divided:
    """An item to be put into a part; `sentences` names what it quotes."""

    item_id: str
    variant: str
    source: str
    target: str
    sentences: tuple[str, ...] = ()

    def bonds(self, apart: Apart) -> Iterator[str]:
        """What an item of the other part may not have as well."""
        yield f"source {self.source}"
        yield f"papers {min(self.source, self.target)} {max(self.source, self.target)}"
        if apart == "evidence":
            yield from (f"sentence {sentence}" for sentence in self.sentences)


def split_items(
    items: Iterable[Divided],
    seed: int,
    test_items: int = TEST_ITEMS,
    test_fraction: float = TEST_FRACTION,
    apart: Apart = "evidence",
) -> dict[str, Part]:
    """The part of every item, by id.

    Of each variant the test part gets at most `test_items` items, and at most the share `test_fraction`.
    Components are tried in the order of a hash of `seed` and their sources; one goes to test if its items of
    every variant still fit. So the order of `items` does not matter, and an added paper moves few others.
    """
    listed = sorted(items, key=lambda item: item.item_id)
    of_variant = Counter(item.variant for item in listed)
    # Rounded first: the last bit of a float must not turn 0.1 x 30 into 2.
    room = {
        variant: min(test_items, math.floor(round(test_fraction * count, 9)))
        for variant, count in of_variant.items()
    }
    parts: dict[str, Part] = {}
    for component in sorted(components(listed, apart), key=lambda held: _order(held, seed)):
        held = Counter(item.variant for item in component)
        fits = all(held[variant] <= room[variant] for variant in held)
        parts |= dict.fromkeys((item.item_id for item in component), "test" if fits else "dev")
        if fits:
            room = {variant: room[variant] - held[variant] for variant in room}
    return parts


def components(items: Iterable[Divided], apart: Apart) -> list[list[Divided]]:
    """The items that hang together."""
    listed = list(items)
    bonds = {item.item_id: list(item.bonds(apart)) for item in listed}
    named = clusters_of(bonds, bonds)
    held: dict[str, list[Divided]] = defaultdict(list)
    for item in listed:
        held[named[item.item_id]].append(item)
    return list(held.values())


def sentences_of(quotes: Mapping[str, tuple[str, int, int]]) -> dict[str, str]:
    """A name for what each quote overlaps, by quote: quotes that overlap, also by way of others, have one.

    `quotes` are paragraph, start and end, by id.
    """
    by_paragraph: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for quote, (paragraph, start, end) in quotes.items():
        by_paragraph[paragraph].append((start, end, quote))
    names: dict[str, str] = {}
    for paragraph, found in by_paragraph.items():
        first, reached = 0, -1
        for start, end, quote in sorted(found):
            if start >= reached:
                first = start
            reached = max(reached, end)
            names[quote] = f"{paragraph} {first}"
    return names


def _order(component: list[Divided], seed: int) -> tuple[str, str]:
    return min((row_id(seed, item.source), item.source) for item in component)
