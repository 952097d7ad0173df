"""Trajectories -> training samples: the sliding window and the removal of errors (AirQA, EXTRACTOR).

A sample is what the agent sees at one turn, and what it says then: the system message, the task, and at most
`window` turns with what came of them; the loss is on the last turn alone. A sample whose own action is wrong
is left out, so that no model learns to err; errors before it stay, so that it learns to mend them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from aimsciqa_assets.airqa.extractor.trajectories import ActorTurn, Trajectory

Reason = Literal["wrong_action", "view", "no_picture"]
PAPER_WINDOW: Final = 5


@dataclass(frozen=True, slots=True)
class Cut:
    """How trajectories become samples; as it stands, as in the paper.

    `window` 0 makes a whole trajectory one sample, with the loss on all its turns. `removes_errors` leaves
    out samples whose last action is wrong. Without `views`, samples that look at a picture are left out; with
    them, those whose picture is not at hand any more.
    """

    window: int = PAPER_WINDOW
    removes_errors: bool = True
    views: bool = False


@dataclass(frozen=True, slots=True)
class Sample:
    """The turns of a trajectory that a model sees, and the last of them that it learns.

    `learns_all`: it learns all of them.
    """

    trajectory: Trajectory
    turns: tuple[ActorTurn, ...]
    learns_all: bool = False

    @property
    def last(self) -> ActorTurn:
        """The turn that the sample ends with."""
        return self.turns[-1]

    @property
    def learnt(self) -> tuple[ActorTurn, ...]:
        """The turns that the loss is taken on."""
        return self.turns if self.learns_all else self.turns[-1:]

    @property
    def sample_id(self) -> str:
        """The example with the number of the last turn."""
        return f"{self.trajectory.example_id}:{self.last.number}"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A sample that is not trained on, and why."""

    sample: Sample
    reason: Reason


def samples_of(trajectory: Trajectory, cut: Cut) -> Iterator[Sample | LeftOut]:
    """The samples of a trajectory in the order of its turns, those that are left out among them."""
    for sample in _all_of(trajectory, cut.window):
        if cut.removes_errors and sample.last.is_wrong:
            yield LeftOut(sample, "wrong_action")
        elif not cut.views and any(turn.views for turn in sample.turns):
            yield LeftOut(sample, "view")
        elif cut.views and any(turn.has_picture and not turn.shows for turn in sample.turns[:-1]):
            yield LeftOut(sample, "no_picture")
        else:
            yield sample


def _all_of(trajectory: Trajectory, window: int) -> Iterator[Sample]:
    turns = trajectory.turns
    if window == 0:
        if turns:
            yield Sample(trajectory, turns, learns_all=True)
        return
    for end in range(1, len(turns) + 1):
        yield Sample(trajectory, turns[max(0, end - 1 - window) : end])
