"""Actions are carried out once only, and searches of many threads together."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from aimsciqa_assets.airqa.actions import Call
from aimsciqa_assets.airqa.agent.carrying_out import Gathering, Keeping
from aimsciqa_assets.airqa.environment import Observation


class Counting:
    """Another observation each time."""

    def __init__(self):
        self.count = 0

    def carry_out(self, call, anchors):
        self.count += 1
        return Observation(f"{call.action} {self.count}", "sql" if self.count == 2 else None, b"png")


def query(sql):
    return Call("Query", {"sql": sql})


def test_an_observation_is_there_again_in_another_process(tmp_path):
    file, environment = tmp_path / "airqa" / "observations.sqlite", Counting()
    for _ in range(2):
        with closing(Keeping(environment, file, "store", "run")) as kept:
            first = kept.carry_out(query("a"), ("p",))
            second = kept.carry_out(query("b"), ("p",))
        assert first.observation == Observation("Query 1", None, b"png")
        assert second.observation == Observation("Query 2", "sql", b"png")
    assert environment.count == 2


@pytest.mark.parametrize(
    ("state", "call", "anchors"),
    [
        ("other store", query("a"), ("p",)),
        ("store", query("b"), ("p",)),
        ("store", Call("Retrieve", {"sql": "a"}), ("p",)),
        ("store", query("a"), ()),
    ],
)
def test_whatever_changes_an_observation_has_it_made_anew(tmp_path, state, call, anchors):
    environment = Counting()
    for one in (("store", query("a"), ("p",)), (state, call, anchors)):
        with closing(Keeping(environment, tmp_path / "o.sqlite", one[0], "run")) as kept:
            kept.carry_out(*one[1:])
    assert environment.count == 2


def carried(file, run_id, *statements, state="store", prune=None):
    """Carry statements out for a run, then prune where the other runs are given; how often it was done."""
    environment = Counting()
    with closing(Keeping(environment, file, state, run_id)) as kept:
        for sql in statements:
            kept.carry_out(query(sql), ())
        if prune is not None:
            kept.prune(*prune)
    return environment.count


def test_what_no_run_can_find_again_is_removed(tmp_path):
    file = tmp_path / "o.sqlite"
    assert carried(file, "one", "a", "b") == 2
    assert carried(file, "two", "b") == 0
    # A smaller sample of the same run: what the others saw stays.
    carried(file, "one", "a", prune=(["two"],))
    assert carried(file, "one", "a", "b") == 0
    # Another store: the other run still is of the former one.
    assert carried(file, "one", "a", "b", state="new", prune=(["two"],)) == 2
    assert carried(file, "two", "b") == 0
    assert carried(file, "three", "a") == 1


def test_a_run_that_is_nowhere_is_forgotten_only_after_days(tmp_path):
    file = tmp_path / "o.sqlite"
    carried(file, "elsewhere", "a")
    carried(file, "one", "b", prune=([],))
    assert carried(file, "elsewhere", "a") == 0
    carried(file, "one", "b", prune=([], -1))
    assert carried(file, "elsewhere", "a", "b") == 1


class Waiting:
    """A search whose first round takes until it is let go."""

    def __init__(self):
        self.rounds = []
        self.began, self.may_go = threading.Event(), threading.Event()

    def search(self, queries, limit, papers=None):
        self.rounds.append((list(queries), limit, [list(some) for some in papers]))
        self.began.set()
        self.may_go.wait(20)
        if "bad" in queries:
            raise ValueError("bad")
        return [[f"{query} in {list(among)} {limit}"] for query, among in zip(queries, papers, strict=True)]


def test_what_comes_while_a_search_runs_is_searched_together():
    behind = Waiting()
    search = Gathering(behind)
    with ThreadPoolExecutor(12) as threads:
        first = threads.submit(search.search, ["first"], 5)
        assert behind.began.wait(20)
        others = [threads.submit(search.search, [f"q{n}"], 5, [[f"p{n}"]]) for n in range(10)]
        while len(search._waiting) < 10:
            pass
        behind.may_go.set()
        assert first.result() == [["first in [] 5"]]
        assert [one.result() for one in others] == [[[f"q{n} in ['p{n}'] 5"]] for n in range(10)]
    assert [len(queries) for queries, _, _ in behind.rounds] == [1, 10]


def test_another_limit_is_another_search_and_an_error_meets_those_who_asked():
    behind = Waiting()
    behind.may_go.set()
    search = Gathering(behind)
    assert search.search(["a", "b"], 3, [["p"], []]) == [["a in ['p'] 3"], ["b in [] 3"]]
    with pytest.raises(ValueError, match="bad"):
        search.search(["bad"], 3)
    assert search.search(["a"], 4) == [["a in [] 4"]]
