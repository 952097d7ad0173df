"""The forms of questions, by which the patterns of statements ask and composition reads what was asked.

A form has the words of its questions, what is asked, how the same is told in another sentence ("how iron
changed after drought"), and how it is named ("the change in iron after drought"). `_SLOTS` says which words
a slot may have. To the reader, all that follows an auxiliary is one part, so that `{inverted}` and
`{predicate}` of the patterns may be followed by further slots.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
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

# What a question asks for: a value, the effect of one thing on another, a change, a difference, how something
# was done or works, a reason, yes or no, which things, what a thing is, or any other statement.
Kind = Literal[
    "value", "effect", "change", "difference", "manner", "reason", "whether", "thing", "definition",
    "statement",
]  # fmt: skip
Slots = dict[str, Words]


@dataclass(frozen=True, slots=True)
class Form:
    """One row of the table; without `kind`, the noun that is asked for tells it."""

    asked: str
    kind: Kind | None
    told: str = ""
    named: str = ""
    where: Callable[[Slots], bool] = lambda slots: True


_VERB: Final = "\x03"
_SLOTS: Final = {
    "inverted": r"(?P<aux>{auxiliaries})(?P<after>{word}{rest})",
    "without_do": r"(?P<aux>{auxiliaries_but_do})(?P<after>{word}{rest})",
    "be": r"(?P<aux>{be})",
    "do": r"(?P<aux>(?:do|does|did) )",
    "modal": r"(?P<aux>{modals})",
    "after": r"(?P<after>{word}{rest})",
    # Marks the verb that goes with the auxiliary of a question with "how".
    "verb": _VERB,
    "subject": r"(?P<subject>{word}{words})",
    "target": r"(?P<target>(?!{question_prepositions}){word}{rest})",
    "tail": r"(?P<tail>(?:{question_prepositions}{rest})?)",
    # Words before the auxiliary that is not a relative clause's.
    "noun": r"(?P<noun>{before_auxiliary}+?)",
    "wh": r"(?P<wh>(?:what|which) )",
    "preposition": r"(?P<preposition>{question_prepositions})",
}
_AFFECT: Final = "(?:affect|influence|impact|alter) "
_VALUES: Final = lex.words("value_nouns")
_KINDS: Final[dict[str, Kind]] = {
    noun: kind for kind in get_args(Kind) for noun in lex.table("kinds").get(kind, ())
}
# Verbs of questions with "how": what follows them, what is asked, and its name.
_VERBS: Final[tuple[tuple[str, str, Kind, str], ...]] = (
    ("change", "{tail}", "change", "change in"),
    ("vary", "{tail}", "change", "variation in"),
    ("increase", "{tail}", "change", "increase in"),
    ("decrease", "{tail}", "change", "decrease in"),
    ("decline", "{tail}", "change", "decline in"),
    ("perform", "(?P<tail>{rest})", "change", "performance of"),
    ("respond", "(?P<tail>to {rest})", "change", "response of"),
    ("contribute", "(?P<tail>to {rest})", "effect", "contribution of"),
    ("correlate", "(?P<tail>with {rest})", "effect", "correlation of"),
    ("differ", "(?P<tail>(?:between|among|across) {rest})", "difference", "difference in"),
)
_PERSONS: Final = lex.words("persons")
_VALUE_ADJECTIVES: Final = lex.words("value_adjectives")
_FREQUENCIES: Final = frozenset({"often", "frequently", "far", "well", "strongly", "fast", "quickly", "soon"})
_DESCRIBING: Final = lex.words("describing")


def _complete(slots: Slots) -> bool:
    return not is_stranded(slots["after"])


def _inverted(slots: Slots) -> bool:
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


def _is_short(slots: Slots) -> bool:
    return len(slots["after"]) < 6


def _is_such(slots: Slots) -> bool:
    """For "how common was anaemia among girls": sets `statement`, the thing before its place."""
    adjective, after = slots["adjective"][0], slots["after"]
    if adjective in _FREQUENCIES | {"long"}:
        return False
    ends = PREPOSITIONS - {"of"} | lex.words("relatives")
    place = next((i for i, token in enumerate(after) if i and bare(token) in ends), len(after))
    slots["statement"] = (*after[:place], *slots["aux"], *after[place:])
    return True


FORMS: Final = (
    Form("{inverted}", "whether", "whether {statement}"),
    Form("what {modal}(?:be|been|have) {rest}", "statement", "{direct}"),
    Form("what (?P<aux>{have})(?:be|been|have) {rest}", "statement", "{direct}"),
    Form(r"what {be}{adverb}*(?:{participle}|{predicates}){opens}{rest}", "statement", "{direct}"),
    Form("what {be}{after}", "statement", "what {statement}", where=_has_subject),
    Form("what {be}{after}", "definition", "what {after} {aux}", "the description of {after}", _defines),
    Form("what {be}{after}", None, "what {after} {aux}", "{article} {after}", _is_short),
    Form("what {be}{after}", None, "", "{article} {after}"),
    Form("what {inverted}", "statement", "what {statement}"),
    Form("{wh}of {noun}{without_do}", None, "{direct}", where=_complete),
    Form("{wh}of (?P<noun>{rest})", None),
    Form("{wh}{noun}{without_do}", None, where=lambda slots: _complete(slots) and _inverted(slots)),
    Form(
        "{wh}{noun}{without_do}", None, "{direct}", "the {noun} {relative}",
        _complete,
    ),
    Form(
        "{wh}(?P<noun>{before_auxiliary}*?(?:effects?|impacts?|influence) )(?P<aux>{auxiliaries})"
        "(?P<after>{subject}have on {target})",
        "effect", "{wh} {noun} {statement}", "the {noun} of {subject} on {target}",
    ),
    Form("{wh}{noun}{inverted}", None, "{wh} {noun} {statement}", "the {noun} that {statement}"),
    Form("{wh}{rest}", "thing", "{direct}"),
    *(
        form
        for many, number in (("many", "the number"), ("much", "the amount"))
        for form in (
            Form(f"how {many} {{noun}}{{do}}{{after}}", "value", f"how {many} {{noun}} {{statement}}",
                 f"{number} {{of}} {{noun}} {{statement}}"),
            Form(f"how {many} {{noun}}{{be}}there {{after}}", "value",
                 f"how {many} {{noun}} there {{aux}} {{after}}", f"{number} {{of}} {{noun}} {{after}}"),
            Form(f"how {many} {{noun}}{{without_do}}", "value", where=_inverted),
            Form(f"how {many} {{noun}}{{without_do}}", "value", "{direct}",
                f"{number} {{of}} {{noun}} {{relative}}"),
            Form(f"how {many} {{inverted}}", "value"),
            Form(f"how {many} {{rest}}", "value", "{direct}"),
        )
    ),
    Form(f"how {{do}}{{subject}}{{verb}}{_AFFECT}{{target}}", "effect", "how {statement}",
        "the effect of {subject} on {target}"),
    Form(
        f"how {{modal}}{{subject}}{{verb}}{_AFFECT}{{target}}", "effect", "how {statement}",
        "the effect that {subject} {aux} have on {target}",
    ),
    *(
        Form(f"how {{do}}{{subject}}{{verb}}{verb} {tail}", kind, "how {statement}",
            f"the {noun} {{subject}} {{tail}}")
        for verb, tail, kind, noun in _VERBS
    ),
    Form("how {do}{subject}{verb}(?:compare|differ) {rest}", "difference", "how {statement}"),
    Form("how {inverted}", "manner", "how {statement}", "the way {statement}"),
    Form("how (?P<adjective>{word}){be}{after}", None, "how {adjective} {statement}", where=_is_such),
    Form("how (?P<adjective>{word})(?P<noun>{before_auxiliary}*?){inverted}", None,
        "how {adjective} {noun} {statement}"),
    Form("how (?P<adjective>{word}){rest}", None),
    Form("why {inverted}", "reason", "why {statement}", "the reason why {statement}"),
    Form("why {rest}", "reason"),
    Form("(?P<wh>(?:when|where) ){inverted}", "thing", "{wh} {statement}"),
    Form("(?:when|where) {rest}", "thing"),
    Form("(?P<wh>(?:who|whose) ){before_auxiliary}*?{without_do}", "thing", "{direct}",
        where=_complete),
    Form("(?P<wh>(?:who|whose) )(?P<noun>{before_auxiliary}*?){inverted}", "thing",
        "{wh} {noun} {statement}"),
    Form("(?:who|whose) {rest}", "thing", "{direct}"),
    Form(
        "{preposition}{wh}{noun}{inverted}", None, "{preposition} {wh} {noun} {statement}",
        "the {noun} {preposition} which {statement}",
    ),
    Form(
        "{preposition}(?P<wh>{question_words})(?P<noun>{before_auxiliary}*?){inverted}", None,
        "{preposition} {wh} {noun} {statement}",
    ),
    Form("{preposition}{question_words}{rest}", "thing"),
)  # fmt: skip


def read_form(tokens: Sequence[str]) -> tuple[Kind, str | None, str | None] | None:
    """What a question asks for, told and named; None where it has none of the forms."""
    marked = [*map(bare, tokens[:2]), *tokens[2:]]
    asks_how = marked[0] == "how" and marked[1] in lex.AUXILIARIES
    if asks_how and (at := verb_position(tokens[2:])) is not None:
        marked[at + 2] = _VERB + marked[at + 2]
    text = text_of(marked)
    for form in FORMS:
        found = _reading(form.asked).fullmatch(text)
        if found is not None:
            slots = {
                name: words_of((value or "").replace(_VERB, "")) for name, value in found.groupdict().items()
            }
            if form.where(slots):
                told_as, named = (_said(template, slots, tokens) for template in (form.told, form.named))
                return _kind(form, slots), told_as, named
    return None


@cache
def _reading(asked: str) -> re.Pattern[str]:
    return pattern(re.sub(r"\{(\w+)\}", lambda found: _SLOTS.get(found[1], found[0]), asked))


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
    if name == "direct":
        return tuple(tokens)
    if name == "of":
        return () if slots["noun"][0] == "of" else ("of",)
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
