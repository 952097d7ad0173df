"""The vocabulary of measures: terms of many papers that mean one measure get one name and one unit.

Terms are clustered by their vectors, and a model names the terms of a cluster. Names are never changed:
terms of later batches join them or get new ones, so the names of a corpus depend on what was ingested, in
the order of the batches, and on nothing else.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.asking.task import json_task
from aimsciqa_assets.findings.replies import NamedMeasure, Vocabulary
from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.retrieval.neighbours import Neighbours, nearest

Row = dict[str, Any]
Vectors = npt.NDArray[np.float32]

NAMING: Final = json_task("findings_vocabulary", Vocabulary)
NEIGHBOURS: Final = 10
"""Terms that each term is compared with, the nearest ones."""
_MOST_EXISTING: Final = 20


@dataclass(slots=True)
class Term:
    """What papers call a measure, with its unit. `quantities` are those that papers give under this term."""

    measure: str
    unit: str
    example: str
    papers: set[str] = field(default_factory=set)
    quantities: list[Row] = field(default_factory=list)

    @property
    def key(self) -> str:
        """Return what two spellings of one term share."""
        return f"{folded(self.measure)}|{folded(self.unit)}"


@dataclass(frozen=True, slots=True)
class Measure:
    """A named measure."""

    measure_id: str
    name: str
    definition: str
    unit: str
    since: str
    model: str | None


@dataclass(frozen=True, slots=True)
class Naming:
    """How a term belongs to a measure: its values, times `factor`, are in the unit of the measure."""

    measure: Measure
    is_reversed: bool = False
    factor: float = 1.0


def folded(text: str) -> str:
    """Return a text without what two spellings of it may differ in: case, blanks, the dash."""
    return " ".join(text.casefold().replace("‐", "-").replace("–", "-").split())


def terms_of(quantities: Iterable[Mapping[str, Any]]) -> list[Term]:
    """Return the terms of quantities, in the order in which they first occur.

    A quantity has `quantity_id`, `paper_id`, `batch`, `measure`, `unit`, `statement` and `value`.
    """
    terms: dict[str, Term] = {}
    for quantity in quantities:
        term = Term(quantity["measure"], quantity["unit"], quantity["statement"])
        term = terms.setdefault(term.key, term)
        term.papers.add(quantity["paper_id"])
        term.quantities.append(dict(quantity))
    return list(terms.values())


class Names:
    """The names so far. `add` names the terms of a further batch."""

    def __init__(self, similarity: float, terms_per_request: int, model: str) -> None:
        self.similarity = similarity
        self.terms_per_request = terms_per_request
        self.model = model
        self.namings: dict[str, Naming] = {}
        self._earlier = Neighbours()
        self._keys: list[str] = []

    def clusters(self, terms: Sequence[Term], vectors: Vectors, batch: str) -> list["Cluster"]:
        """Return the clusters of new terms that a model has to name, small ones together; name the others.

        `vectors` is `(n_terms, dim)` float32, rows of unit length.
        """
        new = [at for at, term in enumerate(terms) if term.key not in self.namings]
        listed, rows = [terms[at] for at in new], vectors[new]
        offered = self._offered(rows)
        clusters = list[Cluster]()
        for members in clustered(rows, self.similarity, self.terms_per_request):
            existing = list(dict.fromkeys(measure for at in members for measure in offered[at]))
            chosen = [listed[at] for at in members]
            if existing or len(set.union(*(term.papers for term in chosen))) > 1:
                self._pack(clusters, Cluster(chosen, existing[:_MOST_EXISTING]))
            else:
                for term in chosen:
                    self._name_alone(term, batch)
        if new:
            self._earlier.add(rows)
            self._keys += [term.key for term in listed]
        return clusters

    def _pack(self, clusters: list["Cluster"], cluster: "Cluster") -> None:
        """Put a cluster into the last request if it has room for its terms, else into one of its own."""
        last = clusters[-1] if clusters else None
        if last and len(last.terms) + len(cluster.terms) <= self.terms_per_request:
            existing = list(dict.fromkeys([*last.existing, *cluster.existing]))
            clusters[-1] = Cluster([*last.terms, *cluster.terms], existing)
        else:
            clusters.append(cluster)

    def take(self, cluster: "Cluster", vocabulary: Vocabulary | None, batch: str) -> None:
        """Name the terms of a cluster as a reply says; those it leaves out get names of their own."""
        for named in vocabulary.names if vocabulary else ():
            members = [
                member
                for member in named.members
                if 0 < member.term <= len(cluster.terms)
                and cluster.terms[member.term - 1].key not in self.namings
                and math.isfinite(member.factor)
                and member.factor > 0
            ]
            if not members:
                continue
            keys = [cluster.terms[member.term - 1].key for member in members]
            measure = self._measure(cluster, named, keys, batch)
            for member, key in zip(members, keys, strict=True):
                self.namings[key] = Naming(measure, member.reversed, member.factor)
        for term in cluster.terms:
            if term.key not in self.namings:
                self._name_alone(term, batch)

    def _measure(self, cluster: "Cluster", named: NamedMeasure, keys: Sequence[str], batch: str) -> Measure:
        if 0 < named.existing <= len(cluster.existing):
            return cluster.existing[named.existing - 1]
        name = named.name.strip() or cluster.terms[0].measure
        measure_id = row_id("measure", batch, *sorted(keys))
        return Measure(measure_id, name, named.definition.strip(), named.unit.strip(), batch, self.model)

    def _name_alone(self, term: Term, batch: str) -> None:
        measure_id = row_id("measure", batch, term.key)
        self.namings[term.key] = Naming(Measure(measure_id, term.measure, "", term.unit, batch, None))

    def _offered(self, rows: Vectors) -> list[list[Measure]]:
        """Return, for each new term, the measures of the earlier terms that are near to it."""
        places, similarities = self._earlier.nearest(rows, NEIGHBOURS)
        return [
            [
                self.namings[self._keys[place]].measure
                for place, similarity in zip(near, alike, strict=True)
                if similarity >= self.similarity
            ]
            for near, alike in zip(places, similarities, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Terms that may mean one measure, and measures with names that they may belong to."""

    terms: list[Term]
    existing: list[Measure]

    @property
    def key(self) -> str:
        """Return what a request about the cluster is known by."""
        return row_id("vocabulary", *sorted(term.key for term in self.terms))

    def named(self) -> Dialogue["NamedCluster"]:
        """Ask for names of the terms."""
        outcome = yield from NAMING.ask(
            self.key,
            terms=[
                f"{number}. {term.measure} [{term.unit or 'no unit'}]; for example: {term.example}"
                for number, term in enumerate(self.terms, start=1)
            ],
            existing=[
                f"{number}. {measure.name} [{measure.unit or 'no unit'}]: {measure.definition}"
                for number, measure in enumerate(self.existing, start=1)
            ],
        )
        return NamedCluster(self, outcome.value, outcome.failure)


@dataclass(frozen=True, slots=True)
class NamedCluster:
    """A cluster with the names that a model gave its terms; `failure` says why there was no reply."""

    cluster: Cluster
    vocabulary: Vocabulary | None
    failure: str | None


def clustered(vectors: Vectors, similarity: float, most: int) -> list[list[int]]:
    """Return clusters of at most so many rows: the most similar rows are joined first.

    `vectors` is `(n, dim)` float32, rows of unit length; the clusters hold the places of their rows.
    """
    if len(vectors) < 2:
        return [[at] for at in range(len(vectors))]
    places, similarities = nearest(vectors, vectors, min(NEIGHBOURS + 1, len(vectors)))
    first = np.repeat(np.arange(len(vectors)), places.shape[1])
    second, alike = places.ravel(), similarities.ravel()
    pairs = (first < second) & (alike >= similarity)
    # Ties are broken by place, so that the clusters depend on nothing but the rows.
    order = np.lexsort((second[pairs], first[pairs], -np.round(alike[pairs], 5)))
    parent = list(range(len(vectors)))
    size = [1] * len(vectors)

    def root(at: int) -> int:
        while parent[at] != at:
            parent[at] = parent[parent[at]]
            at = parent[at]
        return at

    for one_end, other_end in zip(first[pairs][order].tolist(), second[pairs][order].tolist(), strict=True):
        low, high = sorted((root(one_end), root(other_end)))
        if low != high and size[low] + size[high] <= most:
            parent[high] = low
            size[low] += size[high]
    members: dict[int, list[int]] = {}
    for at in range(len(vectors)):
        members.setdefault(root(at), []).append(at)
    return list(members.values())


def measure_rows(namings: Mapping[str, Naming]) -> Iterator[Row]:
    """Yield each named measure once (`findings.measures`)."""
    measures = {naming.measure.measure_id: naming.measure for naming in namings.values()}
    for measure in measures.values():
        yield {name: getattr(measure, name) for name in Measure.__slots__}


def measured_rows(terms: Iterable[Term], namings: Mapping[str, Naming]) -> Iterator[Row]:
    """Yield each quantity with its measure and its value in the unit of the measure (`findings.measured`)."""
    for term in terms:
        naming = namings[term.key]
        for quantity in term.quantities:
            value = quantity["value"]
            yield {
                "quantity_id": quantity["quantity_id"],
                "paper_id": quantity["paper_id"],
                "batch_of_paper": quantity["batch"],
                "measure_id": naming.measure.measure_id,
                "is_reversed": naming.is_reversed,
                "value": None if value is None else value * naming.factor,
            }
