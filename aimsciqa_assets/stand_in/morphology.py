"""The English morphology of the rules: the forms of verbs, and what counts as a participle or an adverb."""

import re
from functools import cache, lru_cache
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex

_IRREGULAR: Final = lex.table("irregular")
_OF_AUXILIARIES: Final = {"be": ("was", "been", "is"), "have": ("had", "had", "has")}
_DOUBLED: Final = lex.words("doubled")
# One syllable that ends in a single vowel and a single consonant: "drop", "map", not "show" or "need".
_SHORT: Final = re.compile(r"[^aeiou]*(?:qu)?[aeiou][^aeiouwxy]")
_CONSONANT_Y: Final = re.compile(r"[^aeiou]y$")
_HISSING: Final = re.compile(r"(?:s|x|z|ch|sh|o)$")
_PASTS: Final = frozenset(forms[0] for forms in _IRREGULAR.values())
_PARTICIPLES: Final = frozenset(forms[1] for forms in _IRREGULAR.values())
_NOT_PARTICIPLES: Final = lex.words("not_participles")
_ADVERBS: Final = lex.words("adverbs")
_NOT_ADVERBS: Final = lex.words("not_adverbs")
_NOUNS_IN_LY: Final = tuple(sorted(lex.words("nouns_in_ly")))
_NOUNS_TOO: Final = lex.words("nouns_too")


def past(lemma: str) -> str:
    """The simple past of a base form."""
    return forms(lemma)[0]


def participle(lemma: str) -> str:
    """The past participle of a base form."""
    return forms(lemma)[1]


def third_person(lemma: str) -> str:
    """The third person singular of a base form."""
    return forms(lemma)[2]


@cache
def forms(lemma: str) -> tuple[str, str, str]:
    """Simple past, past participle and third person singular of a base form."""
    if lemma in _OF_AUXILIARIES:
        return _OF_AUXILIARIES[lemma]
    third = lemma[:-1] + "ies" if _CONSONANT_Y.search(lemma) else lemma + "s"
    simple, perfect = _IRREGULAR.get(lemma) or 2 * (_regular(lemma),)
    return simple, perfect, lemma + "es" if _HISSING.search(lemma) else third


def without_do(auxiliary: str, lemma: str) -> str:
    """The form that says the same as `auxiliary` (did, do, does) and the base form: "did rise" is "rose"."""
    if auxiliary == "did":
        return past(lemma)
    return third_person(lemma) if auxiliary == "does" else lemma


def _regular(lemma: str) -> str:
    if lemma.endswith("e"):
        return lemma + "d"
    if _CONSONANT_Y.search(lemma):
        return lemma[:-1] + "ied"
    return lemma + (lemma[-1] if lemma in _DOUBLED or _SHORT.fullmatch(lemma) else "") + "ed"


PAST_FORMS: Final = {past(lemma): lemma for lemma in sorted(lex.BASE_FORMS)}
THIRD_FORMS: Final = {third_person(lemma): lemma for lemma in sorted(lex.BASE_FORMS)}
# What a finite form of a lexical verb says: its lemma, and the "do" that asks for it.
FINITE: Final = {
    **{lemma: (lemma, "do") for lemma in lex.BASE_FORMS},
    **{form: (lemma, "does") for form, lemma in THIRD_FORMS.items()},
    **{form: (lemma, "did") for form, lemma in PAST_FORMS.items()},
}


@lru_cache(maxsize=1 << 16)
def is_participle(word: str) -> bool:
    """A past participle, regular by its ending or irregular by table ("measured", "co-grown")."""
    lowered = word.lower()
    last = lowered.rsplit("-", 1)[-1]
    if last in _PARTICIPLES:
        return True
    return last.endswith("ed") and len(last) > 3 and not {last, lowered} & _NOT_PARTICIPLES


def is_past(word: str) -> bool:
    """Whether the word looks like a past tense ("rose", "measured")."""
    return word in _PASTS or is_participle(word)


@lru_cache(maxsize=1 << 16)
def is_adverb(word: str) -> bool:
    """Adverbs by list, or by ending: "only" and "family" are none."""
    if word in _ADVERBS:
        return True
    ends = word.endswith("ly") and word.islower() and len(word) > 4
    return ends and word not in _NOT_ADVERBS and not word.endswith(_NOUNS_IN_LY)


def is_verb(word: str) -> bool:
    """Whether the word is the base form of a verb that a question may have."""
    return word in lex.QUESTION_VERBS


def is_rather_noun(word: str) -> bool:
    """Whether the base form is as often a noun."""
    return word in _NOUNS_TOO
