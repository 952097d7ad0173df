"""How many items pass each test, with intervals."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from aimsciqa.measures.resampling import bootstrap_intervals


def rate_rows(
    ledger: pl.DataFrame, *, clusters: Mapping[str, str], resamples: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Rows of `quality.necessity_rates`, sorted by key; intervals are drawn over `clusters` of items."""
    for key, group in sorted(ledger.group_by("variant", "test", "model"), key=lambda one: str(one[0])):
        counts = dict(group["verdict"].value_counts().iter_rows())
        decided = group.filter(pl.col("verdict").is_in(["pass", "fail"])).sort("item_id")
        passed = (decided["verdict"] == "pass").cast(pl.Float64).to_numpy()
        low = high = None
        if len(passed):
            drawn = [clusters.get(item, item) for item in decided["item_id"]]
            ((low, high),) = bootstrap_intervals(passed[:, None], resamples, seed, drawn)
        yield {
            **dict(zip(("variant", "test", "model"), key, strict=True)),
            "passed": counts.get("pass", 0),
            "failed": counts.get("fail", 0),
            "unknown": counts.get("unknown", 0),
            "not_applicable": counts.get("not_applicable", 0),
            "value": float(np.mean(passed)) if len(passed) else None,
            "low": low,
            "high": high,
        }
