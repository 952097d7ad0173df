"""The comparison table of a measure: which measures a name means, and what papers report of them."""

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl
from aimsciqa_resources.encoder import Encoder
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.findings.vocabulary import folded
from aimsciqa_assets.platform.queries import query_of


@dataclass(frozen=True, slots=True)
class Comparison:
    """What papers report of the measures that a name means.

    `rows` are those of `findings.comparison`. If no measure is called so, `nearest` names the measures that
    are most like it, the nearest first; `rows` then hold those that are like enough. `known` is the number of
    all measures.
    """

    rows: pl.DataFrame
    known: int
    nearest: tuple[str, ...] = ()


def comparison_of(
    name: str, warehouse: Warehouse, encoder: Callable[[], Encoder], likeness: float
) -> Comparison:
    """Return the comparison table of the measures whose name or term contains a text.

    If there is none, they are the measures with a term of at least such a `likeness` (cosine) to it.
    """
    measures = warehouse.read(query_of("findings.terms_of_measures").text).rows(named=True)
    wanted = folded(name)
    called = [
        row["measure_id"]
        for row in measures
        if any(wanted in folded(text) for text in (row["name"], *row["terms"]))
    ]
    if called or not measures:
        return Comparison(_rows(called, warehouse), len(measures))
    loaded = encoder()
    terms = warehouse.read(
        query_of("findings.nearest_terms").text,
        {
            "vector": loaded.encode([name])[0].tolist(),
            "encoder": loaded.name,
            "revision": loaded.revision,
        },
    )
    by_term = {term: row for row in measures for term in row["terms"]}
    near = [(by_term[term], cosine) for term, cosine in terms.iter_rows() if term in by_term]
    alike = [row["measure_id"] for row, cosine in near if cosine >= likeness]
    nearest = tuple(dict.fromkeys(row["name"] for row, _ in near))
    return Comparison(_rows(alike, warehouse), len(measures), nearest)


def _rows(measures: list[str], warehouse: Warehouse) -> pl.DataFrame:
    return warehouse.read(query_of("findings.comparison").text, {"measures": measures})
