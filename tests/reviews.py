"""The labelled review threads, where `../shared` is at hand: reviews, replies and the requests in them."""

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

REVIEWS = Path(__file__).parents[2] / "shared" / "corpora" / "reviews"
ASKED = ("clarification", "explanation")
"""The labels of requests that a reply can answer in words."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence that people labelled as a request: `review[start:end]`, and the reply sentences aligned to
    it; empty where there are none.
    """

    kind: str
    start: int
    end: int
    aligned: str

    def overlaps(self, start: int, end: int) -> bool:
        """Whether they share a character of the review."""
        return self.start < end and start < self.end


@dataclass(frozen=True, slots=True)
class LabelledReview:
    """A review with the reply to it and its labelled requests; `thread` is its place in the file, from 0."""

    thread: int
    forum: str
    note_id: str
    review: str
    reply: str
    requests: tuple[Labelled, ...]


def labelled_reviews(folder: Path = REVIEWS) -> Iterator[LabelledReview]:
    """The reviews of the threads, in the order of the file."""
    with (folder / "requests.tsv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for number, line in enumerate((folder / "threads.jsonl").read_text(encoding="utf-8").splitlines()):
        notes = json.loads(line)["notes"]
        replies = {note["replyto"]: note["content"].get("comment", "") for note in notes}
        for note in notes:
            if "review" in note["content"]:
                text = note["content"]["review"]
                labelled = tuple(_labelled(row, text) for row in rows if row["review_id"] == note["id"])
                yield LabelledReview(
                    number, note["forum"], note["id"], text, replies.get(note["id"], ""), labelled
                )


def _labelled(row: dict[str, str], review: str) -> Labelled:
    # The labels have other white space than the reviews.
    words = r"\s+".join(map(re.escape, row["request_sentence"].split()))
    found = re.search(words, review)
    if found is None:
        raise ValueError(f"{row['review_id']}: no sentence {row['request_sentence']!r}")
    kind = row["request_type"].removeprefix("arg-request_")
    return Labelled(kind, found.start(), found.end(), row["aligned_reply_sentences"])
