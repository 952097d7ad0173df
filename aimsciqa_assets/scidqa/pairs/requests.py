"""Finds the sentences of a review that ask for something: the filter of discussions (SciDQA, section 3.1).

The rules are those of `cues.toml`, sentence by sentence. Items of a list below a heading such as "Questions",
or below a request that ends with a colon, count as well. Replies that quote the review, or mark questions and
answers, tell of a discussion, too.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from aimsciqa_assets.scidqa.pairs.sentences import note_sentences

LISTED: Final = "listed_question"


@dataclass(frozen=True, slots=True)
class Cue:
    """A rule for one sentence: it has `pattern`, and has not `unless`."""

    name: str
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None
    example: str

    def fits(self, sentence: str) -> bool:
        """Whether the sentence, a line without breaks, has the cue."""
        return bool(self.pattern.search(sentence)) and not (self.unless and self.unless.search(sentence))


@dataclass(frozen=True, slots=True)
class Request:
    """A sentence that asks for something: `text[start:end]`, and the first cue that says so."""

    start: int
    end: int
    cue: str


def _cue(row: dict[str, str]) -> Cue:
    unless = re.compile(row["unless"], re.IGNORECASE) if "unless" in row else None
    return Cue(row["name"], re.compile(row["pattern"], re.IGNORECASE), unless, row["example"])


_RULES: Final = tomllib.loads((Path(__file__).parent / "cues.toml").read_text())
CUES: Final = tuple(map(_cue, _RULES["cues"]))
_NEVER: Final = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _RULES["never"])


_HEADING: Final = re.compile(
    r"\W*(?:\w+ ){0,3}?questions?(?: (?:for|to) (?:the )?authors?)?"
    r"(?: and (?:comments|requests|concerns))?\W*\Z",
    re.IGNORECASE,
)
_BLANKS: Final = re.compile(r"\s+")
_ITEM: Final = re.compile(r"\s*(?:[-*+•]|\(?\d{1,2}[.)])\s")
_REPLY_MARKS: Final = {
    "quoted_in_reply": re.compile(r"^[ \t]*>[ \t]*\S", re.MULTILINE),
    "marked_in_reply": re.compile(
        r"^\W*(?:[QA]\s?\d*\s?[:.)]|(?:comments?|questions?|concerns?|answers?|reply|response)\s?\d*\s?:)",
        re.MULTILINE | re.IGNORECASE,
    ),
}
"""Lines of a reply that quote the review, or say that they ask or answer: the discussion holds questions."""


def requests_of(review: str) -> list[Request]:
    """The sentences of a review that ask for something, in order."""
    found: list[Request] = []
    is_listed = False
    for start, end in note_sentences(review):
        sentence = _BLANKS.sub(" ", review[start:end])
        if _HEADING.match(sentence):
            is_listed = True
            continue
        is_listed = is_listed and bool(_ITEM.match(sentence))
        name = next((cue.name for cue in CUES if cue.fits(sentence)), LISTED if is_listed else None)
        if name and not any(rule.search(sentence) for rule in _NEVER):
            found.append(Request(start, end, name))
            is_listed = is_listed or sentence.endswith(":")
    return found


def cues_of(requests: Iterable[Request], replies: Sequence[str]) -> dict[str, int]:
    """How often each cue occurs in a discussion: sentences of the review, and marked lines of the replies.

    A discussion without any is not worth a model's time.
    """
    counts = Counter(request.cue for request in requests)
    for name, mark in _REPLY_MARKS.items():
        counts[name] += sum(len(mark.findall(reply)) for reply in replies)
    return {name: count for name, count in sorted(counts.items()) if count}
