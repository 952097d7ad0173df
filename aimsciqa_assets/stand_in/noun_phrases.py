"""What a clean noun phrase is, its head and its number."""

import re
from functools import lru_cache
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.matching import Words, pattern, text_of, words_of
from aimsciqa_assets.stand_in.morphology import PAST_FORMS, is_adverb, is_participle
from aimsciqa_assets.stand_in.quantities import quantity_end

_APPROXIMATE: Final = frozenset("about around over nearly approximately almost roughly only".split())
_VAGUE_SUBJECTS: Final = lex.words("vague_subjects")
_QUANTIFIERS: Final = lex.words("quantifiers")
_COLLECTIVES: Final = frozenset("number total few majority variety series minimum".split())
_IRREGULAR_PLURALS: Final = lex.words("irregular_plurals")
_EITHER_NUMBER: Final = lex.words("either_number")
_SINGULAR_IN_S: Final = lex.words("singular_in_s")
# "A total of lines", "a wide range": plural or singular.
_NUMBER_FRAME: Final = re.compile(
    r"(?:an? (?:total|number|majority|minimum|maximum|variety|range|set|group|series|subset|pair|average) of"
    r"|the majority of|a wide range|a large number)\b",
    re.IGNORECASE,
)
# A comma, and the last "and".
_LIST_JOINT: Final = re.compile(r"(?:^|(?<= )), |(?:^|(?<= ))and (?!(?:\S+ )*and )")
_CORE: Final = (
    r"\S+ (?:(?!{prepositions}|(?:such|as|to|aged) |{participle}{prepositions}|\S+ing {determiners})\S+ )*"
)
_NEVER_IN: Final = (
    lex.PRONOUNS
    | lex.POINTERS
    | lex.SUBORDINATORS
    | lex.AUXILIARIES
    | {",", "but", "not", "nor", "there", "as", "further"}
)
_NEVER_LAST: Final = lex.PREPOSITIONS | lex.CONJUNCTIONS | lex.DETERMINERS
_NEVER_FIRST: Final = (
    lex.PREPOSITIONS
    | lex.CONJUNCTIONS
    | {"assuming", "given", "considering", "provided", "compared", "based", "using", "to"}
)
_ATTRIBUTIVE_AFTER: Final = lex.DETERMINERS | lex.PREPOSITIONS | lex.CONJUNCTIONS


@lru_cache(maxsize=4096)
def head(phrase: Words) -> str:
    """The head of a noun phrase: its last word before a preposition, participle phrase or parenthesis."""
    found = pattern(_CORE).match(text_of(phrase))
    core = found[0].split() if found else [phrase[0]]
    return next((word for word in reversed(core) if not word.startswith("(")), phrase[0])


def is_coordinated(phrase: Words) -> bool:
    """Whether the phrase has an "and" before its first preposition: a plural subject."""
    first = next((word for word in phrase if word in lex.PREPOSITIONS or word in {"and", "&"}), "")
    return first in {"and", "&"}


def is_plural(phrase: Words) -> bool | None:
    """The number of a noun phrase; None where the form does not tell."""
    noun = head(phrase)
    lowered = noun.lower().rsplit("-", 1)[-1]
    if lowered in _EITHER_NUMBER or is_coordinated(phrase) or _NUMBER_FRAME.match(" ".join(phrase[:3])):
        return None
    if noun in _IRREGULAR_PLURALS or lowered in _IRREGULAR_PLURALS:
        return True
    if lowered in _SINGULAR_IN_S or lowered.endswith(("ss", "us", "is")):
        return False
    if noun.isupper() or any(map(str.isdigit, noun)):
        return None
    return lowered.endswith("s")


def may_govern(subject: Words, auxiliary: str) -> bool:
    """Whether the subject's number fits the finite verb; a cheap test that the parse is right."""
    plural = is_plural(subject)
    return plural is None or auxiliary not in (lex.SINGULAR_AUXILIARIES if plural else lex.PLURAL_AUXILIARIES)


def is_clean_noun_phrase(phrase: Words) -> bool:
    """Nouns, adjectives, prepositions and parentheses only: no comma, no verb, nothing that points back."""
    if not 1 <= len(phrase) <= 22:
        return False
    if phrase[0].lower() in _APPROXIMATE and quantity_end(phrase) > 1:
        phrase = phrase[1:]
    first, last = phrase[0].lower(), phrase[-1].lower()
    if first in _NEVER_FIRST or last in _NEVER_LAST or is_adverb(first):
        return False
    if _NEVER_IN.intersection(map(str.lower, phrase)):
        return False
    return not any(_may_be_predicate(phrase, i) for i in range(1, len(phrase)))


def _may_be_predicate(phrase: Words, i: int) -> bool:
    """A past form that is no participle, or one before "and": "the spread intensified and ..."."""
    word, before = phrase[i], phrase[i - 1].lower()
    if not is_participle(word):
        return word in PAST_FORMS
    attributive = before in _ATTRIBUTIVE_AFTER or is_adverb(before)
    joined = bool(lex.CONJUNCTIONS & set(phrase[i + 1 : i + 2])) and word.islower()
    return word in {"ranged", "differed", "resulted", "consisted", "depended"} or (joined and not attributive)


@lru_cache(maxsize=4096)
def is_named(phrase: Words) -> bool:
    """Whether the phrase says what it is: neither "the results" nor "several genes" nor "genes tested"."""
    if head(phrase).lower() in _VAGUE_SUBJECTS or is_participle(phrase[-1]):
        return False
    return not is_quantified(phrase)


def is_quantified(phrase: Words) -> bool:
    """For "several genes", "a large number of lines": which ones they are, only the paper says."""
    if phrase[0].lower() in _QUANTIFIERS or quantity_end(phrase) > 0:
        return True
    return bool(_COLLECTIVES & set(phrase[:5])) and "of" in phrase[:6]


def is_clean_list(phrase: Words) -> bool:
    """For "iron, zinc, and copper": at least three short clean noun phrases, the last one behind "and"."""
    parts = [words_of(part) for part in _LIST_JOINT.split(text_of(phrase)) if part]
    ends = "and" in phrase and phrase[-1] != ","
    return ends and len(parts) > 2 and all(len(part) <= 5 and is_clean_noun_phrase(part) for part in parts)
