"""References of a pair: uniform marks r1, r2, ... for what its notes cite, and the texts of what is cited.

Reviewers and authors number their references each for themselves: [1] of a review is not [1] of the reply.
The lists are looked for in the notes (SciDQA, section 3.1).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

_KEY: Final = r"[A-Za-z]{0,3}\d{1,3}|[A-Z]|\*{1,4}"
_BRACKETED: Final = re.compile(rf"^\W{{0,3}}\[({_KEY})\]\s*[:.-]?\s*(\S.{{14,}})$", re.MULTILINE)
_NUMBERED: Final = re.compile(r"^\s*\(?(\d{1,3})[.):]\s+(\S.{14,})$", re.MULTILINE)
_HEADING: Final = re.compile(r"^\W*(?:references?|bibliography)\W*$", re.MULTILINE | re.IGNORECASE)
_MARK: Final = re.compile(rf"\[((?:{_KEY})(?:\s?[,;]\s?(?:{_KEY}))*)\]")
_BLANKS: Final = re.compile(r"\s+")


def references_in(note: str) -> dict[str, str]:
    """The entries of the reference list of a note, by mark: lines such as "[1] Smith et al. 2019. Title".

    Numbered lines without brackets count below a heading "References" only. An earlier entry is not
    replaced by a later one with its mark.
    """
    below = max((heading.end() for heading in _HEADING.finditer(note)), default=len(note))
    found = [*_BRACKETED.findall(note), *_NUMBERED.findall(note, below)]
    return {key: _BLANKS.sub(" ", text).strip() for key, text in reversed(found)}


def marks_in(text: str) -> Iterator[str]:
    """The marks that a text cites by, in order: "[1, A]" has two."""
    for mark in _MARK.finditer(text):
        yield from re.split(r"\s?[,;]\s?", mark[1])


class Renumbering:
    """Gives each cited text a mark r1, r2, ..., in the order in which it is first cited.

    Two notes that cite the same text get the same mark for it. A mark that no list explains stays as it is.
    """

    def __init__(self) -> None:
        self._marks: dict[str, str] = {}

    def renumbered(self, text: str, *lists: Mapping[str, str]) -> str:
        """The text with uniform marks; a mark means the entry in the first of the lists that has it."""

        def uniform(mark: re.Match[str]) -> str:
            named = [self._uniform(key, lists) for key in marks_in(mark[0])]
            return f"[{', '.join(named)}]"

        return _MARK.sub(uniform, text)

    def _uniform(self, key: str, lists: Iterable[Mapping[str, str]]) -> str:
        text = next((entries[key] for entries in lists if key in entries), None)
        return key if text is None else self._marks.setdefault(text, f"r{len(self._marks) + 1}")

    @property
    def references(self) -> dict[str, str]:
        """The texts by their uniform marks."""
        return {mark: text for text, mark in self._marks.items()}


def cited(text: str, references: Mapping[str, str]) -> dict[str, str]:
    """Those of the references that a text cites, in the order of their marks."""
    named = set(marks_in(text))
    return {mark: entry for mark, entry in references.items() if mark in named}


def with_references(text: str, references: Mapping[str, str]) -> str:
    """The text with what it cites below it, a line each."""
    entries = [f"[{mark}] {entry}" for mark, entry in cited(text, references).items()]
    return "\n".join([text, *entries])
