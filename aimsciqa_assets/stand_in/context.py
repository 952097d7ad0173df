"""What a question needs so that it stands alone: names kept as names, a topic from the title, specificity."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in import morphology
from aimsciqa_assets.stand_in.matching import Words, fits
from aimsciqa_assets.stand_in.quantities import is_number

_WORD: Final = re.compile(r"[A-Za-z][\w’'-]*")
# What stands before a word within a sentence.
_INSIDE: Final = re.compile(r"[^.:;?!] \Z", re.DOTALL)
_LATIN_EPITHET: Final = re.compile(r"^[a-z]{3,}(?:us|a|um|is|i|ae|ens|or|ii|es)$")
_NAME_ENDING: Final = re.compile(r"(?:ese|ian|opsis|ella)$")
_GENUS_ENDING: Final = re.compile(r"(?:a|o|[^o]us|um|is|es|ex|ix|on|ys)$")
_COMMON_ENDINGS: Final = tuple(lex.words("common_endings"))
_GENERIC: Final = lex.words("generic")
_PLACES: Final = lex.words("places")
_EVENT_NOUNS: Final = lex.words("event_nouns")
_BRACKETS: Final = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])")
# A noun phrase without a verb.
_TOPIC: Final = (
    r"(?!{prepositions}|\S+ing |(?!{noun_like}){known_verbs})"
    r"(?:(?!{auxiliaries}|{subordinators}|{pronouns}|(?!{noun_like}){third_forms}"
    r"|(?:reveal|identify|towards|to) )[^\s(\[]+ )+"
)
_GENERIC_OR_VERB: Final = (
    _GENERIC
    | lex.PREPOSITIONS
    | lex.BASE_FORMS
    | morphology.PAST_FORMS.keys()
    | morphology.THIRD_FORMS.keys()
    | lex.CONJUNCTIONS
)


@dataclass(frozen=True, slots=True)
class Names:
    """Which capitalised words are names, learnt from how the paragraph and the title write them."""

    lower_case: frozenset[str]
    inside_sentence: frozenset[str]

    @classmethod
    def of(cls, *texts: str) -> "Names":
        """Counts a word as common where it also occurs in lower case, as a name where it is capitalised
        in the middle of a sentence.
        """
        lower_case, inside = set(), set()
        for text in texts:
            letters = [word for word in text.split() if len(word) > 3 and word.isalpha()]
            title_case = sum(word[0].isupper() for word in letters) > 0.5 * len(letters)
            for match in _WORD.finditer(text):
                word = match[0]
                if word[0].islower():
                    lower_case.add(word)
                elif not title_case and _INSIDE.match(text, max(match.start() - 2, 0), match.start()):
                    inside.add(word)
        return cls(frozenset(lower_case), frozenset(inside))

    def lower_first(self, phrase: Words) -> Words:
        """The phrase as it stands inside a sentence: its first word lower-case unless it is a name."""
        first = phrase[0]
        if first == "A" and len(phrase) > 1:
            return ("a", *phrase[1:])
        if not first[:1].isupper() or not first[1:].islower() or first.endswith(".") or self._is_name(phrase):
            return phrase
        return (first.lower(), *phrase[1:])

    def lower_all(self, phrase: Words) -> Words:
        """A phrase in title case as it stands inside a sentence: every word lower-case unless a name."""
        lowered = []
        for i, word in enumerate(phrase):
            following = phrase[i + 1 : i + 2] if phrase[i + 1 : i + 2] and phrase[i + 1].islower() else ()
            lowered.append(self.lower_first((word, *following))[0])
        return tuple(lowered)

    def _is_name(self, phrase: Words) -> bool:
        first = phrase[0].rstrip(",")
        if len(first) == 2 and first.lower() not in lex.PREPOSITIONS | lex.DETERMINERS:
            return True
        if phrase[1:2] in {("virus",), ("viruses",)} and first.lower() not in self.lower_case:
            return True
        first = first.split("-")[0]
        if first.lower() in _PLACES:
            return True
        if first.lower() in _GENERIC_OR_VERB or first.lower() in lex.DETERMINERS | lex.NUMBER_WORDS:
            return False
        if first.endswith(_COMMON_ENDINGS):
            return False
        second = phrase[1] if len(phrase) > 1 else ""
        if _LATIN_EPITHET.match(second) and _GENUS_ENDING.search(first) and second not in _GENERIC:
            return True
        if second[:1].isupper() and second[1:].islower() and first.lower() not in self.lower_case:
            return True
        if first.lower() in self.lower_case:
            return False
        return first in self.inside_sentence or bool(_NAME_ENDING.search(first))


def only_abbreviations(phrase: Iterable[str]) -> bool:
    """Whether all that is specific are abbreviations and codes such as "NA" or "BC"."""
    specific = [word for word in phrase if specificity([word])]
    return all(sum(map(str.isupper, word)) >= 2 for word in specific)


def specificity(phrase: Iterable[str]) -> int:
    """How much the words say about a subject matter: one for each that is not generic, two for a name."""
    weights = {}
    for word in phrase:
        bare = word.strip("'’.,?()").removesuffix("’s").removesuffix("'s")
        lowered = bare.lower()
        if not bare or lowered in _GENERIC_OR_VERB or lowered.endswith("ly") or is_number(bare):
            continue
        coded = len(bare) > 1 and any(one.isupper() or one.isdigit() for one in bare)
        weights[lowered] = 2 if coded else 1
    return sum(weights.values())


def topic(title: str, keywords: str, names: Names) -> str | None:
    """A short clean noun phrase for what a paper studies, or None.

    Author keywords that stand in the title come first, longest first; else the title before its colon where
    it is short and has no verb.
    """
    title = _BRACKETS.sub("", title).strip()
    lowered_title = title.lower()
    found = [_BRACKETS.sub("", word).strip() for word in keywords.split(";")]
    found = [word for word in found if word.lower() in lowered_title and _is_topical(word)]
    chosen: list[str] = []
    for word in sorted(found, key=lambda word: (-len(word.split()), found.index(word))):
        if not any(word.lower() in other.lower() or other.lower() in word.lower() for other in chosen):
            chosen.append(word)
    chosen = sorted(chosen[:2], key=lambda word: lowered_title.index(word.lower()))
    if chosen:
        return " and ".join(" ".join(names.lower_all(tuple(word.split()))) for word in chosen)
    return _title_phrase(title, names)


def _is_topical(keyword: str) -> bool:
    """Several words, or one that is a specific noun."""
    if not 4 < len(keyword) <= 45 or "," in keyword:
        return False
    single = " " not in keyword
    adjective = keyword.lower().endswith(("ous", "al", "ic", "ive", "ing", "ed"))
    return specificity(keyword.split()) > 0 and not (single and adjective)


def _title_phrase(title: str, names: Names) -> str | None:
    phrase = tuple(re.split(r"[:?!–—]| - ", title)[0].strip(' .“”"').split())
    if not 2 <= len(phrase) <= 11 or not fits(_TOPIC, map(str.lower, phrase)):
        return None
    event = phrase[0].lower() in _EVENT_NOUNS
    if not event and len(phrase) > 5 and not {"of", "for", "in", "on", "and"}.intersection(phrase[:5]):
        return None
    return ("the " if event else "") + " ".join(names.lower_all(phrase))
