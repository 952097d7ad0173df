"""Made-up review threads as a file of single notes, which is not grouped by forum."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

_CONFERENCE = "ICLR.cc/2020/Conference"
_SENTENCES, _WORDS = 16, 15


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
    text = " ".join(f"{' '.join(chance.choices(words, k=_WORDS)).capitalize()}." for _ in range(_SENTENCES))
    asked = " ".join(f"Why is {chance.choice(words)} of {number} {one}?" for one in ("small", "large"))
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
        "content": {"title": kind, field: f"{text} {asked}"},
    }


def _role(round_of_forum: int, number: int, forums: int) -> tuple[str, str, str, str | None]:
    """Of a forum first the submission, then reviews and the authors' reply to each, in turn."""
    if round_of_forum == 0:
        return "Blind_Submission", "abstract", "Authors", None
    if round_of_forum % 2:
        writer = f"AnonReviewer{round_of_forum // 2 + 1}"
        return "Official_Review", "review", writer, f"n{number % forums}"
    return "Official_Comment", "comment", "Authors", f"n{number - forums}"
