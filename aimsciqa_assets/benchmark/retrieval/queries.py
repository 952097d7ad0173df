"""The queries of the benchmark: accepted items, with the papers among which the target is looked for."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl


def query_rows(
    items: pl.DataFrame,
    splits: Mapping[str, str],
    clusters: Mapping[str, Sequence[str]],
    papers: Sequence[str],
    *,
    split: str,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Rows of `benchmark.queries` for accepted rows of `multi_hop.items`; `split` is `all`, `dev` or `test`.

    `splits` are the items' splits, `clusters` the members by relation, `papers` those that may be retrieved,
    by id. Members that are none of these do not count, and an item whose target is none of them is no query.
    """
    retrievable = set(papers)
    for item in items.sort("item_id").iter_rows(named=True):
        item_id, source, target = item["item_id"], item["source_paper_id"], item["target_paper_id"]
        part = splits.get(item_id)
        if part is None or split not in ("all", part) or target not in retrievable:
            continue
        cluster = sorted((retrievable & {*clusters[item["relation_id"]], target}) - {source})
        yield {
            "item_id": item_id,
            "variant": item["variant"],
            "split": part,
            "source_paper_id": source,
            "target_paper_id": target,
            "query": item["retrieval_question"],
            "question": item["merged_question"],
            "answer": item["merged_answer"],
            "cluster": cluster,
            "random_cluster": random_cluster(source, target, papers, len(cluster), f"{seed} {item_id}"),
        }


def random_cluster(source: str, target: str, papers: Sequence[str], size: int, seed: str) -> list[str]:
    """The target and `size - 1` papers drawn by `seed`, never the source; all where there are fewer."""
    # Two more than needed: the source and the target may be drawn.
    drawn = random.Random(seed).sample(papers, min(len(papers), size + 1))
    others = [paper for paper in drawn if paper not in (source, target)]
    return sorted([target, *others[: size - 1]])
