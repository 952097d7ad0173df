"""Actions carried out once: what came of them is kept on disk, and is there again when a run goes on.

A search or an SQL statement need not give the same twice: it may be late on a busy machine, or draw at
random. A killed run that saw something else the second time would ask the model something else, and pay
again. What no run can find again, because the store or the form has changed, is removed.
"""

import json
import sqlite3
import threading
import time
from collections.abc import Collection, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from aimsciqa_assets.airqa.actions import Call
from aimsciqa_assets.airqa.environment import Environment, Observation, Search

_CREATE: Final = """
create table if not exists observations (
    mark text primary key, action text not null, text text not null, error text, image blob,
    seconds real not null
);
create table if not exists uses_by_run (
    run_id text not null, mark text not null, state text not null, used_on text not null,
    primary key (run_id, mark)
) without rowid
"""
_FIND: Final = "select text, error, image, seconds from observations where mark = ?"
_KEEP: Final = "insert or ignore into observations values (?, ?, ?, ?, ?, ?)"
_USE: Final = "insert or replace into uses_by_run values (?, ?, ?, date('now'))"
_OF_EARLIER_STATES: Final = "delete from uses_by_run where run_id = ? and state <> ?"
_OF_OTHERS: Final = """
delete from uses_by_run where used_on < date('now', ?) and run_id not in (select value from json_each(?))
"""
_OF_NOBODY: Final = "delete from observations where mark not in (select mark from uses_by_run)"
_BUSY_SECONDS: Final = 60.0
_FORGOTTEN_AFTER: Final = 7


@dataclass(frozen=True, slots=True)
class Carried:
    """What came of an action, and the seconds that it took when it was carried out."""

    observation: Observation
    seconds: float


class Keeping:
    """An environment whose observations are kept in a file; any number of threads may use it. Close it.

    `state` says what an observation depends on besides the action: the store, and the limits. `run_id` is the
    run that uses them.
    """

    def __init__(self, environment: Environment, file: Path, state: str, run_id: str) -> None:
        self._environment = environment
        self._state = state
        self._run_id = run_id
        self._used: set[str] = set()
        self._lock = threading.Lock()
        file.parent.mkdir(parents=True, exist_ok=True)
        self._kept = sqlite3.connect(
            file, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._kept.execute("pragma journal_mode = wal")
        self._kept.execute("pragma synchronous = normal")
        self._kept.executescript(_CREATE)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._kept.close()

    def carry_out(self, call: Call, anchors: Sequence[str]) -> Carried:
        """What the action gives, or gave before. Raises what the environment raises."""
        mark = self._mark(call, anchors)
        self._use(mark)
        if (kept := self._find(mark)) is not None:
            return kept
        began = time.monotonic()
        made = self._environment.carry_out(call, anchors)
        seconds = time.monotonic() - began
        with self._lock:
            self._kept.execute(_KEEP, (mark, call.action, made.text, made.error, made.image, seconds))
        # Of two that did the same at the same time the first one counts.
        return self._find(mark) or Carried(made, seconds)

    def prune(self, runs: Collection[str], days: int = _FORGOTTEN_AFTER) -> int:
        """Remove what this run used in another state, and what no run uses; how many observations.

        `runs` are those that there are; another one may be at work in another process, and is forgotten so
        many days after its last use.
        """
        with self._lock, self._kept:
            self._kept.execute("begin immediate")
            self._kept.execute(_OF_EARLIER_STATES, (self._run_id, _hash(self._state)))
            remaining = json.dumps([self._run_id, *runs])
            self._kept.execute(_OF_OTHERS, (f"{-days:+d} days", remaining))
            return self._kept.execute(_OF_NOBODY).rowcount

    def _use(self, mark: str) -> None:
        """Note that the run uses an observation, before it is there: nobody removes it then."""
        with self._lock:
            if mark not in self._used:
                self._used.add(mark)
                self._kept.execute(_USE, (self._run_id, mark, _hash(self._state)))

    def _find(self, mark: str) -> Carried | None:
        with self._lock:
            row = self._kept.execute(_FIND, (mark,)).fetchone()
        return Carried(Observation(*row[:3]), row[3]) if row else None

    def _mark(self, call: Call, anchors: Sequence[str]) -> str:
        told = [self._state, call.action, dict(call.arguments), list(anchors)]
        return _hash(json.dumps(told, ensure_ascii=False, sort_keys=True))


def _hash(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class _Wanted:
    query: str
    papers: Sequence[str]
    limit: int
    found: "Future[Sequence[Any]]"


class Gathering:
    """A search that answers together what many threads ask while an earlier search runs."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._waiting: list[_Wanted] = []
        self._lock = threading.Lock()
        self._one_at_a_time = threading.Lock()

    def search(
        self, queries: Sequence[str], limit: int, papers: Sequence[Sequence[str]] | None = None
    ) -> list[Sequence[Any]]:
        """For each query what the search finds."""
        among = papers or [()] * len(queries)
        wanted = [_Wanted(query, some, limit, Future()) for query, some in zip(queries, among, strict=True)]
        with self._lock:
            self._waiting += wanted
        with self._one_at_a_time:
            # Whoever had the turn before may have asked for these as well.
            if not all(one.found.done() for one in wanted):
                self._answer()
        return [one.found.result() for one in wanted]

    def unknown(self, papers: Sequence[str]) -> list[str]:
        """Those of some ids that no paper has."""
        return self._search.unknown(papers)

    def _answer(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for limit in dict.fromkeys(one.limit for one in waiting):
            alike = [one for one in waiting if one.limit == limit]
            try:
                found = self._search.search(
                    [one.query for one in alike], limit, [one.papers for one in alike]
                )
            except BaseException as error:
                for one in alike:
                    one.found.set_exception(error)
                continue
            for one, some in zip(alike, found, strict=True):
                one.found.set_result(some)
