"""What a text says, as a rule can see it: the stems of its content words, and its numbers."""

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import Stemmer

Terms = frozenset[str]
NOTHING: Final[Terms] = frozenset()

_TERM: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_EMPTY: Final = frozenset(
    """
    a an the of in on at to for from by with without as than and or but nor not no that this these those it
    its they their them he she his her we our who whom whose which what when where why how is are was were be
    been being has have had do does did will would can could may might should there here both either neither
    also while whereas however respectively between among into over under about per each other another same
    such if then so s paper papers study studies article question source document according compared
    """.split()
)


def terms(text: str) -> Terms:
    """Stems of the content words, and numbers without the commas between thousands."""
    return frozenset(map(_term, _TERM.findall(text.casefold()))) - {""}


def numbers(of: Terms) -> Terms:
    """The numbers among terms."""
    return frozenset(term for term in of if term[0].isdigit())


def words_of(text: str) -> list[str]:
    """The content words of a text as they are written, in lower case, each once."""
    found = _TERM.findall(text.casefold())
    return list(dict.fromkeys(word for word in found if word not in _EMPTY))


@lru_cache(maxsize=2**17)
def _term(word: str) -> str:
    if word[0].isdigit():
        # 1,500 is 1500, and 2,5 is not 25.
        return re.sub(r",(?=\d{3}(?!\d))", "", word).rstrip(".,")
    return "" if word in _EMPTY else str(_stemmer().stemWord(word))


@cache
def _stemmer() -> "Stemmer.Stemmer":
    import Stemmer

    return Stemmer.Stemmer("english")
