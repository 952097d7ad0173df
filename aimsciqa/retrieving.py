"""Evaluates retrievers on a release: functions, objects with an index, runs in memory or in a TREC file."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol, cast

import numpy as np

from aimsciqa.bm25 import Bm25Retriever, Papers
from aimsciqa.documents import Documents
from aimsciqa.evaluation import Evaluation, EvaluationError, Part, check_known, scores_of, some_of
from aimsciqa.measures.ranking import KEPT, measures_for, query_values
from aimsciqa.release import Query, Release, Setting, Split, chosen_by
from aimsciqa.runs import read_run

Ranking = Mapping[str, float] | Sequence[str] | Sequence[float]
"""Scores by paper id, or paper ids with the best first, or scores in the order of the candidates."""
Run = Mapping[str, Mapping[str, float] | Sequence[str]]
"""A ranking for each item id."""
Function = Callable[[str, Mapping[str, str]], Ranking]

SETTINGS: Final = ("cluster", "full")
_NUMBERS_AT_ONCE: Final = 2**20
"""How many scores are in memory at a time."""


class Retriever(Protocol):
    """A retriever that prepares the documents once."""

    def index(self, documents: Mapping[str, str]) -> None:
        """Take in the texts of all papers by paper id."""

    def search(self, queries: Mapping[str, str], candidates: Mapping[str, Sequence[str]]) -> Run:
        """Rank the candidates of each query; both are by item id."""


class Bm25:
    """BM25 (Lucene's, k1 = 1.5, b = 0.75) over English word stems without stop words."""

    def index(self, documents: Mapping[str, str]) -> None:
        """Take in the texts of all papers."""
        self._documents = Documents.of({paper: [text] for paper, text in documents.items()})
        self._retriever = Bm25Retriever(self._documents)
        self._places = {paper: place for place, paper in enumerate(self._documents.papers)}

    def search(
        self, queries: Mapping[str, str], candidates: Mapping[str, Sequence[str]]
    ) -> dict[str, list[str]]:
        """The first papers of each query; of those with equal scores, the one with the smaller id."""
        found = {}
        papers = self._documents.papers
        at_once = max(1, _NUMBERS_AT_ONCE // max(1, len(papers)))
        items = list(queries)
        for start in range(0, len(items), at_once):
            block = items[start : start + at_once]
            search = self._retriever.search([queries[item] for item in block])
            for row, item in enumerate(block):
                among = self._places_of(candidates, item)
                found[item] = [papers[place] for place in search.ranked(row, among).papers[:KEPT]]
        return found

    def _places_of(self, candidates: Mapping[str, Sequence[str]], item: str) -> Papers:
        if isinstance(candidates, Candidates):
            return candidates.places(item)
        return np.array(sorted(self._places[paper] for paper in candidates[item]), dtype=np.int64)


class Candidates(Mapping[str, Sequence[str]]):
    """The candidates of queries by item id, made when they are asked for: all together are too many."""

    def __init__(self, release: Release, queries: Sequence[Query], setting: Setting) -> None:
        self._release = release
        self._setting: Setting = setting
        self._queries = {query.item_id: query for query in queries}
        self._places = {paper: place for place, paper in enumerate(release.papers)}
        self._every = np.arange(len(self._places))

    def __getitem__(self, item: str) -> Sequence[str]:
        return self._release.candidates(self._queries[item], self._setting)

    def __iter__(self) -> Iterator[str]:
        return iter(self._queries)

    def __len__(self) -> int:
        return len(self._queries)

    def places(self, item: str) -> Papers:
        """The places of the candidates among all papers in the order of their ids."""
        query = self._queries[item]
        if self._setting == "full":
            in_hand = [self._places[paper] for paper in query.in_hand if paper in self._places]
            return np.delete(self._every, in_hand)
        return np.array(sorted(self._places[paper] for paper in query.cluster), dtype=np.int64)


def evaluate_retriever(
    release: Release,
    retriever: Retriever | Function | Run | str | Path,
    setting: Setting = "cluster",
    split: Split | None = None,
    variant: str | None = None,
    *,
    only_given: bool = False,
) -> Evaluation:
    """See `Release.evaluate_retriever`. With `only_given`, queries without a ranking are left out."""
    queries, notes = _asked(release, setting, split, variant)
    run, more = _ranked(release, retriever, queries, setting)
    if only_given:
        queries = [query for query in queries if query.item_id in run]
    rankings = {query.item_id: run.get(query.item_id, []) for query in queries}
    most = max((_number_of_candidates(release, query, setting) for query in queries), default=0)
    measures = measures_for(setting, most)
    measured = query_values(rankings, {query.item_id: query.gold for query in queries}, measures)
    values = {name: dict(zip(rankings, numbers.tolist(), strict=True)) for name, numbers in measured.items()}
    parts = [Part(query.item_id, query.split, query.variant, query.facts) for query in queries]
    return Evaluation("retrieval", setting, scores_of(parts, values, release), values, (*notes, *more))


def baseline_run(release: Release, setting: Setting, split: Split | None = None) -> dict[str, list[str]]:
    """The ranking of BM25 for each item, or for those of a split."""
    queries, _ = _asked(release, setting, split, None)
    return _ranked(release, Bm25(), queries, setting)[0]


def _asked(
    release: Release, setting: str, split: str | None, variant: str | None
) -> tuple[list[Query], list[str]]:
    """The queries to be evaluated, and a note if some cannot be."""
    if setting not in SETTINGS:
        raise EvaluationError(f"There is no setting {setting!r}: choose one of {', '.join(SETTINGS)}.")
    every = release.queries.values()
    is_chosen = chosen_by(split, variant, sorted({query.variant for query in every}))
    chosen = [query for query in every if is_chosen(query.split, query.variant)]
    if setting == "full":
        return chosen, []
    clustered = [query for query in chosen if query.cluster]
    without = len(chosen) - len(clustered)
    return clustered, [f"{without:,} queries have no cluster and are left out"] if without else []


def _ranked(
    release: Release,
    retriever: Retriever | Function | Run | str | Path,
    queries: Sequence[Query],
    setting: Setting,
) -> tuple[dict[str, list[str]], list[str]]:
    """The candidates of each query, the best first, and notes on what was missing or left out."""
    if isinstance(retriever, str | Path):
        return _of_run(release, read_run(Path(retriever)), queries, setting)
    if isinstance(retriever, Mapping):
        return _of_run(release, retriever, queries, setting)
    if hasattr(retriever, "search"):
        indexed = cast("Retriever", retriever)
        indexed.index(release.documents)
        run = indexed.search(
            {query.item_id: query.text for query in queries},
            Candidates(release, queries, setting),
        )
        return _of_run(release, run, queries, setting)
    if callable(retriever):
        function = retriever
        asked: dict[str, dict[str, float] | list[str]] = {}
        for query in queries:
            texts = {paper: release.documents[paper] for paper in release.candidates(query, setting)}
            asked[query.item_id] = _named(function(query.text, texts), texts, query.item_id)
        return _of_run(release, asked, queries, setting)
    raise EvaluationError(
        f"A retriever is a function, an object with index() and search(), a run or a file, but this is a "
        f"{type(retriever).__name__}."
    )


def _named(ranking: Ranking, texts: Mapping[str, str], item: str) -> dict[str, float] | list[str]:
    """The ranking by paper ids; a list of numbers has the scores of the candidates in their order."""
    if isinstance(ranking, Mapping):
        return dict(ranking)
    listed = list(ranking)
    if not listed or isinstance(listed[0], str):
        return [str(paper) for paper in listed]
    if len(listed) != len(texts):
        raise EvaluationError(
            f"The retriever gave {len(listed):,} scores for the {len(texts):,} candidates of {item}."
        )
    scores = cast("list[float]", listed)
    return {paper: float(score) for paper, score in zip(texts, scores, strict=True)}


def _of_run(
    release: Release, run: Run, queries: Sequence[Query], setting: Setting
) -> tuple[dict[str, list[str]], list[str]]:
    _check_ids(release, run)
    notes = []
    found: dict[str, list[str]] = {}
    left_out = 0
    for query in queries:
        if query.item_id not in run:
            continue
        papers = _best_first(run[query.item_id], query.item_id)
        allowed = set(query.cluster) if setting == "cluster" else None
        kept = [
            paper for paper in papers if paper not in query.in_hand and (allowed is None or paper in allowed)
        ]
        left_out += len(papers) - len(kept)
        found[query.item_id] = kept[:KEPT]
    missing = [query.item_id for query in queries if not found.get(query.item_id)]
    if missing:
        notes.append(f"{len(missing):,} queries have no ranking and count as 0: {some_of(missing)}")
    if left_out:
        notes.append(f"{left_out:,} ranked papers are no candidates of their query and are left out")
    if others := len(run) - sum(query.item_id in run for query in queries):
        notes.append(f"{others:,} rankings are for queries that were not chosen and are left out")
    return found, notes


def _number_of_candidates(release: Release, query: Query, setting: Setting) -> int:
    if setting == "cluster":
        return len(query.cluster)
    return len(release.papers) - sum(paper in release.papers for paper in query.in_hand)


def _best_first(ranking: Mapping[str, float] | Sequence[str], item: str) -> list[str]:
    """The papers by score, those with equal scores by id; a list is in its order already."""
    if isinstance(ranking, Mapping):
        if bad := [paper for paper, score in ranking.items() if not math.isfinite(score)]:
            raise EvaluationError(f"The ranking of {item} has scores that are no numbers: {some_of(bad)}.")
        return sorted(ranking, key=lambda paper: (-ranking[paper], paper))
    doubled = [paper for paper, times in Counter(ranking).items() if times > 1]
    if doubled:
        raise EvaluationError(f"The ranking of {item} has papers more than once: {some_of(doubled)}.")
    return list(ranking)


def _check_ids(release: Release, run: Run) -> None:
    check_known(run, release.queries.keys(), "query", release.name, "those of beir/queries.jsonl")
    named = (paper for ranking in run.values() for paper in ranking)
    check_known(named, release.papers.keys(), "document", release.name, "those of beir/corpus.jsonl")
