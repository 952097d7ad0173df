"""The notes of a forum as a tree by `replyto`, whatever is missing or wrong among them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

Problem = Literal["orphan", "cycle"]
"""orphan: what it replies to is not there; cycle: it replies to a note below itself."""


class Written(Protocol):
    """What a tree needs to know of a note."""

    @property
    def note_id(self) -> str:
        """Its id."""

    @property
    def replyto(self) -> str | None:
        """What it replies to."""

    @property
    def created(self) -> str | None:
        """When it was written, ISO 8601."""


N = TypeVar("N", bound=Written)


@dataclass(frozen=True)
class Thread(Generic[N]):
    """The tree of a forum. `root` is the submission, None where it is missing; `parents` has the note above
    each other one, which is `forum_id` for what stands below the submission.

    `replies` are the notes below each id by `created` (unknown last), then id. `problems` are those of notes
    that were put below the submission.
    """

    forum_id: str
    root: N | None
    notes: Mapping[str, N]
    parents: Mapping[str, str]
    replies: Mapping[str, tuple[N, ...]]
    problems: Mapping[str, Problem]

    def below(self, note_id: str) -> Iterator[N]:
        """Everything below a note, each before what replies to it."""
        waiting = list(reversed(self.replies.get(note_id, ())))
        while waiting:
            note = waiting.pop()
            yield note
            waiting += reversed(self.replies.get(note.note_id, ()))

    @property
    def told_problems(self) -> list[str]:
        """The problems as `scidqa.forums` tells them."""
        missing = [] if self.root else ["root_missing"]
        return missing + [f"{problem} {note_id}" for note_id, problem in sorted(self.problems.items())]


def thread_of(forum_id: str, notes: Iterable[N]) -> Thread[N]:
    """The thread of all notes of a forum, in any order; of two with one id the first counts.

    A note that replies to one that is not there hangs below the submission; so does the earliest note of a
    cycle.
    """
    by_id: dict[str, N] = {}
    for note in notes:
        by_id.setdefault(note.note_id, note)
    order = {note.note_id: place for place, note in enumerate(sorted(by_id.values(), key=_order))}
    problems: dict[str, Problem] = {}
    parents = {}
    for note_id in order:
        if note_id == forum_id:
            continue
        above = by_id[note_id].replyto or ""
        if above != forum_id and above not in by_id:
            above, problems[note_id] = forum_id, "orphan"
        parents[note_id] = above
    for note_id in _cycle_starts(parents, order):
        parents[note_id], problems[note_id] = forum_id, "cycle"
    replies: dict[str, list[N]] = {}
    for note_id, above in parents.items():
        replies.setdefault(above, []).append(by_id[note_id])
    below = {above: tuple(listed) for above, listed in replies.items()}
    return Thread(forum_id, by_id.get(forum_id), by_id, parents, below, problems)


def _order(note: Written) -> tuple[bool, str, str]:
    return note.created is None, note.created or "", note.note_id


def _cycle_starts(parents: Mapping[str, str], order: Mapping[str, int]) -> list[str]:
    """Of each cycle the note that comes first in the order."""
    starts = []
    done: set[str] = set()
    for note_id in parents:
        path: dict[str, None] = {}
        at = note_id
        while at in parents and at not in done and at not in path:
            path[at] = None
            at = parents[at]
        if at in path:
            members = list(path)
            starts.append(min(members[members.index(at) :], key=order.__getitem__))
        done.update(path)
    return starts
