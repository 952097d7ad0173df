"""Paper batches: which of them a batch must have looked at before its own rows are complete."""

import polars as pl

INPUT_FILES = "corpus.input_files"
"""The table that says which batch every input file was put into."""

BATCHES = f"""
select batch, max(ingest) as ingest
from (
    select batch, ingest from {INPUT_FILES}
    union all
    select batch, null from scidqa.forums
)
group by batch
"""
"""A query for all paper batches and their ingests, which are null for a batch of review threads alone."""

ARTICLES = "corpus.pmc_articles"
"""The table of the articles of PubMed Central that were looked at: a night begins with it."""


def batches_needed_by(batch: str, input_files: pl.DataFrame) -> frozenset[str]:
    """The batches that `batch` must have looked at to be finished: those ingested with it or before."""
    own = input_files.filter(pl.col("batch") == batch)["ingest"]
    if own.is_empty():
        return frozenset()
    return frozenset(input_files.filter(pl.col("ingest") <= own[0])["batch"].unique().to_list())
