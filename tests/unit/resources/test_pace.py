"""The slots of a model: who comes first, when there are fewer, when there is only one."""

import asyncio

import pytest
from aimsciqa_resources.language_model import pace as pace_module
from aimsciqa_resources.language_model.pace import Pace


@pytest.fixture
def clock(monkeypatch):
    """A clock that tests set."""

    class Clock:
        now = 100.0

        def monotonic(self) -> float:
            return self.now

    clock = Clock()
    monkeypatch.setattr(pace_module, "time", clock)
    return clock


def fail(pace: Pace, times: int, **how) -> float:
    return [pace.failed(1, **{"rate_limited": False, "asked_to_wait": None} | how) for _ in range(times)][-1]


def run(work):
    asyncio.run(asyncio.wait_for(work(), timeout=5))


def test_who_comes_back_goes_first():
    async def work():
        pace, order = Pace(1), []

        async def take(name, *, returning):
            await pace.enter(returning=returning)
            order.append(name)
            pace.leave()

        await pace.enter(returning=False)
        tasks = [asyncio.create_task(take("new", returning=False))]
        await asyncio.sleep(0)
        tasks.append(asyncio.create_task(take("back", returning=True)))
        await asyncio.sleep(0)
        pace.leave()
        await asyncio.gather(*tasks)
        assert order == ["back", "new"]

    run(work)


def test_somebody_who_stops_waiting_takes_no_slot():
    async def work():
        pace = Pace(1)
        await pace.enter(returning=False)
        waiting = asyncio.create_task(pace.enter(returning=False))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.sleep(0)
        pace.leave()
        await pace.enter(returning=False)
        assert pace.running == 1

    run(work)


def test_a_plea_takes_a_quarter_once_per_pause_and_success_gives_it_back(clock):
    async def work():
        pace = Pace(16)
        fail(pace, 5, rate_limited=True, asked_to_wait=2.0)
        assert pace.limit == 12
        clock.now += 2.5
        fail(pace, 1, rate_limited=True, asked_to_wait=2.0)
        assert pace.limit == 9
        for _ in range(200):
            pace.succeeded()
        assert pace.limit == 16

    run(work)


def test_the_wait_is_what_the_server_asks_for_or_grows():
    async def work():
        pace = Pace(64)
        assert 3.0 <= pace.failed(1, rate_limited=True, asked_to_wait=3.0) <= 3.3
        assert 0.05 <= pace.failed(1, rate_limited=False, asked_to_wait=None) <= 0.1
        assert 0.1 <= pace.failed(4, rate_limited=False, asked_to_wait=None) <= 0.4
        fail(pace, 20)
        assert 0.4 <= pace.failed(4, rate_limited=False, asked_to_wait=None) <= 0.8
        assert 15 <= pace.failed(30, rate_limited=False, asked_to_wait=None) <= 30
        pace.succeeded()
        assert 0.05 <= pace.failed(30, rate_limited=False, asked_to_wait=None) <= 0.1
        assert 0.5 <= pace.failed(1, rate_limited=True, asked_to_wait=None) <= 1.0

    run(work)


def test_after_a_row_of_failures_one_at_a_time_goes_out(clock):
    async def work():
        pace = Pace(16)
        fail(pace, 15)
        assert (pace.probing, pace.limit) == (False, 16)
        fail(pace, 1)
        assert (pace.probing, pace.limit) == (True, 1)
        clock.now += 4
        assert pace.stalled_seconds == 4
        pace.succeeded()
        assert (pace.probing, pace.limit, pace.stalled_seconds) == (False, 16, 0)

    run(work)


def test_a_single_failure_between_successes_is_no_outage():
    async def work():
        pace = Pace(8)
        for _ in range(100):
            fail(pace, 2)
            pace.succeeded()
        assert pace.limit == 8

    run(work)


def test_the_ceiling_follows_the_queue_of_the_engine():
    async def work():
        pace = Pace(40)
        pace.move_ceiling(running=4, waiting=36, most=64)
        assert pace.limit == 22
        pace.move_ceiling(running=4, waiting=2, most=64)
        assert pace.limit == 22
        for _ in range(22):
            await pace.enter(returning=False)
        pace.move_ceiling(running=22, waiting=0, most=64)
        assert pace.limit == 27
        pace.move_ceiling(running=22, waiting=0, most=64)
        assert pace.limit == 27

    run(work)
