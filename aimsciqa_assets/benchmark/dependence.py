"""Which items depend on each other: those that share a fact say nearly the same of a model twice."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.steps import StepRun

FACTS = query_of("benchmark.facts")


def drawn_clusters(run: StepRun, items: Iterable[str]) -> dict[str, str]:
    """The cluster of each item for intervals and tests, as `benchmark.resampled` wants it."""
    if run.settings.benchmark.resampled == "items":
        return {item: item for item in items}
    return clusters_of(dict(run.warehouse.read(FACTS.text).iter_rows()), items)


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
