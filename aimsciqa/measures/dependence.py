"""Which items depend on each other: those that share a fact say nearly the same of a system twice."""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Final

import numpy as np

_MOST: Final = 0.8


def rest_on_the_same(facts: Set[object], others: Set[object]) -> bool:
    """Say whether two items are duplicates: they share 80% of the facts of the one that has fewer."""
    fewer = min(len(facts), len(others))
    return fewer > 0 and len(facts & others) >= _MOST * fewer


def clusters_of(facts: Mapping[str, Sequence[str]], items: Iterable[str]) -> dict[str, str]:
    """The cluster of each item, named by its smallest item: shared facts join items, also in a chain.

    `facts` are those of each item; an item without any is a cluster of its own.
    """
    # Imported here: it takes time, and few commands need it.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    listed = sorted(set(items))
    numbers = {fact: number for number, fact in enumerate(sorted({f for fs in facts.values() for f in fs}))}
    links = [(place, numbers[fact]) for place, item in enumerate(listed) for fact in facts.get(item, ())]
    if not links:
        return {item: item for item in listed}
    of_items, of_facts = np.array(links).T
    size = len(listed) + len(numbers)
    graph = coo_array((np.ones(len(links)), (of_items, of_facts + len(listed))), shape=(size, size))
    _, labels = connected_components(graph, directed=False)
    names: dict[int, str] = {}
    return {item: names.setdefault(int(labels[place]), item) for place, item in enumerate(listed)}
