"""The matcher of the pattern tables: word classes in regular expressions, and templates filled with what was
found.

Words are matched as a text in which each is followed by one blank. In a pattern `{prepositions}` stands for
one word of that list of `words.toml` with its blank, `{effect_verbs.participle}` for such a form of one, and
the name of a shape for what stands under `[shapes]` in `patterns.toml` and `forms.toml`.
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
_SHAPES: Final[dict[str, str]] = lex.PATTERNS["shapes"] | lex.FORMS["shapes"]
_INDENT: Final = re.compile(r"(?:^|\n) *")


@cache
def pattern(template: str) -> re.Pattern[str]:
    """The compiled pattern of a template."""
    return re.compile(_expanded(template))


@cache
def _expanded(template: str) -> str:
    return _CLASS.sub(lambda found: _class(found[1], found[2] or ""), _INDENT.sub("", template))


def _class(name: str, form: str) -> str:
    if name in _SHAPES:
        return _expanded(_SHAPES[name])
    words: Iterable[str] = _COMPUTED.get(name) or lex.words(name)
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
