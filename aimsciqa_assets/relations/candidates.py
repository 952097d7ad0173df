"""Candidate documents of a source: the papers that share keywords with it (section 4.3, figure 2)."""

import math

import polars as pl


def keyword_candidates(sources: pl.Series, keywords: pl.DataFrame) -> pl.DataFrame:
    """Papers that share a keyword with a source, the nearest first.

    `sources` holds paper ids, `keywords` has `paper_id` and `keyword` of the whole corpus. Returns
    `source_paper_id, target_paper_id, shared, weight, rank`: candidates of a source are ordered by their
    shared keywords, each weighted by its rarity `ln(papers / papers with it)`, then by id. A keyword that
    every paper has weighs nothing but still makes a candidate.
    """
    pairs = keywords.select("paper_id", "keyword").unique()
    papers = pairs["paper_id"].n_unique()
    rarity = pairs.group_by("keyword").agg(pl.len().alias("papers"))
    rarity = rarity.select("keyword", (math.log(max(papers, 1)) - pl.col("papers").log()).alias("weight"))
    of_source = pairs.filter(pl.col("paper_id").is_in(sources.to_list())).rename(
        {"paper_id": "source_paper_id"}
    )
    of_target = pairs.join(rarity, on="keyword").rename({"paper_id": "target_paper_id"})
    return (
        of_source.join(of_target, on="keyword")
        .filter(pl.col("source_paper_id") != pl.col("target_paper_id"))
        .sort("source_paper_id", "target_paper_id", "keyword")
        .group_by("source_paper_id", "target_paper_id", maintain_order=True)
        .agg(pl.len().alias("shared"), pl.col("weight").sum())
        # Sums of the same weights in another order differ in the last bits, and order must not hang on them.
        .with_columns(pl.col("weight").round(9))
        .sort("source_paper_id", "weight", "shared", "target_paper_id", descending=[False, True, True, False])
        .with_columns(pl.int_range(1, pl.len() + 1).over("source_paper_id").alias("rank"))
    )


def citation_candidates(
    sources: pl.Series, pairs: pl.DataFrame, edges: pl.DataFrame, min_cited: int
) -> pl.DataFrame:
    """Papers that a source cites in a sentence of their own (citation-guided variant, section 4.3).

    `pairs` has `source_paper_id, target_paper_id` (rows of `citation_guided.pairs`), `edges` the citation
    edges. A source that cites fewer than `min_cited` papers of the corpus has no cluster to tell its target
    from, and gives none. Returns `source_paper_id, target_paper_id`.
    """
    cited = edges.group_by("citing_paper_id").len().filter(pl.col("len") >= min_cited)
    return (
        pairs.select("source_paper_id", "target_paper_id")
        .unique()
        .filter(pl.col("source_paper_id").is_in(sources.to_list()))
        .join(cited, left_on="source_paper_id", right_on="citing_paper_id", how="semi")
        .sort("source_paper_id", "target_paper_id")
    )


def targets_by_source(candidates: pl.DataFrame) -> dict[str, list[str]]:
    """The candidates of each source, in their order."""
    grouped = candidates.group_by("source_paper_id", maintain_order=True).agg("target_paper_id")
    return dict(grouped.iter_rows())
