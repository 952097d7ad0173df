"""Makes the examples that the settings want, round by round.

In each round every quota draws as many seeds as it lacks examples, and what came of them is looked at in the
order of the draw: so the same examples are made whichever reply comes first. A round ends when all of its
dialogues have ended.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final, Protocol

import polars as pl
from aimsciqa_resources.language_model import Dialogue
from aimsciqa_resources.language_model.recorded import NOT_RECORDED
from aimsciqa_resources.warehouse.store_elements import PAPER, Material

from aimsciqa_assets.airqa.evaluation.catalogue import catalogue
from aimsciqa_assets.airqa.examples.example import WITHOUT_PAPER
from aimsciqa_assets.airqa.extractor.merging import Single, merged, pairs_of
from aimsciqa_assets.airqa.extractor.quotas import MULTIPLE, SINGLE, Plan, planned
from aimsciqa_assets.airqa.extractor.repeating import Asked
from aimsciqa_assets.airqa.extractor.rows import (
    ACCEPTED,
    Row,
    merged_row,
    quota_row,
    rejected,
    row_of,
)
from aimsciqa_assets.airqa.extractor.tracking import RELEVANCE
from aimsciqa_assets.airqa.extractor.trying import Limits, Seed, Tried, compared, other_answer, trying
from aimsciqa_assets.platform.keeping import Kept
from aimsciqa_assets.settings.extractor import ExtractorSettings

MERGED: Final = "merged"
"""The reason of a single that is a part of a multiple example."""
SURPLUS: Final = "surplus"
"""The reason of an example that no quota has room for."""
TO_COME: Final = frozenset({NOT_RECORDED, "not_asked"})
"""Failures of requests that somebody will still reply to: their place is kept."""
_NO_PARTNER: Final = (SURPLUS, "no other paper has a single to join it with")
_ALL: Final = "all"
_AT_ONCE: Final = 256
"""Seeds whose texts are read together."""

Ask = Callable[[Iterable[Dialogue[Tried]], int, str], AbstractContextManager[Iterator[Tried]]]
"""Has dialogues held: they, their number, and what they do."""


class Elements(Protocol):
    """The paper store, as what can be asked about (`StoreElements`)."""

    def drawn(self, seed: int, per_paper: int) -> pl.DataFrame:
        """Elements in random order: columns element, paper, key."""

    def materials(self, element: str, keys: Mapping[str, str]) -> dict[str, Material]:
        """What stands at keys of an element; `keys` are papers by key."""


@dataclass(slots=True)
class _Pool:
    """Seeds of an element that were not used yet."""

    seeds: pl.DataFrame
    used: int = 0

    def draw(self, number: int) -> list[tuple[str, str]]:
        """Paper and key of the next seeds."""
        some = self.seeds[self.used : self.used + number]
        self.used += some.height
        return list(some.iter_rows())

    @property
    def left(self) -> int:
        return self.seeds.height - self.used


@dataclass(slots=True)
class _Made:
    """What was made for a quota so far: `kept` examples, of which `merged` became parts of multiple ones and
    `left` found no partner.
    """

    tries: int = 0
    waiting: int = 0
    kept: int = 0
    merged: int = 0
    left: int = 0


class Making:
    """The making of all examples: `quotas` are there once it was `run`.

    What came of the tries lies in a file until all of a round are there, and so do rows that may become parts
    of multiple examples: tens of thousands would fill the memory. Other rows are given away as they come.
    """

    def __init__(
        self,
        chosen: ExtractorSettings,
        elements: Elements,
        batches: Mapping[str, str],
        models: Mapping[str, str],
    ) -> None:
        """`batches` are the batches of papers, `models` explorer, tracker and the version of prompts."""
        self._chosen = chosen
        self._elements = elements
        self._batches = batches
        self._models = models
        drawn = elements.drawn(chosen.seed, chosen.seeds_per_paper)
        self._pools = {
            str(name): _Pool(some.select("paper", "key"))
            for (name,), some in drawn.group_by("element", maintain_order=True)
        }
        self._counts = {name: pool.left for name, pool in self._pools.items()}
        self._plan: Plan = planned(chosen, self._counts)
        self._made = {quota: _Made() for quota in self._plan.quotas}
        self._of_function: Counter[str] = Counter()
        self._tried_function: Counter[str] = Counter()
        self._asked = Asked(chosen.duplicate_share)
        self._parts: list[tuple[str, str, int]] = []
        self._multiple: Counter[str] = Counter()

    @property
    def plan(self) -> Plan:
        """What is to be made."""
        return self._plan

    @property
    def seeds(self) -> Mapping[str, int]:
        """How much of each element the store has, by its name; papers with an abstract among them."""
        return self._counts

    def run(self, ask: Ask, folder: Path) -> Iterator[Row]:
        """Make the examples, and multiple ones of singles at the end; `folder` has files meanwhile.

        Rows of `extractor.examples`, as they come.
        """
        number, parts = 1, Kept[Row](folder)
        while seeds := self._drawn(number):
            yield from self._looked_at(self._round(ask, seeds, number, Kept(folder)), parts)
            number += 1
        yield from self._merged(parts)

    def first_round(self) -> Iterator[Dialogue[Tried]]:
        """The dialogues of the first round, which are the same whatever the replies are."""
        return self._dialogues(self._drawn(1))

    def quotas(self) -> Iterator[Row]:
        """What became of each quota; explains what is missing."""
        for quota, made in self._made.items():
            element = quota.element or PAPER
            accepted = made.kept - made.merged - made.left
            missing = quota.wanted - made.kept
            pool = self._pools.get(element)
            why = "no_reply" if made.waiting else "no_tries" if pool and pool.left else "no_seeds"
            yield quota_row(
                (quota.kind, quota.element or _ALL, _ALL),
                quota.examples,
                made.tries,
                accepted,
                seeds=self._counts.get(element, 0),
                merged=made.merged,
                missing=max(0, quota.examples - accepted),
                why=why if missing and quota.examples > accepted else None,
            )
        if self._plan.multiple:
            made_of = self._multiple.total()
            missing = self._plan.multiple - made_of
            yield quota_row(
                (MULTIPLE, _ALL, _ALL),
                self._plan.multiple,
                made_of,
                self._multiple[ACCEPTED],
                missing=missing,
                why="no_singles" if missing else None,
            )
        for name, most in self._chosen.most_of_evaluators.items():
            yield quota_row((_ALL, _ALL, name), most, self._tried_function[name], self._of_function[name])

    def _drawn(self, number: int) -> list[Seed]:
        """The seeds of a round: as many for each quota as it lacks, unless it has no tries left."""
        seeds: list[Seed] = []
        for quota, made in self._made.items():
            pool = self._pools.get(quota.element or PAPER)
            lacking = quota.wanted - made.kept - made.waiting
            tries = self._chosen.tries * quota.wanted - made.tries
            drawn = pool.draw(max(0, min(lacking, tries))) if pool else []
            made.tries += len(drawn)
            seeds += [Seed(quota, paper, key, number) for paper, key in drawn]
        return seeds

    def _round(self, ask: Ask, seeds: Sequence[Seed], number: int, kept: Kept[Tried]) -> Iterator[Tried]:
        """What came of the seeds, in their order."""
        place = {seed.example_id(self._chosen.seed): at for at, seed in enumerate(seeds)}
        lying = [0] * len(seeds)
        answers: dict[int, Any] = {}
        with ask(self._dialogues(seeds), len(seeds), f"making examples, round {number}") as results:
            for one in results:
                lying[place[one.example_id]] = kept.add(one)
                if one.reason is None and one.example is not None:
                    answers[place[one.example_id]] = one.example.answer
        others = dict(_others(sorted(answers.items())))
        if others:
            asked = (compared(kept[lying[at]], other) for at, other in others.items())
            with ask(asked, len(others), f"comparing answers, round {number}") as results:
                for one in results:
                    if one.reason is not None:
                        lying[place[one.example_id]] = kept.add(one)
        yield from (kept[at] for at in lying)

    def _dialogues(self, seeds: Sequence[Seed]) -> Iterator[Dialogue[Tried]]:
        limits = Limits(self._chosen.context_tokens, self._chosen.title_share, self._functions())
        for start in range(0, len(seeds), _AT_ONCE):
            some = seeds[start : start + _AT_ONCE]
            by_element: dict[str, dict[str, str]] = {}
            for seed in some:
                by_element.setdefault(seed.element, {})[seed.key] = seed.paper
            found = {name: self._elements.materials(name, keys) for name, keys in by_element.items()}
            for seed in some:
                material = found[seed.element][seed.key]
                yield trying(seed.example_id(self._chosen.seed), seed, material, limits)

    def _functions(self) -> tuple[str, ...]:
        """The evaluation functions that the tracker may choose now."""
        most = self._chosen.most_of_evaluators
        full = {name for name, number in most.items() if self._of_function[name] >= number}
        return tuple(name for name in catalogue() if name not in {RELEVANCE, *full})

    def _looked_at(self, found: Iterable[Tried], parts: Kept[Row]) -> Iterator[Row]:
        """The rows of tries in the order of the draw: what is no duplicate and has room is kept.

        Rows that may become parts of multiple examples go to `parts` instead.
        """
        for tried in found:
            made = self._made[tried.seed.quota]
            row = row_of(tried, self._batches.get(tried.seed.paper, ""), self._models)
            if row["eval_func"]:
                self._tried_function[row["eval_func"]] += 1
            if row["status"] == ACCEPTED and (one_too_many := self._one_too_many(row)):
                row = rejected(row, *one_too_many)
            made.waiting += tried.failure in TO_COME
            if row["status"] == ACCEPTED:
                self._of_function[row["eval_func"]] += 1
                self._asked.add(_scope(row), row["example_id"], row["question"])
                made.kept += 1
            # Of a quota, those that were made last are the parts of multiple examples.
            if row["status"] == ACCEPTED and made.kept > tried.seed.quota.examples:
                self._parts.append((row["example_id"], tried.seed.paper, parts.add(row)))
            else:
                yield row

    def _one_too_many(self, row: Row) -> tuple[str, str] | None:
        """Whether the row says the same as one that was kept before it, or its evaluator has enough."""
        if repeated := self._asked.first_like(_scope(row), row["question"]):
            return "near_duplicate", repeated
        most = self._chosen.most_of_evaluators.get(row["eval_func"])
        if most is not None and self._of_function[row["eval_func"]] >= most:
            return SURPLUS, f"{most} examples have {row['eval_func']}"
        return None

    def _merged(self, parts: Kept[Row]) -> Iterator[Row]:
        """Multiple examples of the singles that were made for them, and those, taken out of the set."""
        # In an order that mixes elements, and depends on no other example.
        singles = [Single(*one) for one in sorted(self._parts)]
        reasons: dict[str, tuple[str, str]] = {}
        pairs = list(pairs_of(singles, self._plan.multiple))
        for start in range(0, len(pairs), _AT_ONCE):
            some = pairs[start : start + _AT_ONCE]
            papers = {single.paper: single.paper for pair in some for single in pair}
            materials = self._elements.materials(PAPER, papers)
            titles = {paper: material.title for paper, material in materials.items()}
            for first, second in some:
                both = parts[first.number], parts[second.number]
                row = merged_row(merged(*both, titles, self._chosen.seed))
                self._multiple[row["status"]] += 1
                yield row
                told = (MERGED, f"part of {row['example_id']}")
                reasons |= dict.fromkeys((first.example_id, second.example_id), told)
        of_element = {quota.element: made for quota, made in self._made.items() if quota.kind == SINGLE}
        for single in singles:
            row = parts[single.number]
            made = of_element[row["element"]]
            reason = reasons.get(single.example_id, _NO_PARTNER)
            made.merged += reason[0] == MERGED
            made.left += reason[0] != MERGED
            yield rejected(row, *reason)


def _others(answers: Sequence[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """For each answer one to another example that differs from it, from those behind it on; by their keys."""
    for at, (key, own) in enumerate(answers):
        behind = chain(range(at + 1, len(answers)), range(at))
        if other := other_answer(own, (answers[one][1] for one in behind)):
            yield key, other[0]


def _scope(row: Row) -> str:
    """Among which questions one must not repeat another: those of its kind, about the paper it names."""
    return str(row["kind"]) if row["kind"] in WITHOUT_PAPER else f"{row['kind']} {row['papers'][0]}"
