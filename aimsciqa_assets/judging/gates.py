"""Quality gates: is an item a multi-hop question that needs all its papers and a search?

Each gate gives every item a verdict (`pass`, `fail`, or `unknown` where nothing was measured) and a `detail`
that explains it. What a reader can do without a paper is taken from the answering benchmark, so the gates are
only as good as the answering model and its judges.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from aimsciqa.measures.dependence import rest_on_the_same
from aimsciqa_assets.items.form import alone, alone_setting
from aimsciqa_assets.retrieval.cosines import cosines
from aimsciqa_assets.tables.benchmark import RELABELLING
from aimsciqa_assets.tables.quality import NECESSITY

Verdict = Literal["pass", "fail", "unknown"]
Row = dict[str, Any]

_BLOCK: Final = 2048
_NEEDED: Final = 2
# How far the cosine of two equal float32 vectors may be from 1.
_ROUNDING: Final = 1e-6


@dataclass(frozen=True, slots=True)
class BestScore:
    """The highest score of an answer, None if it has none, and the `judges` that scored it."""

    value: float | None
    judges: str

    @property
    def said(self) -> str:
        """The score in words."""
        return f"{self.value:g} by {self.judges}" if self.value is not None else "not judged"


_UNJUDGED: Final = BestScore(None, "")


def best_scores(judgements: pl.DataFrame) -> dict[tuple[str, str], BestScore]:
    """The scores of one answerer's answers, by item and setting.

    If the item has an evaluator, only its score counts. Else the models count, or the lexical judge if no
    model judged. Judgements with a reason do not count: there was no answer, or the judge's reply could not
    be read.
    """
    found: dict[tuple[str, str], dict[str, list[tuple[float, str]]]] = {}
    for row in judgements.iter_rows(named=True):
        if row["score"] is not None and row["rejection_reason"] is None:
            kinds = found.setdefault((row["item_id"], row["setting"]), {})
            kinds.setdefault(row["kind"], []).append((row["score"], row["judge"]))
    scores = {}
    for key, kinds in found.items():
        scored = sorted(kinds.get("evaluator") or kinds.get("model") or kinds["lexical"])
        names = ", ".join(sorted(judge for _, judge in scored))
        said = "the lexical judge only" if kinds.keys() == {"lexical"} else names
        scores[key] = BestScore(scored[-1][0], said)
    return scores


def single_document(
    documents: Mapping[str, Sequence[Row]], scores: Mapping[tuple[str, str], BestScore]
) -> Iterator[Row]:
    """An item fails when an answer from one of its papers alone was judged right. `documents` is by item."""
    for item, of_item in documents.items():
        read = {role: scores.get((item, alone_setting(role)), _UNJUDGED) for role in alone(of_item)}
        detail = "; ".join(f"{role} alone: {score.said}" for role, score in read.items())
        verdict = _unanswerable([score.value for score in read.values()]) if read else "unknown"
        yield _row(item, "single_document", verdict, detail or "it has one document")


def closed_book(items: Iterable[str], scores: Mapping[tuple[str, str], BestScore]) -> Iterator[Row]:
    """An item fails when the answer without any paper was judged right."""
    for item in items:
        score = scores.get((item, "closed_book"), _UNJUDGED)
        yield _row(item, "closed_book", _unanswerable([score.value]), f"without papers: {score.said}")


def unique_retrieval(items: Iterable[str], rankings: pl.DataFrame) -> Iterator[Row]:
    """An item passes when two retrievers or more rank its target first in its cluster.

    `rankings` has `item_id, retriever, rank` of the cluster setting.
    """
    ranks: dict[str, dict[str, int]] = {}
    for item, retriever, rank in rankings.select("item_id", "retriever", "rank").iter_rows():
        ranks.setdefault(item, {})[retriever] = rank
    for item in items:
        of_item = ranks.get(item, {})
        first = sum(rank == 1 for rank in of_item.values())
        verdict: Verdict = "unknown"
        if len(of_item) >= _NEEDED:
            verdict = "pass" if first >= _NEEDED else "fail"
        places = "; ".join(f"{retriever}: place {rank}" for retriever, rank in sorted(of_item.items()))
        yield _row(item, "unique_retrieval", verdict, places or "not ranked")


def no_duplicate(
    items: Sequence[str],
    vectors: npt.NDArray[np.float32],
    similarity: float,
    facts: Mapping[str, frozenset[str]] = MappingProxyType({}),
) -> Iterator[Row]:
    """An item fails when an item with a smaller id asks nearly the same, or rests on the same facts.

    `items` are in the order of their ids; `vectors`, `(n_items, dim)` float32 of unit length, are of their
    questions. `facts` has the facts on which items rest; other items are compared by their questions alone.
    """
    same = _on_the_same(items, facts)
    for item, nearest in zip(items, _nearest_earlier(items, vectors), strict=True):
        if nearest is None:
            verdict: Verdict = "pass"
            detail = "no earlier item"
        else:
            other, cosine = nearest
            verdict = "fail" if cosine >= similarity - _ROUNDING else "pass"
            detail = f"nearest earlier: {other}, {cosine:.3f}"
        if item in same:
            verdict, detail = "fail", f"on the same facts: {same[item]}"
        yield _row(item, "no_duplicate", verdict, detail)


def _on_the_same(items: Sequence[str], facts: Mapping[str, frozenset[str]]) -> dict[str, str]:
    """Of each item the first one before it that rests on the same facts, if there is one."""
    on: dict[str, list[str]] = defaultdict(list)
    same = {}
    for item in items:
        own = facts.get(item, frozenset())
        near = {earlier for fact in own for earlier in on[fact]}
        if alike := [earlier for earlier in near if rest_on_the_same(own, facts[earlier])]:
            same[item] = min(alike)
        for fact in own:
            on[fact].append(item)
    return same


def _nearest_earlier(
    items: Sequence[str], vectors: npt.NDArray[np.float32]
) -> Iterator[tuple[str, float] | None]:
    """Of each item the nearest one before it, with the cosine; None for the first."""
    for start in range(0, len(items), _BLOCK):
        block = cosines(vectors[start : start + _BLOCK], vectors[: start + _BLOCK])
        # Each item is compared with earlier items only.
        block[np.arange(block.shape[1]) >= start + np.arange(block.shape[0])[:, None]] = -np.inf
        for row, other in enumerate(block.argmax(axis=1)):
            yield (items[other], float(block[row, other])) if start + row else None


def necessity(items: Iterable[str], ledger: pl.DataFrame) -> Iterator[Row]:
    """An item fails when it failed a test of the ledger, and passes when it passed one and failed none.

    `ledger` has `item_id, test, model, verdict` of the tests that count.
    """
    failed: dict[str, list[str]] = {}
    passed: set[str] = set()
    for item, test, model, said in ledger.select("item_id", "test", "model", "verdict").iter_rows():
        if said == "fail":
            failed.setdefault(item, []).append(f"{test} by {model}")
        elif said == "pass":
            passed.add(item)
    for item in items:
        verdict: Verdict = "fail" if item in failed else "pass" if item in passed else "unknown"
        yield _row(item, NECESSITY, verdict, "; ".join(sorted(failed.get(item, []))) or "it failed no test")


def relabelling(relabellings: pl.DataFrame) -> Iterator[Row]:
    """An item fails if a model that saw cards of papers, its own among them, named other papers for it.

    `relabellings` has `item_id, agrees, reason`; items of other systems have no row.
    """
    verdicts: dict[bool | None, Verdict] = {True: "pass", False: "fail", None: "unknown"}
    for item, agrees, reason in relabellings.select("item_id", "agrees", "reason").iter_rows():
        yield _row(item, RELABELLING, verdicts[agrees], reason)


def gate_rows(
    queries: pl.DataFrame,
    judgements: pl.DataFrame,
    rankings: pl.DataFrame,
    encode: Callable[[list[str]], npt.NDArray[np.float32]],
    similarity: float,
    *,
    ledger: pl.DataFrame | None = None,
    relabellings: pl.DataFrame | None = None,
    facts: Mapping[str, frozenset[str]] = MappingProxyType({}),
    earlier: Sequence[str] = (),
) -> list[Row]:
    """Rows of `benchmark.gates`: one for every item of `queries` and every gate.

    `queries` has `item_id, variant, question, documents`; `judgements` are of the answerer that plays the
    reader, `rankings` of the cluster setting. Without a `ledger` the gate `necessity` does not stand, and
    without `relabellings` neither does `relabelling`. `facts`
    are those on which items rest (`no_duplicate`); items of the kinds in `earlier` are no duplicates of
    others. Without items, nothing is encoded.
    """
    if queries.is_empty():
        return []
    ordered = queries.sort("item_id")
    is_earlier = ordered["variant"].is_in(list(earlier))
    items = ordered["item_id"].to_list()
    scores = best_scores(judgements)
    rows = [
        *single_document(dict(ordered.select("item_id", "documents").iter_rows()), scores),
        *closed_book(items, scores),
        *unique_retrieval(items, rankings),
        *(
            row
            for compared in (ordered.filter(~is_earlier), ordered.filter(is_earlier))
            if not compared.is_empty()
            for row in no_duplicate(
                compared["item_id"].to_list(), encode(compared["question"].to_list()), similarity, facts
            )
        ),
        *(necessity(items, ledger) if ledger is not None else ()),
        *(relabelling(relabellings) if relabellings is not None else ()),
    ]
    return sorted(rows, key=lambda row: (row["item_id"], row["gate"]))


def _unanswerable(best: Sequence[float | None]) -> Verdict:
    """`fail` if an answer was right, `unknown` if one was not judged, else `pass`."""
    if any(score == 1 for score in best):
        return "fail"
    return "unknown" if None in best else "pass"


def _row(item: str, gate: str, verdict: Verdict, detail: str) -> Row:
    return {"item_id": item, "gate": gate, "verdict": verdict, "detail": detail}
