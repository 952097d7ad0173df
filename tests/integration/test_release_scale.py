"""A release of many items in bounded memory; `benchmarks/release_scale.py` has a million."""

import pytest

from benchmarks.release_scale import measure

pytestmark = pytest.mark.slow


def test_fifty_thousand_items_are_written_and_verified_below_500_mb(tmp_path):
    result = measure(tmp_path, 50_000)
    assert result["writing"]["peak_memory_mb"] < 500
    assert result["verifying"]["peak_memory_mb"] < 500
