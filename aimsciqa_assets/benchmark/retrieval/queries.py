"""The queries of the benchmark: items, with the papers among which a retriever looks for theirs."""

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from aimsciqa_assets.items.form import gold_papers, papers_in_hand


def query_rows(
    items: pl.DataFrame,
    pools: Mapping[str, Sequence[str]],
    papers: Sequence[str],
    *,
    split: str,
    whole: Collection[str] = (),
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Rows of `benchmark.queries` for rows of `benchmark/items.sql`.

    `split` is `all`, `dev` or `test`; of the variants `whole` every item is taken.
    `pools` has the candidate papers of each item that has its own; `papers` are the sorted ids of all papers
    that may be retrieved. Other papers in a pool do not count, and an item with another gold paper is left
    out.
    """
    retrievable = set(papers)
    for item in items.sort("item_id").iter_rows(named=True):
        gold, in_hand = gold_papers(item["documents"]), papers_in_hand(item["documents"])
        wanted = split in ("all", item["split"]) or item["variant"] in whole
        if not wanted or not retrievable.issuperset(gold):
            continue
        cluster = random_one = None
        if gold and item["item_id"] in pools:
            cluster = sorted((retrievable & {*pools[item["item_id"]], *gold}) - {*in_hand})
            random_one = random_cluster(in_hand, gold, papers, len(cluster), f"{seed} {item['item_id']}")
        yield {
            "item_id": item["item_id"],
            "variant": item["variant"],
            "split": item["split"],
            "source_paper_id": _only(in_hand),
            "target_paper_id": _only(gold),
            "query": item["query"],
            "question": item["question"],
            "answer": item["answer"],
            "cluster": cluster,
            "random_cluster": random_one,
        }


def random_cluster(
    in_hand: Sequence[str], gold: Sequence[str], papers: Sequence[str], size: int, seed: str
) -> list[str]:
    """The gold papers and others drawn by `seed`, `size` in all if there are enough, none of them in hand."""
    # Draw more than needed, because gold papers and papers in hand may be among them.
    drawn = random.Random(seed).sample(papers, min(len(papers), size + len(in_hand)))
    others = [paper for paper in drawn if paper not in (*gold, *in_hand)]
    return sorted([*gold, *others[: size - len(gold)]])


def _only(papers: Sequence[str]) -> str | None:
    return papers[0] if len(papers) == 1 else None
