"""Which of the questions before it a question repeats: that is found in an index of words, on disk."""

import sqlite3
from collections.abc import Collection
from contextlib import closing
from math import ceil
from typing import Final

from aimsciqa_assets.airqa.extractor.filters import content_words, in_common

_CREATE: Final = """
create table questions (number integer primary key, example_id text not null, words text not null);
create table occurrences (
    scope text, word text, number integer, primary key (scope, word, number)
) without rowid;
create table frequencies (
    scope text, word text, questions integer, primary key (scope, word)
) without rowid;
"""
_FREQUENCIES: Final = "select word, questions from frequencies where scope = ? and word in ({})"
_EARLIER: Final = """
select example_id, words from questions
where number in (select number from occurrences where scope = ? and word in ({})) order by number
"""
_COUNT: Final = """
insert into frequencies values (?, ?, 1) on conflict do update set questions = questions + 1
"""
_ROUNDING: Final = 1e-9


class Asked:
    """Questions by the scope within which one must not repeat another: `share` of its words in common."""

    def __init__(self, share: float) -> None:
        self._share = share
        # Without a name it is a file of its own, which goes with the connection.
        self._index = sqlite3.connect("", isolation_level=None)
        self._index.executescript(f"pragma journal_mode = off; pragma synchronous = off; {_CREATE}")

    def add(self, scope: str, example_id: str, question: str) -> None:
        """Remember a question."""
        words = content_words(question)
        kept = self._index.execute(
            "insert into questions (example_id, words) values (?, ?)", (example_id, " ".join(words))
        )
        self._index.executemany(
            "insert into occurrences values (?, ?, ?)", [(scope, word, kept.lastrowid) for word in words]
        )
        self._index.executemany(_COUNT, [(scope, word) for word in words])

    def first_like(self, scope: str, question: str) -> str | None:
        """The example whose question this one repeats, the earliest of them.

        Two questions with so many words in common share at least one of any `n - needed + 1` of the `n` words
        of the one. So only those are compared that have one of its rarest.
        """
        words = content_words(question)
        needed = max(1, ceil(self._share * len(words) - _ROUNDING))
        rare = self._by_frequency(scope, words)[: len(words) - needed + 1]
        with closing(self._index.execute(_EARLIER.format(_places(rare)), (scope, *rare))) as found:
            for example_id, of_other in found:
                if in_common(words, frozenset(of_other.split())) >= self._share:
                    return str(example_id)
        return None

    def _by_frequency(self, scope: str, words: Collection[str]) -> list[str]:
        found = dict(self._index.execute(_FREQUENCIES.format(_places(words)), (scope, *words)))
        return sorted(words, key=lambda word: (found.get(word, 0), word))


def _places(values: Collection[str]) -> str:
    return ", ".join("?" * len(values))
