"""A release of many items in bounded memory; `benchmarks/release_scale.py` has a million."""

import pytest

from benchmarks.release_scale import measure

pytestmark = [pytest.mark.slow, pytest.mark.long]


@pytest.mark.parametrize("items", [3_000, pytest.param(50_000, marks=pytest.mark.nightly)])
def test_many_items_are_written_and_verified_below_500_mb(tmp_path, items):
    result = measure(tmp_path, items)
    assert result["writing"]["peak_memory_mb"] < 500
    assert result["verifying"]["peak_memory_mb"] < 500
