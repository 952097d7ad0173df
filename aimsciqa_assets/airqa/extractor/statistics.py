"""What an export holds, counted as it is written: in all, and by kind of question."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from aimsciqa_assets.airqa.agent.telling import observed
from aimsciqa_assets.airqa.extractor.trajectories import ActorTurn, Trajectory
from aimsciqa_assets.airqa.extractor.windows import LeftOut, Sample

TOTAL: Final = "total"
CountTokens = Callable[[Sequence[str]], list[int]]


@dataclass(slots=True)
class Counts:
    """Counts over some trajectories and their samples.

    `turns` and `wrong_actions` are those of the trajectories, `learnt_*` those that a loss is taken on.
    `sample_tokens` are tokens of all samples, of which `learnt_tokens` are learnt; `longer` samples have more
    than the cutoff.
    """

    trajectories: int = 0
    samples: int = 0
    turns: int = 0
    wrong_actions: int = 0
    learnt_turns: int = 0
    learnt_wrong_actions: int = 0
    sample_tokens: int = 0
    learnt_tokens: int = 0
    longest: int = 0
    longer: int = 0
    actions: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)

    def as_object(self) -> dict[str, Any]:
        """The counts with the rates that follow from them; a rate of nothing is None."""
        return {
            "trajectories": self.trajectories,
            "samples": self.samples,
            "samples_left_out": _sorted(self.left_out),
            "turns": self.turns,
            "turns_per_trajectory": _share(self.turns, self.trajectories),
            "actions": _sorted(self.actions),
            "wrong_actions": _sorted(self.errors),
            "error_action_rate": _share(self.wrong_actions, self.turns),
            "error_action_rate_of_samples": _share(self.learnt_wrong_actions, self.learnt_turns),
            "tokens": self.sample_tokens,
            "tokens_learnt": self.learnt_tokens,
            "tokens_per_sample": _share(self.sample_tokens, self.samples),
            "longest_sample": self.longest,
            "samples_over_cutoff": self.longer,
        }


class Statistics:
    """Counts of all that is added, in total and by kind. `cutoff` is the most tokens of a sample."""

    def __init__(self, cutoff: int, count_tokens: CountTokens) -> None:
        self._cutoff = cutoff
        self._count_tokens = count_tokens
        self._by_kind: dict[str, Counts] = {TOTAL: Counts()}
        self._system: dict[str, int] = {}

    def add(self, trajectory: Trajectory, samples: Iterable[Sample | LeftOut]) -> None:
        """Count a trajectory with its samples, those that are left out among them."""
        some = list(samples)
        opening, said, told = self._tokens(trajectory)
        for counts in (self._by_kind[TOTAL], self._by_kind.setdefault(trajectory.kind, Counts())):
            _count_turns(counts, trajectory.turns)
            for one in some:
                if isinstance(one, LeftOut):
                    counts.left_out[one.reason] += 1
                    continue
                history = sum(said[turn.number] + told[turn.number] for turn in one.turns[:-1])
                tokens = opening + history + said[one.last.number]
                counts.samples += 1
                counts.learnt_turns += len(one.learnt)
                counts.learnt_wrong_actions += sum(turn.is_wrong for turn in one.learnt)
                counts.sample_tokens += tokens
                counts.learnt_tokens += sum(said[turn.number] for turn in one.learnt)
                counts.longest = max(counts.longest, tokens)
                counts.longer += tokens > self._cutoff

    def as_object(self) -> dict[str, dict[str, Any]]:
        """The counts in total, then by kind."""
        kinds = sorted(self._by_kind.keys() - {TOTAL})
        return {kind: self._by_kind[kind].as_object() for kind in (TOTAL, *kinds)}

    def _tokens(self, trajectory: Trajectory) -> tuple[int, dict[int, int], dict[int, int]]:
        """Tokens of what opens the dialogue, and of each turn: what the actor said, what it was told."""
        turns, system = trajectory.turns, trajectory.system
        if system not in self._system:
            self._system = {system: self._count_tokens([system])[0]}
        texts = [trajectory.task, *(turn.said for turn in turns)]
        counted = self._count_tokens([*texts, *(observed(turn.observation or "") for turn in turns)])
        numbers = [turn.number for turn in turns]
        said = dict(zip(numbers, counted[1 : len(texts)], strict=True))
        told = dict(zip(numbers, counted[len(texts) :], strict=True))
        return self._system[system] + counted[0], said, told


def _count_turns(counts: Counts, turns: Iterable[ActorTurn]) -> None:
    counts.trajectories += 1
    for turn in turns:
        counts.turns += 1
        counts.actions[turn.action or "none"] += 1
        if turn.error is not None:
            counts.wrong_actions += 1
            counts.errors[turn.error] += 1


def _sorted(counter: Counter[str]) -> dict[str, int]:
    """The most frequent first, ties by name."""
    return dict(sorted(counter.items(), key=lambda one: (-one[1], one[0])))


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None
