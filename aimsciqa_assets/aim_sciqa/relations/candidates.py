"""Candidate documents of a source: papers that share keywords with it, or that it cites (section 4.3)."""

import math
from typing import Literal

import polars as pl

# Weights are summed as whole numbers of this unit, so that the order of summation does not matter.
_WEIGHT_UNIT = 2.0**-32


Order = Literal["rarity", "count"]


def keyword_candidates(sources: pl.Series, keywords: pl.DataFrame, order: Order = "rarity") -> pl.DataFrame:
    """Papers that share a keyword with a source, the nearest first.

    `sources` holds paper ids, `keywords` has `paper_id` and `keyword` of the whole corpus. Returns
    `source_paper_id, target_paper_id, shared, weight, rank, group`: candidates of a source are ordered by
    their shared keywords, each weighted by its rarity `ln(papers / papers with it)`, then by id. A keyword
    that every paper has weighs nothing but still makes a candidate. With the order `count`, their number
    counts before their weight. `group` is the number of the most frequent keyword that both papers have: all
    papers of a group are candidates of each other.
    """
    nearest = ("weight", "shared") if order == "rarity" else ("shared", "weight")
    pairs = keywords.select("paper_id", "keyword").unique()
    papers = pairs["paper_id"].n_unique()
    # Numbers instead of ids: common keywords make very many pairs of papers.
    known = pairs.select("paper_id").unique().sort("paper_id").with_row_index("paper")
    rarity = (
        pairs.group_by("keyword")
        .agg(pl.len().alias("papers"))
        .sort("papers", "keyword", descending=[True, False])
        .with_row_index("group")
        .with_columns(weight=((math.log(max(papers, 1)) - pl.col("papers").log()) / _WEIGHT_UNIT).round())
        .select("keyword", "group", pl.col("weight").cast(pl.Int64))
    )
    of_target = pairs.join(known, on="paper_id").join(rarity, on="keyword").select("paper", "group", "weight")
    of_source = of_target.join(
        known.filter(pl.col("paper_id").is_in(sources.implode())), on="paper", how="semi"
    ).select("group", source="paper")
    found = (
        of_source.join(of_target, on="group")
        .filter(pl.col("source") != pl.col("paper"))
        .group_by("source", "paper")
        .agg(pl.len().alias("shared"), pl.col("weight").sum(), pl.col("group").min())
        .sort("source", *nearest, "paper", descending=[False, True, True, False])
        .with_columns(pl.int_range(1, pl.len() + 1).over("source").alias("rank"))
    )
    names = known["paper_id"]
    return found.select(
        names.gather(found["source"]).alias("source_paper_id"),
        names.gather(found["paper"]).alias("target_paper_id"),
        "shared",
        pl.col("weight") * _WEIGHT_UNIT,
        "rank",
        "group",
    )


def citation_candidates(
    sources: pl.Series,
    pairs: pl.DataFrame,
    edges: pl.DataFrame,
    min_cited: int,
    references: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Papers that a source cites alone in a sentence (citation-guided variant, section 4.3).

    `pairs` has `source_paper_id, target_paper_id` (rows of `citation_guided.pairs`), `edges` the citation
    edges. A source that cites fewer than `min_cited` papers of the corpus gives no candidates, because its
    cluster would be too small. With `references`, which has `paper_id` and `references`, their number,
    neither does a source of which one leads to no paper of the corpus. Returns `source_paper_id,
    target_paper_id`.
    """
    cited = edges.group_by("citing_paper_id").len().filter(pl.col("len") >= min_cited)
    if references is not None:
        led = edges.group_by("citing_paper_id").agg(pl.col("reference_ids").list.len().sum())
        whole = led.join(references, left_on="citing_paper_id", right_on="paper_id").filter(
            pl.col("reference_ids") >= pl.col("references")
        )
        cited = cited.join(whole, on="citing_paper_id", how="semi")
    return (
        pairs.select("source_paper_id", "target_paper_id")
        .unique()
        .filter(pl.col("source_paper_id").is_in(sources.implode()))
        .join(cited, left_on="source_paper_id", right_on="citing_paper_id", how="semi")
        .sort("source_paper_id", "target_paper_id")
    )
