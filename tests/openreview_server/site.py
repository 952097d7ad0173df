"""What is written on the made-up OpenReview: forums that grow, change and disappear from night to night."""

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.review_notes import CONFERENCE, EPOCH, Raw, reply, review, submission


@dataclass
class Site:
    """`notes` by id, as the first API has them; `at` is the time, in seconds. `uploads` are the PDFs of each
    forum with the time.
    """

    chance: random.Random
    notes: dict[str, Raw] = field(default_factory=dict)
    at: int = 0
    uploads: dict[str, list[tuple[int, bytes]]] = field(default_factory=dict)
    _written: int = 0

    @property
    def forums(self) -> list[str]:
        return sorted(note_id for note_id, note in self.notes.items() if note["forum"] == note_id)

    def name(self) -> str:
        self._written += 1
        return f"{self.chance.randrange(16**4):04x}{self._written}"

    def pass_a_day(self) -> None:
        """New forums, late replies, revisions, deletions, notes that only chairs may read."""
        self.at += 86_400
        for _ in range(self.chance.randint(0, 3)):
            self._open_a_forum()
        for note_id in self.chance.sample(sorted(self.notes), min(6, len(self.notes))):
            self._happen(note_id)

    def _open_a_forum(self) -> None:
        forum = self.name()
        self.notes[forum] = submission(forum, self.at)
        for _ in range(self.chance.randint(1, 4)):
            self._add(review(forum, self.name(), f"Why {self.chance.random()}?", self.at))

    def _add(self, note: Raw) -> None:
        self.notes[note["id"]] = note

    def _happen(self, note_id: str) -> None:
        note = self.notes[note_id]
        kind = self.chance.choice(["reply", "reply", "revise", "delete", "remove", "restrict", "restore"])
        is_root = note["forum"] == note_id
        if kind == "reply":
            self._add(reply(note["forum"], self.name(), note_id, f"Because {self.at}.", self.at))
        elif kind == "revise" and not is_root:
            text = f"Now {self.chance.random()}"
            self._change(note_id, content=dict.fromkeys(note["content"], text))
        elif kind == "delete" and not is_root:
            self._change(note_id, ddate=EPOCH + 1000 * self.at)
        elif kind == "remove" and not is_root:
            del self.notes[note_id]
        elif kind == "restrict" and not is_root:
            self._change(note_id, readers=[f"{CONFERENCE}/Program_Chairs"])
        elif kind == "restore":
            self.notes[note_id] = {k: v for k, v in note.items() if k != "ddate"}
            self._change(note_id, readers=["everyone"])

    def _change(self, note_id: str, **changes: Any) -> None:
        note = self.notes[note_id]
        self.notes[note_id] = note | changes | {"tmdate": max(note["tmdate"] + 1, EPOCH + 1000 * self.at)}

    @property
    def now(self) -> datetime:
        """The time on the site."""
        return datetime.fromtimestamp(EPOCH / 1000 + self.at, UTC)

    def served(self) -> dict[str, str | None]:
        """The text that may be read of each note that is there; None for the others."""
        return {
            note_id: None
            if "ddate" in note or "everyone" not in note["readers"]
            else next(iter(note["content"].values()))
            for note_id, note in self.notes.items()
        }
