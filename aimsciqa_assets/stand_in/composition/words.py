"""What a text is about: its content words, folded, and what two texts share of them."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.inversion import bare
from aimsciqa_assets.stand_in.morphology import THIRD_FORMS, is_past


def any_of(*lists: str) -> str:
    """A regular expression for one word of these lists."""
    return f"(?:{'|'.join(sorted(frozenset().union(*map(lex.words, lists))))})"


_WORD = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_FUNCTION_WORDS: Final = lex.words("function_words")
# Elements and viruses, written now as a word, now as a symbol.
_SYMBOLS: Final = lex.table("symbols")
_NOUN_ENDING: Final = re.compile(r"(?<=.{4})ies$|(?<=.{4}ss)es$|(?<=.{4})(?:ation|ing)s?$")
_PLURAL: Final = re.compile(r"(?<=.{3})(?<![siu])s$")
_INFLECTED: Final = re.compile(r"(?<=.{4})(?:ed|ly)$")
# Letters of a folded word that is hardly ever an everyday one: "albopictus", "phylogenetic".
_TERM_LENGTH: Final = 10
_PAST: Final = frozenset({"was", "were", "had", "did"})
_PRESENT: Final = lex.MODALS | {"is", "are", "has", "have"}
_NAMES: Final = re.compile(r"\b" + any_of("names") + r"\b")


def words(text: str) -> list[str]:
    """Words of the text as written, numbers included, without punctuation."""
    return _WORD.findall(text)


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Fold a word: case, plural, the commonest endings of verbs and adverbs, and a final e."""
    (written,) = _SYMBOLS.get(word, (word,))
    folded = written.lower().replace("’", "'").removesuffix("'s")
    shorter = _NOUN_ENDING.sub(lambda ending: "y" if ending[0] == "ies" else "", folded)
    if shorter == folded:
        shorter = _INFLECTED.sub("", _PLURAL.sub("", folded))
    return shorter.removesuffix("e") if len(shorter) > 3 else shorter


def stems(found: Iterable[str]) -> frozenset[str]:
    """The stems of words."""
    return frozenset(map(stem, found))


_STUDY_STEMS: Final = stems(lex.words("study_words"))
FIELD_STEMS: Final = stems(lex.words("field_words"))


def content(text: str) -> dict[str, str]:
    """Content words by stem, each as first written, in the order of the text; numbers and study words too."""
    found: dict[str, str] = {}
    for word in words(text):
        if word.lower() not in _FUNCTION_WORDS and (len(word) > 1 or word.isdigit()):
            found.setdefault(stem(word), word)
    return found


def specific(text: str) -> dict[str, str]:
    """Content words that say what a study is about: no numbers, nothing that every study has."""
    return {
        stemmed: word
        for stemmed, word in content(text).items()
        if not _NUMBER.fullmatch(word) and stemmed not in _STUDY_STEMS
    }


def with_names(subject: str) -> str:
    """Give names the capital that a keyword list took from them."""
    return _NAMES.sub(lambda name: name[0].capitalize(), subject)


def is_term(word: str) -> bool:
    """Whether the word names something: written so ("Setaria", "N95"), or as long as only terms are."""
    return word != word.lower() or len(stem(word)) >= _TERM_LENGTH


def is_event(statement: str) -> bool:
    """Whether it tells what happened once: what always holds stands in many papers."""
    tokens = {*map(bare, statement.split())}
    is_past_told = tokens & _PAST or (any(map(is_past, tokens)) and not tokens & THIRD_FORMS.keys())
    return bool(is_past_told and not tokens & _PRESENT)


def is_balanced(text: str) -> bool:
    """Whether every bracket and quotation mark has its other half."""
    pairs = all(text.count(opening) == text.count(closing) for opening, closing in ("()", "[]", "“”"))
    return pairs and text.count('"') % 2 == 0
