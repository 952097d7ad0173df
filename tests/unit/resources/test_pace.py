"""The slots of a model: who comes first, when sending slows down, when one at a time goes out."""

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


def fail(
    pace: Pace, *requests: object, attempt: int = 1, left: int = 1000, wait=None, limited=False
) -> float:
    return [
        pace.failed(str(request), attempt, requests_left=left, rate_limited=limited, wait=wait)
        for request in requests
    ][-1]


def run(work):
    asyncio.run(asyncio.wait_for(work(), timeout=5))


async def is_open(pace: Pace) -> bool:
    """Whether somebody who came now would go in."""
    coming = asyncio.create_task(pace.enter(returning=True))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    if coming.done():
        pace.leave(coming.result())
        return True
    coming.cancel()
    await asyncio.gather(coming, return_exceptions=True)
    return False


def test_who_comes_back_goes_first():
    async def work():
        pace, order = Pace(1), []

        async def take(name, *, returning):
            slot = await pace.enter(returning=returning)
            order.append(name)
            pace.leave(slot)

        slot = await pace.enter(returning=False)
        tasks = [asyncio.create_task(take("new", returning=False))]
        await asyncio.sleep(0)
        tasks.append(asyncio.create_task(take("back", returning=True)))
        await asyncio.sleep(0)
        pace.leave(slot)
        await asyncio.gather(*tasks)
        assert order == ["back", "new"]

    run(work)


def test_somebody_who_stops_waiting_takes_no_slot():
    async def work():
        pace = Pace(1)
        slot = await pace.enter(returning=False)
        waiting = asyncio.create_task(pace.enter(returning=False))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.sleep(0)
        pace.leave(slot)
        assert await is_open(pace)

    run(work)


def test_after_complaints_the_server_gets_a_fifth_more_than_it_answered(clock):
    async def work():
        pace = Pace(64)
        clock.now += 2
        for _ in range(80):
            pace.succeeded()
        fail(pace, "a", limited=True, wait=1.0)
        sent = 0
        for _ in range(500):
            clock.now += 0.002
            if pace._closed_for() == 0:
                pace.leave(await pace.enter(returning=False))
                sent += 1
        assert 45 <= sent <= 49

    run(work)


def test_sending_gets_faster_again_once_the_complaints_end(clock):
    async def work():
        pace = Pace(64)
        clock.now += 2
        for _ in range(80):
            pace.succeeded()
        fail(pace, "a", limited=True, wait=1.0)
        clock.now += 30
        assert await is_open(pace)
        clock.now += 0.001
        assert await is_open(pace)

    run(work)


def test_a_complaint_before_there_is_a_rate_to_go_by_holds_up_one_request_only(clock):
    async def work():
        pace = Pace(4)
        fail(pace, "a", limited=True, wait=9.0)
        assert await is_open(pace)
        assert await is_open(pace)

    run(work)


def test_the_wait_is_what_the_server_asks_for_or_grows():
    async def work():
        pace = Pace(64)
        assert 3.0 <= fail(pace, "a", limited=True, wait=3.0) <= 3.3
        pace.succeeded()
        assert 0.05 <= fail(pace, "a", attempt=1) <= 0.1
        assert 0.05 <= fail(pace, "a", attempt=9) <= 0.1  # it alone fails
        assert 0.4 <= fail(pace, *"bcdefgh", attempt=4) <= 0.8
        assert 15 <= fail(pace, *range(30), attempt=30) <= 30
        pace.succeeded()
        assert 0.5 <= fail(pace, "a", limited=True) <= 1.0
        assert 2.0 <= fail(pace, "a", attempt=3, limited=True) <= 4.0

    run(work)


def test_when_as_many_requests_failed_as_there_are_slots_one_at_a_time_goes_out(clock):
    async def work():
        pace = Pace(16)
        fail(pace, *range(15))
        assert (pace.probing, pace.limit) == (False, 16)
        fail(pace, 15)
        assert (pace.probing, pace.limit) == (True, 1)
        assert not await is_open(pace)
        clock.now += 0.6
        slot = await pace.enter(returning=True)
        assert slot
        assert not await is_open(pace)
        pace.succeeded()
        assert (pace.probing, pace.limit, pace.stalled_seconds) == (False, 16, 0)
        pace.leave(slot)
        assert await is_open(pace)

    run(work)


def test_one_request_that_always_fails_is_no_outage(clock):
    async def work():
        pace = Pace(16)
        for _ in range(100):
            fail(pace, "poison", left=1)
        assert not pace.probing

    run(work)


def test_the_last_few_requests_can_tell_an_outage_too(clock):
    async def work():
        pace = Pace(64)
        fail(pace, "a", "b", "c", "d", left=5)
        assert not pace.probing
        fail(pace, "e", left=5)
        assert pace.probing

    run(work)


def test_a_request_that_hangs_since_before_does_not_keep_the_probe_out(clock):
    async def work():
        pace = Pace(3)
        hanging = await pace.enter(returning=False)
        fail(pace, "a", "b", "c")
        clock.now += 0.6
        probe = await pace.enter(returning=True)
        assert (hanging, probe) == (False, True)
        pace.leave(probe)
        pace.leave(hanging)

    run(work)


def test_probes_come_more_and_more_rarely(clock):
    async def work():
        pace = Pace(3)
        fail(pace, "a", "b", "c")
        waits = []
        for _ in range(8):
            began = clock.now
            while not await is_open(pace):
                clock.now += 0.25
            waits.append(clock.now - began)
            fail(pace, "a")
        assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 15.0, 15.0]

    run(work)


def test_the_end_of_patience_lets_everybody_try(clock):
    async def work():
        pace = Pace(3)
        fail(pace, "a", "b", "c")
        tasks = [asyncio.create_task(pace.enter(returning=True)) for _ in range(3)]
        await asyncio.sleep(0)
        pace.end_outage()
        assert await asyncio.gather(*tasks) == [False, False, False]

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
