"""Discussions: a review and what authors and reviewers wrote below it, kept where something is asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.scidqa.pairs.requests import Request, cues_of, requests_of

Reason = Literal["no_reply", "no_request"]
AUTHORS: Final = "authors"


@dataclass(frozen=True, slots=True)
class Turn:
    """A note below a review; `writer` is `authors` or somebody else."""

    note_id: str
    writer: str
    text: str

    @property
    def by_authors(self) -> bool:
        """Whether the authors wrote it."""
        return self.writer == AUTHORS


@dataclass(frozen=True, slots=True)
class Discussion:
    """A review of a forum and the notes below it, in their order."""

    forum_id: str
    title: str
    review: Turn
    turns: tuple[Turn, ...]

    @property
    def discussion_id(self) -> str:
        """A hash of who wrote what: another text or another reply makes another discussion."""
        said = [part for turn in (self.review, *self.turns) for part in (turn.note_id, turn.text)]
        return row_id(*said)

    @property
    def replies(self) -> tuple[Turn, ...]:
        """What the authors wrote."""
        return tuple(turn for turn in self.turns if turn.by_authors)


@dataclass(frozen=True, slots=True)
class Filtered:
    """A discussion with the sentences of its review that ask for something, and its cues by number."""

    discussion: Discussion
    requests: Sequence[Request]
    cues: dict[str, int]

    @property
    def reason(self) -> Reason | None:
        """Why it is left out; None where it is kept."""
        if not self.discussion.replies:
            return "no_reply"
        return None if self.cues else "no_request"


def filtered(discussion: Discussion) -> Filtered:
    """The discussion with its requests and cues."""
    requests = requests_of(discussion.review.text)
    cues = cues_of(requests, [turn.text for turn in discussion.replies])
    return Filtered(discussion, requests, cues)
