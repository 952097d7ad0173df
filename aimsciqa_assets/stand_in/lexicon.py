"""The word lists of `words.toml` by name, and the tables of rules beside it. No rules here."""

import re
import tomllib
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent
_LISTS, PATTERNS, FORMS = (
    tomllib.loads((_FOLDER / f"{name}.toml").read_text()) for name in ("words", "patterns", "forms")
)


def words(name: str) -> frozenset[str]:
    """The list of this name; of a table, what stands before its colons."""
    return frozenset(table(name) if ";" in _LISTS[name] else _LISTS[name].split())


def table(name: str) -> dict[str, tuple[str, ...]]:
    """The table of this name: what belongs to each word or phrase."""
    entries = (entry.partition(":") for entry in _LISTS[name].split(";"))
    return {" ".join(word.split()): tuple(belonging.split()) for word, _, belonging in entries}


def any_of(name: str) -> str:
    """The words of this list as alternatives of a regular expression, longer ones before their beginnings."""
    return "|".join(map(re.escape, sorted(words(name), reverse=True)))


BE: Final = words("be")
HAVE: Final = words("have")
DO: Final = frozenset({"do", "does", "did"})
MODALS: Final = words("modals")
AUXILIARIES: Final = BE | HAVE | MODALS | DO
SINGULAR_AUXILIARIES: Final = frozenset({"is", "was", "has", "does"})
PLURAL_AUXILIARIES: Final = frozenset({"are", "were", "have", "do"})
DETERMINERS: Final = words("determiners")
PREPOSITIONS: Final = words("prepositions")
CONJUNCTIONS: Final = words("conjunctions")
SUBORDINATORS: Final = words("subordinators")
PRONOUNS: Final = words("pronouns")
POINTERS: Final = words("pointers")
NUMBER_WORDS: Final = words("number_words")

EFFECT_VERBS: Final = words("effect_verbs")
OBJECT_VERBS: Final = words("object_verbs")
VERB_PREPOSITIONS: Final = table("verb_prepositions")
NOUN_LIKE: Final = words("noun_like")
VERB_WHEN_DETERMINED: Final = words("verb_when_determined")
BASE_FORMS: Final = (
    EFFECT_VERBS
    | OBJECT_VERBS
    | words("change_verbs")
    | VERB_PREPOSITIONS.keys()
    | (words("show_verbs") - {"have"})
    | words("other_verbs")
)
QUESTION_VERBS: Final = BASE_FORMS | words("question_verbs")
