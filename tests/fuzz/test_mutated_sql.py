"""Mutations of the hostile statements: each is an observation, and nothing happened."""

import time

import pytest

from tests.fuzz.sql_mutants import mutants
from tests.hostile_sql import STATEMENTS, HostilePlace

_SECONDS = 0.3


def _all_end_and_do_nothing(place, count, seed):
    texts = [place.filled(one) for one in STATEMENTS if one["kind"] not in {"deep", "long"}]
    for text in mutants(texts, count, seed):
        place.query.observe("SELECT 1", max_timeout=60)
        start = time.monotonic()
        place.run(text, _SECONDS)
        assert time.monotonic() - start < _SECONDS + 1, text
    place.close()


@pytest.mark.slow
def test_mutated_statements_do_nothing(tmp_path):
    _all_end_and_do_nothing(HostilePlace(tmp_path), 150, seed=18)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(10))
def test_many_mutated_statements_do_nothing(tmp_path, seed):
    _all_end_and_do_nothing(HostilePlace(tmp_path), 1_000, seed)
