"""Made-up review threads as a file of single notes, which is not grouped by forum."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

_CONFERENCE = "ICLR.cc/2020/Conference"
_CHARACTERS = 1500


def write_threads(file: Path, forums: int, notes: int) -> None:
    """Write `notes` notes of `forums` forums in an order drawn at random, compressed by gzip."""
    chance = random.Random(20252)
    words = ["".join(chance.choices("abdeilmnorstu", k=chance.randint(2, 9))) for _ in range(3000)]
    order = list(range(notes))
    chance.shuffle(order)
    with gzip.open(file, "wt", compresslevel=1) as lines:
        for number in order:
            lines.write(json.dumps(_note(number, forums, words, random.Random(number))) + "\n")


def _note(number: int, forums: int, words: list[str], chance: random.Random) -> dict[str, Any]:
    forum = number % forums
    round_of_forum = number // forums
    text = " ".join(chance.choices(words, k=_CHARACTERS // 6))
    kind, field, writer, above = _role(round_of_forum, number, forums)
    stamp = 1_570_000_000_000 + 1000 * number
    return {
        "id": f"n{number}",
        "forum": f"n{forum}",
        "replyto": above,
        "invitation": f"{_CONFERENCE}/Paper{forum}/-/{kind}",
        "signatures": [f"{_CONFERENCE}/Paper{forum}/{writer}"],
        "readers": ["everyone"],
        "cdate": stamp,
        "tmdate": stamp,
        "content": {"title": kind, field: f"{text}. Why {number}?"},
    }


def _role(round_of_forum: int, number: int, forums: int) -> tuple[str, str, str, str | None]:
    """Of a forum first the submission, then reviews and the authors' reply to each, in turn."""
    if round_of_forum == 0:
        return "Blind_Submission", "abstract", "Authors", None
    if round_of_forum % 2:
        writer = f"AnonReviewer{round_of_forum // 2 + 1}"
        return "Official_Review", "review", writer, f"n{number % forums}"
    return "Official_Comment", "comment", "Authors", f"n{number - forums}"
