"""Writers that are killed at random moments lose no row and are never in each other's way."""

import os

import pytest

from tests.lake import writers

pytestmark = pytest.mark.slow
WRITERS = 6
ROUNDS = int(os.environ.get("LAKE_ROUNDS", "5"))
"""`make test-cluster` sets it to 50."""


def test_six_writers_with_random_kills_lose_no_row(lake):
    lake.replace(writers.writes("first", 0))
    outcome = writers.run(lake, WRITERS, ROUNDS, seed=21)
    assert outcome.errors == []
    state, log = writers.state_of(lake)
    for name, finished in outcome.finished.items():
        assert finished <= log[name]
        # Of a round that was killed either all is there or nothing.
        assert state[name] == (writers.ROWS, max(log[name]), max(log[name]))
    assert outcome.kills
