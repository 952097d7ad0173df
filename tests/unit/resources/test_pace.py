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


def fail(pace: Pace, *requests: object, attempt=1, wait=None, complains=False) -> float:
    return [pace.failed(str(request), attempt, complains=complains, wait=wait) for request in requests][-1]


def outage(pace: Pace, clock) -> None:
    """Three requests fail, and go on failing."""
    fail(pace, "a", "b")
    clock.now += 0.5
    fail(pace, "c")
    assert pace.probing


def run(work):
    asyncio.run(asyncio.wait_for(work(), timeout=5))


async def is_open(pace: Pace) -> bool:
    """Whether somebody who came now would go in."""
    coming = asyncio.create_task(pace.enter(returning=True))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    if coming.done():
        pace.leave()
        return True
    coming.cancel()
    await asyncio.gather(coming, return_exceptions=True)
    return False


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
        assert await is_open(pace)

    run(work)


def test_after_complaints_the_server_gets_a_fifth_more_than_it_answered(clock):
    async def work():
        pace = Pace(64)
        clock.now += 2
        for _ in range(80):
            pace.succeeded()
        fail(pace, "a", complains=True, wait=1.0)
        sent = 0
        for _ in range(500):
            clock.now += 0.002
            if pace._closed_for() == 0:
                await pace.enter(returning=False)
                pace.leave()
                sent += 1
        assert 45 <= sent <= 49

    run(work)


def test_sending_gets_faster_again_once_the_complaints_end(clock):
    async def work():
        pace = Pace(64)
        clock.now += 2
        for _ in range(80):
            pace.succeeded()
        fail(pace, "a", complains=True, wait=1.0)
        clock.now += 30
        assert await is_open(pace)
        clock.now += 0.001
        assert await is_open(pace)

    run(work)


def test_a_complaint_before_there_is_a_rate_to_go_by_holds_up_one_request_only(clock):
    async def work():
        pace = Pace(4)
        fail(pace, "a", complains=True, wait=9.0)
        assert await is_open(pace)
        assert await is_open(pace)

    run(work)


def test_the_wait_is_what_the_server_asks_for_or_grows():
    async def work():
        pace = Pace(64)
        assert 3.0 <= fail(pace, "a", complains=True, wait=3.0) <= 3.3
        assert 0.5 <= fail(pace, "b", complains=True) <= 1.0
        assert 2.0 <= fail(pace, "b", attempt=3, complains=True) <= 4.0

    run(work)


def test_the_first_retries_are_quick_while_others_succeed_and_grow_when_nobody_does():
    async def work():
        pace = Pace(64)
        waits = []
        for attempt in range(1, 12):
            waits.append(fail(pace, "a", attempt=attempt))
            pace.succeeded()
        assert all(0.05 <= wait <= 0.1 for wait in waits[:8])
        assert 0.1 <= waits[8] <= 0.2
        assert 0.4 <= waits[10] <= 0.8
        fail(pace, "b", "b", "b")
        assert 0.4 <= fail(pace, "b", attempt=4) <= 0.8
        assert 15 <= fail(pace, "c", attempt=20) <= 30

    run(work)


def test_several_requests_that_fail_for_a_while_are_an_outage(clock):
    async def work():
        pace = Pace(16)
        fail(pace, *range(16))
        assert not pace.probing
        clock.now += 0.5
        fail(pace, 0)
        assert (pace.probing, pace.limit) == (True, 1)
        assert not await is_open(pace)
        clock.now += 0.5
        await pace.enter(returning=True)
        assert not await is_open(pace)
        pace.succeeded()
        pace.leave()
        assert (pace.probing, pace.limit, pace.stalled_seconds) == (False, 16, 0)
        assert await is_open(pace)

    run(work)


def test_one_or_two_requests_that_always_fail_are_no_outage(clock):
    async def work():
        pace = Pace(16)
        for _ in range(100):
            clock.now += 1
            fail(pace, "poison", "venom")
        assert not pace.probing

    run(work)


def test_in_an_outage_a_new_request_goes_before_those_that_failed(clock):
    async def work():
        pace, order = Pace(3), []

        async def take(name, *, returning):
            await pace.enter(returning=returning)
            order.append(name)
            pace.leave()

        outage(pace, clock)
        tasks = [asyncio.create_task(take("back", returning=True))]
        await asyncio.sleep(0)
        tasks.append(asyncio.create_task(take("new", returning=False)))
        await asyncio.sleep(0)
        clock.now += 0.6
        pace._admit()
        await asyncio.sleep(0)
        assert order == ["new"]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    run(work)


def test_requests_that_hang_do_not_keep_the_next_probe_in(clock):
    async def work():
        pace = Pace(3)
        await pace.enter(returning=False)
        outage(pace, clock)
        clock.now += 0.6
        await pace.enter(returning=True)
        clock.now += 1.0
        await pace.enter(returning=True)
        assert pace.running == 3

    run(work)


def test_probes_come_more_and_more_rarely(clock):
    async def work():
        pace = Pace(3)
        outage(pace, clock)
        waits = []
        for _ in range(8):
            began = clock.now
            while not await is_open(pace):
                clock.now += 0.25
            waits.append(clock.now - began)
            fail(pace, "a")
        assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 15.0, 15.0]

    run(work)


def test_an_old_rate_says_nothing_after_an_outage(clock):
    async def work():
        pace = Pace(64)
        for _ in range(600):
            clock.now += 0.1
            pace.succeeded()
        outage(pace, clock)
        clock.now += 240
        pace.succeeded()
        fail(pace, "a", complains=True)
        for _ in range(10):
            await pace.enter(returning=False)
        assert pace.running == 10

    run(work)


def test_the_end_of_patience_lets_everybody_try(clock):
    async def work():
        pace = Pace(3)
        outage(pace, clock)
        tasks = [asyncio.create_task(pace.enter(returning=True)) for _ in range(3)]
        await asyncio.sleep(0)
        pace.end_outage()
        await asyncio.gather(*tasks)
        assert pace.running == 3

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
