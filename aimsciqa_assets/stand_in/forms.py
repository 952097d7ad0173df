"""The forms of questions, by which the patterns of statements ask and composition reads what was asked.

The table stands in `forms.toml`. To the reader, all that follows an auxiliary is one part, so that
`{inverted}` and `{predicate}` of the patterns may be followed by further slots.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.inversion import (
    DETERMINERS,
    PREPOSITIONS,
    bare,
    is_stranded,
    predicate_start,
    told,
    verb_position,
)
from aimsciqa_assets.stand_in.matching import Words, filled, pattern, text_of, words_of
from aimsciqa_assets.stand_in.morphology import is_adverb, is_participle

# What a question asks for: a value, the effect of one thing on another, a change, what goes with what, a
# difference, how something was done or works, a reason, yes or no, which things, what a thing is, or any
# other statement.
Kind = Literal[
    "value", "effect", "change", "association", "difference", "manner", "reason", "whether", "thing",
    "definition", "statement",
]  # fmt: skip
Slots = dict[str, Words]


@dataclass(frozen=True, slots=True)
class Form:
    """One row of the table: `asked` is a pattern of `matching`, `named` a template over its slots and the
    parts of `_part`. Without `kind`, the noun that is asked for tells it.
    """

    asked: str
    kind: Kind | None = None
    named: str = ""
    where: tuple[Callable[[Slots], bool], ...] = ()


_MARK: Final[str] = lex.FORMS["shapes"]["marked"]
_VALUES: Final = lex.words("value_nouns")
_KINDS: Final[dict[str, Kind]] = {
    noun: kind for kind in get_args(Kind) for noun in lex.table("kinds").get(kind, ())
}
_NOUNS_OF_VERBS: Final = lex.table("nouns_of_verbs")
_PERSONS: Final = lex.words("persons")
_VALUE_ADJECTIVES: Final = lex.words("value_adjectives")
_FREQUENCIES: Final = lex.words("frequencies")
_DESCRIBING: Final = lex.words("describing")


def _is_complete(slots: Slots) -> bool:
    return not is_stranded(slots["after"])


def _is_inverted(slots: Slots) -> bool:
    """Whether a subject follows the auxiliary ("higher was the yield"), not a superlative ("the best")."""
    plain = [bare(token) for token in slots["after"][:2]]
    return len(plain) > 1 and plain[0] in DETERMINERS and not _describes(plain[1])


def _has_subject(slots: Slots) -> bool:
    after = slots["after"]
    begins = bare(after[0]) not in DETERMINERS and predicate_start(after) is not None
    return is_stranded(after) or begins


def _defines(slots: Slots) -> bool:
    """Whether what is asked for is described by nothing else: "the genus Setaria", not "the main pigment"."""
    plain = [bare(token) for token in slots["after"]]
    described = any(_describes(word) for word in plain)
    to_fill = described or (plain[0] in DETERMINERS and any(word in PREPOSITIONS for word in plain))
    return slots["aux"][0] in {"is", "are"} and not to_fill and _kind_of(" ".join(slots["after"])) == "thing"


def _describes(word: str) -> bool:
    return word in _DESCRIBING or (word.endswith("est") and len(word) > 4)


def _is_such(slots: Slots) -> bool:
    """For "how common was anaemia among girls": sets `statement`, the thing before its place."""
    adjective, after = slots["adjective"][0], slots["after"]
    if adjective in _FREQUENCIES:
        return False
    ends = PREPOSITIONS - {"of"} | lex.words("relatives")
    place = next((i for i, token in enumerate(after) if i and bare(token) in ends), len(after))
    slots["statement"] = (*after[:place], *slots["aux"], *after[place:])
    return True


_WHERE: Final = {
    "is_complete": _is_complete,
    "is_inverted": _is_inverted,
    "has_subject": _has_subject,
    "defines": _defines,
    "is_such": _is_such,
}
FORMS: Final = tuple(
    Form(**{**row, "where": tuple(_WHERE[name] for name in row.get("where", ()))})
    for row in lex.FORMS["forms"]
)


def read_form(tokens: Sequence[str]) -> tuple[Kind, str | None] | None:
    """What a question asks for, and its name; None where it has none of the forms."""
    marked = [*map(bare, tokens[:2]), *tokens[2:]]
    asks_how = marked[0] == "how" and marked[1] in lex.AUXILIARIES
    if asks_how and (at := verb_position(tokens[2:])) is not None:
        marked[at + 2] = _MARK + marked[at + 2]
    text = text_of(marked)
    for form in FORMS:
        found = pattern(form.asked).fullmatch(text)
        if found is not None:
            slots = {
                name: words_of((value or "").replace(_MARK, "")) for name, value in found.groupdict().items()
            }
            if all(holds(slots) for holds in form.where):
                return _kind(form, slots), _said(form.named, slots, tokens)
    return None


def _said(template: str, slots: Slots, tokens: Sequence[str]) -> str | None:
    """The template filled; None where it is empty or asks for a statement that is not clear."""
    if "{statement}" in template and "statement" not in slots:
        statement = told(slots["aux"][0], slots.get("after") or tokens[2:])
        if statement is None:
            return None
        slots["statement"] = tuple(statement.split())
    return " ".join(filled(template, slots, lambda name: _part(name, slots, tokens))) or None


def _part(name: str, slots: Slots, tokens: Sequence[str]) -> Words:
    """What a template may name beside the slots of its form."""
    if name == "of":
        return () if slots["noun"][0] == "of" else ("of",)
    if name == "number":
        return ("the", "number" if slots["many"] == ("many",) else "amount")
    if name == "noun_of_verb":
        return _NOUNS_OF_VERBS[slots["verb"][0]]
    after = slots["after"]
    if name == "article":
        return () if bare(after[0]) in DETERMINERS or len(after) == 1 else ("the",)
    # The rest of a question about a noun as a relative clause, shortened where English does.
    opening = next((word for word in map(bare, after) if not is_adverb(word)), "")
    if slots["aux"][0] in lex.BE and is_participle(opening):
        return after
    return ("who" if slots["noun"][-1].lower() in _PERSONS else "that", *slots["aux"], *after)


def _kind(form: Form, slots: Slots) -> Kind:
    if form.kind:
        return form.kind
    if "adjective" in slots:
        return "value" if slots["adjective"][0] in _VALUE_ADJECTIVES else "manner"
    if "noun" in slots:
        return "value" if _is_value(" ".join(slots["noun"]).split(" of ")[0]) else "thing"
    return _kind_of(" ".join(slots["after"]))


def _kind_of(phrase: str) -> Kind:
    head = re.split(r" (?:of|in|on|for|between|among|from|that|at) ", phrase, maxsplit=1)[0]
    noun = bare(head.split()[-1])
    kind = _KINDS.get(noun) or _KINDS.get(noun.removesuffix("s"))
    return kind or ("value" if _is_value(head) else "thing")


def _is_value(phrase: str) -> bool:
    return any(noun in _VALUES or noun.removesuffix("s") in _VALUES for noun in map(bare, phrase.split()))
