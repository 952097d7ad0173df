"""Paper clusters: a target and the distractors from which a retriever must tell it (section 4.3)."""

import random
from collections.abc import Sequence

import polars as pl

_ROWS = ("batch", "relation_id", "variant", "source_paper_id", "paper_id", "role", "origin", "position")


def similarity_clusters(
    relations: pl.DataFrame, nearest: pl.DataFrame, papers: Sequence[str], *, size: int, seed: int
) -> pl.DataFrame:
    """Clusters of `size` papers: the target, then the source's nearest papers by keywords.

    `relations` are rows of `relations.candidate_relations`, `nearest` has `source_paper_id, target_paper_id,
    rank` (`keyword_candidates`), `papers` are the usable ones of the corpus. The source is never a member. If
    the nearest papers are too few, others are drawn at random, by `seed`, from those that share no keyword
    with the source. A corpus with fewer papers gives clusters of all its papers. Returns rows of
    `relations.clusters`.
    """
    usable = pl.DataFrame({"paper_id": papers}, schema={"paper_id": pl.String})
    near = nearest.select("source_paper_id", "rank", paper_id="target_paper_id").join(
        usable, on="paper_id", how="semi"
    )
    key = relations.select("batch", "relation_id", "variant", "source_paper_id", "target_paper_id")
    by_keyword = (
        key.join(near, on="source_paper_id")
        .filter(pl.col("paper_id") != pl.col("target_paper_id"))
        .with_columns(position=pl.col("rank").rank("ordinal").over("relation_id").cast(pl.Int32))
        .filter(pl.col("position") < size)
    )
    drawn = _drawn(key, near, by_keyword, papers, size=size, seed=seed)
    shares_keyword = key.select("source_paper_id", paper_id="target_paper_id").join(
        near, on=["source_paper_id", "paper_id"], how="semi"
    )
    targets = _targets(key).join(
        shares_keyword.unique().with_columns(origin=pl.lit("keyword")),
        on=["source_paper_id", "paper_id"],
        how="left",
    )
    members = [
        targets.with_columns(pl.col("origin").fill_null("random")),
        by_keyword.with_columns(role=pl.lit("distractor"), origin=pl.lit("keyword")),
        drawn.with_columns(role=pl.lit("distractor"), origin=pl.lit("random")),
    ]
    return _rows(members)


def citation_clusters(relations: pl.DataFrame, edges: pl.DataFrame) -> pl.DataFrame:
    """Clusters of the citation-guided variant: the target, then all other papers that the source cites.

    `edges` has `citing_paper_id, cited_paper_id`. Returns rows of `relations.clusters`.
    """
    key = relations.select("batch", "relation_id", "variant", "source_paper_id", "target_paper_id")
    cited = edges.select(source_paper_id="citing_paper_id", paper_id="cited_paper_id").unique()
    others = (
        key.join(cited, on="source_paper_id")
        .filter(
            pl.col("paper_id") != pl.col("target_paper_id"), pl.col("paper_id") != pl.col("source_paper_id")
        )
        .with_columns(position=pl.col("paper_id").rank("ordinal").over("relation_id").cast(pl.Int32))
        .with_columns(role=pl.lit("distractor"), origin=pl.lit("citation"))
    )
    return _rows([_targets(key).with_columns(origin=pl.lit("citation")), others])


def _drawn(
    key: pl.DataFrame,
    near: pl.DataFrame,
    by_keyword: pl.DataFrame,
    papers: Sequence[str],
    *,
    size: int,
    seed: int,
) -> pl.DataFrame:
    """Random members for the clusters that the nearest papers do not fill."""
    held = dict(by_keyword.group_by("relation_id").len().iter_rows())
    short = key.filter(
        pl.Series([held.get(one, 0) + 1 < size for one in key["relation_id"]], dtype=pl.Boolean)
    )
    close_by = dict(
        near.join(short, on="source_paper_id", how="semi")
        .group_by("source_paper_id")
        .agg("paper_id")
        .iter_rows()
    )
    ordered = sorted(papers)
    rows = []
    for relation in short.iter_rows(named=True):
        source, target = relation["source_paper_id"], relation["target_paper_id"]
        others = {source, target, *close_by.get(source, ())}
        members = 1 + held.get(relation["relation_id"], 0)
        chosen = random.Random(f"{seed} {relation['relation_id']}")
        # Draw a few more than needed, because some of them may not be members.
        enough = min(len(ordered), size - members + len(others))
        drawn = [ordered[place] for place in chosen.sample(range(len(ordered)), enough)]
        allowed = [paper for paper in drawn if paper not in others][: size - members]
        rows += [
            relation | {"paper_id": paper, "position": members + place} for place, paper in enumerate(allowed)
        ]
    schema = key.schema | {"paper_id": pl.String(), "position": pl.Int32()}
    return pl.DataFrame(rows, schema=schema)


def _targets(key: pl.DataFrame) -> pl.DataFrame:
    return key.with_columns(
        paper_id=pl.col("target_paper_id"),
        role=pl.lit("target"),
        position=pl.lit(0, pl.Int32),
    )


def _rows(members: Sequence[pl.DataFrame]) -> pl.DataFrame:
    rows = pl.concat([one.select(_ROWS) for one in members]).sort("relation_id", "position")
    return rows.with_columns(cluster_size=pl.len().over("relation_id").cast(pl.Int32))
