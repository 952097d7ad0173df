"""Every metric once: its name, its labels and its meaning. docs/metrics.md has the same as a table.

All are gauges: what stands in the warehouse is counted, and counts fall when rows are made anew.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: its name as Prometheus has it, the names of its labels, and what it says."""

    name: str
    labels: tuple[str, ...]
    meaning: str


INFO = Metric("aimsciqa_info", ("version", "duckdb"), "1; the versions of this program and of DuckDB")
SUCCESS = Metric(
    "aimsciqa_collector_success",
    ("collector",),
    "1 where its figures could be read, 0 where not: warehouse, plan, dagster, home",
)
DURATION = Metric("aimsciqa_collector_duration_seconds", ("collector",), "how long that took, in seconds")
RUNS = Metric(
    "aimsciqa_runs", ("status",), "runs that Dagster records, by status; QUEUED is the queue's depth"
)
OLDEST_QUEUED = Metric(
    "aimsciqa_oldest_queued_run_timestamp_seconds",
    (),
    "when the run that waits longest was queued, if one does",
)
HEARTBEAT = Metric(
    "aimsciqa_daemon_heartbeat_timestamp_seconds",
    ("daemon",),
    "when a part of Dagster's daemon was last alive",
)
NIGHTLY = Metric(
    "aimsciqa_nightly_last_success_timestamp_seconds", (), "when the last nightly look ended that succeeded"
)
LOOK = Metric(
    "aimsciqa_pmc_look_timestamp_seconds",
    ("kind",),
    "when the last look at PubMed Central began that succeeded: search, ids, news",
)
PARTS = Metric(
    "aimsciqa_step_parts",
    ("table", "state"),
    "parts of a step, by its first table: current, due, waits, failed, as `aimsciqa status --why` tells",
)
ROWS = Metric("aimsciqa_rows", ("table",), "rows of a table")
REJECTED = Metric("aimsciqa_rejected_rows", ("table", "reason"), "rows that were rejected, by reason")
REQUESTS = Metric(
    "aimsciqa_model_requests",
    ("task", "model", "outcome", "source"),
    "requests to language models, also those of rows that were made again later; outcome: ok, or why "
    "there is no reply; source: server, or journal where nothing was sent",
)
TOKENS = Metric(
    "aimsciqa_model_tokens",
    ("task", "model", "kind"),
    "their tokens: prompt, and of these cached; reply, and of these reasoning",
)
COST = Metric(
    "aimsciqa_model_cost",
    ("task", "model"),
    "what their replies cost, in the currency of the price table; absent without one",
)
BYTES = Metric(
    "aimsciqa_home_bytes",
    ("part",),
    "bytes in the home: warehouse, snapshot, journal, files, unfinished, releases, dagster",
)
FREE = Metric("aimsciqa_disk_free_bytes", (), "bytes that are free on the disk of the home")

METRICS: Final[tuple[Metric, ...]] = (
    *(INFO, SUCCESS, DURATION),
    *(RUNS, OLDEST_QUEUED, HEARTBEAT, NIGHTLY, LOOK),
    *(PARTS, ROWS, REJECTED),
    *(REQUESTS, TOKENS, COST),
    *(BYTES, FREE),
)
