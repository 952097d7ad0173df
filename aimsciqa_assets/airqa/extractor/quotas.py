"""How many examples of each kind and element are wanted, and what became of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.settings.extractor import ExtractorSettings

SINGLE: Final = "single"
MULTIPLE: Final = "multiple"
RETRIEVAL: Final = "retrieval"
COMPREHENSIVE: Final = "comprehensive"
PARTS: Final = 2
"""Singles that a multiple example is made of."""


@dataclass(frozen=True, slots=True)
class Quota:
    """How many of a kind and element are wanted; `parts` are further ones, for multiple examples.

    `element` is None for retrieval, which has title and abstract.
    """

    kind: str
    element: str | None
    examples: int
    parts: int = 0

    @property
    def wanted(self) -> int:
        """All that have to be made."""
        return self.examples + self.parts


@dataclass(frozen=True, slots=True)
class Plan:
    """The quotas in the order in which they draw, and how many multiple examples are made at the end."""

    quotas: tuple[Quota, ...]
    multiple: int


def planned(chosen: ExtractorSettings, seeds: Mapping[str, int]) -> Plan:
    """What the settings want, where the store has so many `seeds` of each element.

    What the store has too little of goes to other elements; where it has too little of all, it stays wanted.
    """
    kinds = shares(chosen.examples, chosen.weights_of_kinds)
    single, multiple = kinds.get(SINGLE, 0), kinds.get(MULTIPLE, 0)
    elements = chosen.weights_of_elements
    made = shares(single + PARTS * multiple, elements, seeds)
    left = {name: seeds.get(name, 0) - made[name] for name in elements}
    kept = shares(single, made, made)
    comprehensive = shares(kinds.get(COMPREHENSIVE, 0), elements, left)
    quotas = [
        *(Quota(SINGLE, name, kept[name], made[name] - kept[name]) for name in elements),
        *(Quota(COMPREHENSIVE, name, number) for name, number in comprehensive.items()),
        Quota(RETRIEVAL, None, kinds.get(RETRIEVAL, 0)),
    ]
    return Plan(tuple(quota for quota in quotas if quota.wanted), multiple)


def shares(total: int, weights: Mapping[str, float], room: Mapping[str, int] | None = None) -> dict[str, int]:
    """`total` divided by weights (Sainte-Laguë), no more for each than there is `room`.

    Where there is no room at all, the rest is divided as if there were.
    """
    given = dict.fromkeys(weights, 0)
    weighty = [name for name, weight in weights.items() if weight > 0]
    for _ in range(total if weighty else 0):
        roomy = [name for name in weighty if room is None or given[name] < room.get(name, 0)]
        name = max(roomy or weighty, key=lambda one: weights[one] / (2 * given[one] + 1))
        given[name] += 1
    return given
