"""Paper batches: the partitions of every asset that works paper by paper.

A batch is a set of input files, named `batch-0001` and so on in the order of ingestion. A file stays in its
batch for ever. The batches of one ingest see each other; batches of later ingests do not disturb them.
"""

import dagster as dg

PAPER_BATCHES = dg.DynamicPartitionsDefinition(name="paper_batch")


class NoPapersError(ValueError):
    """There is nothing to run; the message says what to do."""
