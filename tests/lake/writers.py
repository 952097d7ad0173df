"""Several processes that write to one lake at once, some of which are killed."""

import random
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

import polars as pl
from aimsciqa_resources.warehouse import Warehouse, Write

ROWS = 200
_STATE = (
    "create table if not exists s.state (batch varchar not null, round integer not null, n integer not null)"
)
_LOG = "create table if not exists s.log (writer varchar not null, round integer not null)"


@dataclass
class Outcome:
    """What writers told: the rounds they finished, how often they were killed, and their errors."""

    finished: dict[str, set[int]] = field(default_factory=dict)
    kills: int = 0
    errors: list[str] = field(default_factory=list)


@dataclass
class _Writer:
    name: str
    process: Any
    pipe: Connection


def run(warehouse: Warehouse, writers: int, rounds: int, seed: int, *, locked: bool = True) -> Outcome:
    """In each round all write at once, and one of them is killed at a random moment, then started anew."""
    dice, outcome = random.Random(seed), Outcome()
    crew = {f"w{number}": _start(f"w{number}", warehouse, locked) for number in range(writers)}
    took = 1.0
    for number in range(rounds):
        began = time.monotonic()
        victim = crew[dice.choice(sorted(crew))]
        for one in crew.values():
            one.pipe.send(number)
        waiting = {one.pipe: one for one in crew.values()}
        killing, killed = began + dice.uniform(0, took), False
        while waiting:
            now = time.monotonic()
            if now >= killing and not killed:
                victim.process.kill()
                killed = True
            for pipe in wait(list(waiting), timeout=1.0 if killed else killing - now):
                one = waiting.pop(pipe)
                try:
                    said = pipe.recv()
                except (EOFError, ConnectionResetError):
                    continue
                if said is None:
                    outcome.finished.setdefault(one.name, set()).add(number)
                else:
                    outcome.errors.append(f"{one.name}, round {number}: {said}")
        took = time.monotonic() - began
        if killed:
            victim.process.join()
            outcome.kills += 1
            crew[victim.name] = _start(victim.name, warehouse, locked)
    for one in crew.values():
        one.process.kill()
        one.process.join()
    return outcome


def state_of(warehouse: Warehouse) -> tuple[dict[str, tuple[int, int, int]], dict[str, set[int]]]:
    """By writer: rows, least and greatest round of its state; and the rounds that the log has of it."""
    state = warehouse.read("select batch, count(*), min(round), max(round) from s.state group by 1").rows()
    log = warehouse.read("select writer, round from s.log")
    rounds: dict[str, set[int]] = {}
    for writer, number in log.rows():
        rounds.setdefault(writer, set()).add(number)
    assert log.height == sum(map(len, rounds.values())), "a row was written twice"
    return {batch: (rows, least, most) for batch, rows, least, most in state}, rounds


def _start(name: str, warehouse: Warehouse, locked: bool) -> _Writer:
    # Processes of a server that has imported everything start in a moment, and without threads of another.
    context = get_context("forkserver")
    context.set_forkserver_preload(["aimsciqa_resources.warehouse.lake"])
    ours, theirs = context.Pipe()
    given = (name, warehouse.database, warehouse.data, warehouse.folder, locked, theirs)
    process = context.Process(target=_write, args=given, daemon=True)
    process.start()
    theirs.close()
    assert ours.recv() == "ready"
    return _Writer(name, process, ours)


def _write(name: str, database: str, data: str, folder: str, locked: bool, pipe: Connection) -> None:
    if not locked:
        _without_lock()
    warehouse = Warehouse(database, data, folder)
    warehouse.read("select 1")
    pipe.send("ready")
    while True:
        number = pipe.recv()
        try:
            warehouse.replace(writes(name, number))
            pipe.send(None)
        except Exception as error:
            pipe.send(f"{type(error).__name__}: {error}")


def writes(name: str, number: int) -> list[Write]:
    """The state of a writer, which a round replaces, and a line of the log, which all writers share."""
    state = pl.DataFrame(
        {"batch": [name] * ROWS, "round": [number] * ROWS, "n": list(range(ROWS))},
        schema_overrides={"round": pl.Int32, "n": pl.Int32},
    )
    line = pl.DataFrame({"writer": [name], "round": [number]}, schema_overrides={"round": pl.Int32})
    return [
        Write("s.state", _STATE, state, {"batch": name}),
        Write("s.log", _LOG, line, {}, by=("writer", "round")),
    ]


def _without_lock() -> None:
    from aimsciqa_resources.warehouse.lake import LakePlace

    @contextmanager
    def unlocked(_place):
        yield lambda: None

    LakePlace.alone = unlocked
