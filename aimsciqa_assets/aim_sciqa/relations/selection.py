"""Which relations become items: the strongest of each source, at most three (section 4.3)."""

import polars as pl

from aimsciqa_assets.platform.identity import row_id


def select_relations(section_pairs: pl.DataFrame, per_source: int) -> pl.DataFrame:
    """Rows of `relations.candidate_relations` from rows of `relations.section_pairs`.

    Per source and variant the strongest section pairs are taken; ties go to the lower id.
    """
    group = ["variant", "source_paper_id"]
    selected = (
        section_pairs.sort(*group, "strength", "section_pair_id", descending=[False, False, True, False])
        .with_columns(pl.int_range(1, pl.len() + 1).over(group).cast(pl.Int32).alias("rank"))
        .filter(pl.col("rank") <= per_source)
    )
    core = ("variant", "source_section_id", "target_section_id", "core_source_qa_id", "core_target_qa_id")
    ids = [row_id(*row) for row in selected.select(core).iter_rows()]
    return selected.with_columns(pl.Series("relation_id", ids, dtype=pl.String)).select(
        "relation_id",
        "batch",
        "variant",
        "source_paper_id",
        "target_paper_id",
        "source_section_id",
        "target_section_id",
        "core_source_qa_id",
        "core_target_qa_id",
        "similarity",
        "strength",
        "rank",
    )
