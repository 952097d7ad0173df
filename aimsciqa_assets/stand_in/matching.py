"""The matcher of the pattern tables: word classes in regular expressions, and templates filled with what was
found.

Words are matched as a text in which each is followed by one blank. In a pattern `{prepositions}` stands for
one word of that list of `words.toml` with its blank, `{effect_verbs.participle}` for such a form of one, and
a name of `_SHAPES` for that shape.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in import morphology

Words = tuple[str, ...]

# Parentheses are one word each; their blanks are hidden while words are matched.
_HIDDEN: Final = "\x02"
_CLASS: Final = re.compile(r"\{([a-z_]+)(?:\.(participle))?\}")
_SLOT: Final = re.compile(r"\{(\w+)\}")
_COMPUTED: Final = {
    "known_verbs": lex.BASE_FORMS,
    "third_forms": frozenset(morphology.THIRD_FORMS),
    "past_forms": frozenset(morphology.PAST_FORMS),
    "auxiliaries": lex.AUXILIARIES,
    "auxiliaries_but_do": lex.AUXILIARIES - lex.DO,
}
_SHAPES: Final[dict[str, str]] = {
    "word": r"\S+ ",
    "words": r"(?:\S+ )*?",
    "rest": r"(?:\S+ )*",
    "some": r"(?:\S+ )+",
    "no_and": r"(?:(?!and )\S+ )*",
    "number": (
        r"(?:[<>≤≥~≈±×+−–-]?[$€£]?\d[\d.,]*(?:[–—−-]\d[\d.,]*|/\d+|×10\^?[−–-]?\d*|\^\d+|e-?\d+)?"
        r"(?:%|°C|ºC|‰|[a-zA-Zµμ]{1,3}|-fold|th)? |(?i:{number_words}))"
    ),
    "unit": (
        r"(?:{units}|[a-zA-Zµμ°%]{1,5}(?:\^?[−–-]?\d|⁻¹) |[a-zA-Zµμ%]{1,6}/[a-zA-Zµμ\d]{1,6}"
        r"(?:/[a-zA-Z\d]+)? "
        r"|(?:g-1|FW|DW|dw|fw|dry|fresh|d\.w\.) )"
    ),
    "quantity": (
        r"(?>(?:(?i:{approximate}))*(?:{joiners}(?={number}))?{number}"
        r"(?:{number}|{unit}|\(\S* |per \S+ |{joiners}(?={number}))*)"
    ),
    "percentage": r"(?=(?:\S+ ){0,5}?\S*(?:%|percent) ){quantity}",
    # A whole number without a unit.
    "count": (
        r"(?:(?i:{approximate}))*(?:\d[\d,]* |(?i:{number_words}))(?:\(\S* )*(?!{number}|{unit}|{joiners}"
        r"|per )"
    ),
    "numberless": r"(?:(?!{number})\S+ )*",
    "plainly": r"(?:(?!{number}|and )\S+ )*",
    "year": r"(?:1[89]|20)\d\d(?:[–-](?:\d\d)?\d\d)? ",
    "date": r"(?:(?:{months}|{date_words})*{year})+",
    "participle": r"(?:\S*-)?(?:{irregular.participle}|(?!{not_participles})\S{2,}ed )",
    "opens": r"(?:{question_prepositions}|{after_participle})",
    "before_auxiliary": r"(?:{relatives}{word}|(?!{auxiliaries}|{relatives}){word})",
    "adverb": r"(?:{adverbs}|(?!{not_adverbs}|\S*?{nouns_in_ly})[a-z-]{3,}ly )",
    "aim": r"(?:(?!lower |release |content |process )(?:{aim_verbs}|{known_verbs})|[a-z]+(?:ize|ise|ify) )",
    # A place or time before what is asked for: "in grain", "out".
    "place": r"(?:(?:(?!by |using |via ){prepositions}|out )(?:(?!and |or |by |using |via "
    r"|{participle})\S+ ){0,7}?)?",
}


@cache
def pattern(template: str) -> re.Pattern[str]:
    """The compiled pattern of a template."""
    return re.compile(_expanded(template))


@cache
def _expanded(template: str) -> str:
    return _CLASS.sub(lambda found: _class(found[1], found[2] or ""), template)


def _class(name: str, form: str) -> str:
    if name in _SHAPES:
        return _expanded(_SHAPES[name])
    words: Iterable[str]
    if name in _COMPUTED:
        words = _COMPUTED[name]
    elif name in {"irregular", "comparatives", "degree_nouns"}:
        words = lex.table(name)
    else:
        words = lex.words(name)
    if form:
        words = map(morphology.participle, words)
    return f"(?:{'|'.join(map(re.escape, sorted(words, reverse=True)))}) "


def text_of(words: Iterable[str]) -> str:
    """The words as the text that patterns match."""
    return _text(tuple(words))


@lru_cache(maxsize=4096)
def _text(words: Words) -> str:
    return "".join([word.replace(" ", _HIDDEN) + " " for word in words])


def words_of(text: str) -> Words:
    """The words of a matched text."""
    return tuple(word.replace(_HIDDEN, " ") for word in text.split())


def fits(template: str, words: Iterable[str]) -> bool:
    """Whether all words fit the pattern."""
    return pattern(template).fullmatch(text_of(words)) is not None


def matched(template: str, words: Iterable[str]) -> dict[str, Words] | None:
    """The slots of a pattern that all words fit; None where they do not."""
    found = pattern(template).fullmatch(text_of(words))
    return found and {name: words_of(text or "") for name, text in found.groupdict().items()}


def filled(template: str, slots: Mapping[str, Words], more: Callable[[str], Words]) -> Words:
    """The words of a template, with its slots filled from `slots`, or else by `more`."""
    words: list[str] = []
    for part in template.split():
        slot = _SLOT.fullmatch(part)
        if slot is None:
            words.append(part)
        else:
            words += slots[slot[1]] if slot[1] in slots else more(slot[1])
    return tuple(words)
