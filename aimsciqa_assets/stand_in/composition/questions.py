"""Reading a question, and saying the same inside another sentence.

"How did grain iron change after drought?" is asked (`direct`) as "how did grain iron change after drought",
told (`clause`) as "how grain iron changed after drought" and named (`phrase`) as "the change in grain iron
after drought". Where the parts of a question cannot be told apart for sure, a form is None rather than wrong.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.composition.inversion import (
    DETERMINERS,
    OPENS_AFTER_PARTICIPLE,
    PREPOSITIONS,
    RELATIVES,
    SUBORDINATORS,
    auxiliary_position,
    bare,
    is_predicate,
    is_stranded,
    predicate_start,
    skip_adverbs,
    told,
    verb_position,
)
from aimsciqa_assets.stand_in.composition.words import with_common_nouns, with_names
from aimsciqa_assets.stand_in.morphology import (
    is_participle,
)

# What a question asks for: a value, the effect of one thing on another, a change, a difference, how something
# was done or works, a reason, yes or no, which things, what a thing is, or any other statement.
Kind = Literal[
    "value", "effect", "change", "difference", "manner", "reason", "whether", "thing", "definition",
    "statement",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """The forms of a question: none opens with a capital of its own or ends with a question mark.

    `about` is what a lead names as the subject of the study ("In the study of Zika virus, ..."), else empty;
    it is not part of the forms.
    """

    direct: str
    kind: Kind
    clause: str | None = None
    phrase: str | None = None
    about: str = ""


_WH: Final = frozenset({"what", "which", "how", "who", "whom", "whose", "when", "where", "why"})
_VALUE_HEADS: Final = re.compile(
    r"\b(?<!-)(?:mean|average|median|number|percentages?|proportions?|fraction|prevalence|incidence|rates?|ratios?"
    r"|concentrations?|contents?|yields?|sizes?|lengths?|heights?|weights?|ages?|durations?|temperatures?"
    r"|frequency|frequencies|amounts?|levels?|ranges?|values?|scores?|sensitivity|specificity|accuracy|coverage"
    r"|heritability|coefficients?|odds|risks?|doses?|intakes?|densit(?:y|ies)|volumes?|costs?|counts?|estimates?"
    r"|share|degree|efficiency|mortality|p-value|probability|time|depth|distance|width|thickness)\b",
    re.IGNORECASE,
)
_VALUE_ADJECTIVES: Final = frozenset(
    "many much long old large high low tall common prevalent frequent frequently often fast heavy far deep "
    "big wide strong strongly".split()
)
_FREQUENCIES: Final = frozenset({"often", "frequently", "far", "well", "strongly", "fast", "quickly", "soon"})
_DESCRIBING: Final = frozenset(
    "main major most least primary principal key first second third best only chief next".split()
)
_CHANGES: Final = {
    "change": "change",
    "vary": "variation",
    "increase": "increase",
    "decrease": "decrease",
    "decline": "decline",
}
_RELATIONS: Final[dict[tuple[str, str], tuple[Kind, str]]] = {
    ("respond", "to"): ("change", "response"),
    ("contribute", "to"): ("effect", "contribution"),
    ("correlate", "with"): ("effect", "correlation"),
}
_AFFECTING: Final = frozenset({"affect", "influence", "impact", "alter"})
_KINDS: Final[dict[Kind, str]] = {
    "effect": "effects?|impacts?|influences?|roles?|contributions?|benefits?|associations?|relationships?"
    "|correlations?",
    "change": "changes?|increases?|decreases?|reductions?|trends?|variations?|responses?",
    "difference": "differences?",
    "manner": "methods?|approach(?:es)?|procedures?|techniques?|ways?|protocols?|mechanisms?",
    "reason": "reasons?|causes?",
}
_PERSONS: Final = re.compile(
    r"\b(?:people|persons?|participants?|patients?|women|men|children|adults?|adolescents?|respondents?|infants?"
    r"|individuals?|students?|mothers?|workers?|households?|physicians?|nurses?|girls|boys|subjects?|volunteers?)$",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"(?P<lead>[^?]{2,160}?), (?P<core>(?:(?:in|at|by|to|for|on|from|with|of|under) )?"
    r"(?:what|which|how|who|whom|whose|when|where|why|did|does|do|was|were|is|are|can|could|has|have)\b.+)",
    re.IGNORECASE | re.DOTALL,
)
_SUBJECT_LEAD: Final = re.compile(
    r"in (?:the|this|a) (?:study|paper|work|trial|review) (?:of|on|about) (?P<about>[^,]+)"
    r"(?:, (?:19|20)\d\d)?"
    r"(?:, (?P<rest>.+))?",
    re.IGNORECASE,
)
_POINTING_LEAD: Final = re.compile(
    r"(?:according to|based on|in|from) (?:the|this) (?:\w+ )?(?:authors?|study|paper|article|text|passage"
    r"|paragraph|research|review|work|trial)(?: \d+)?|(?:as )?(?:described|reported|stated|mentioned)\b.*",
    re.IGNORECASE,
)
_POINTING_TAIL: Final = re.compile(
    r",?(?: as)?(?: (?:reported|described|presented|mentioned|discussed|stated|observed|found|identified"
    r"|given|conducted|used))? (?:in|by|from|according to) (?:the|this|our)(?: (?:present|current|same))? "
    r"(?:authors?|study|paper|article|text|passage|paragraph|research|review|work|trial)$",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(r"\s*\(see [^()]*\)", re.IGNORECASE)
_POINTING: Final = re.compile(
    r"\b(?:this|the present|the current|our) (study|paper|article|work|review|trial)\b"
)

# "was then inserted": words that continue a text which is not there.
_CONTINUING: Final = re.compile(
    r"(?<= )(?:then|also|therefore|thus|hence|subsequently|finally|moreover|however) "
)


def read_question(text: str) -> Question | None:
    """Forms of the question; None where `text` is not one question in one sentence."""
    plain = " ".join(text.split())
    if plain.count("?") != 1 or not plain.endswith("?"):
        return None
    core, lead = _without_lead(_ASIDE.sub("", plain[:-1]).rstrip())
    core = _CONTINUING.sub("", _POINTING.sub(r"the \1", _POINTING_TAIL.sub("", core)))
    core = with_common_nouns(core)
    tokens = core.split()
    if len(tokens) < 3:
        return None
    tokens[0] = tokens[0].lower()
    read = _read(tokens)
    return read if read is None or not lead else _in_context(read, lead)


def _without_lead(sentence: str) -> tuple[str, str]:
    """Split "In rats, how did X change" into the question and "in rats"; drop a lead that only points."""
    split = _LEAD.fullmatch(sentence)
    if split is None:
        return sentence, ""
    first, _, rest = split["lead"].partition(" ")
    opening = first.lower()
    asks_already = opening in _WH and bare(rest.split(" ")[0]) in lex.AUXILIARIES
    if asks_already or opening in (_WH | lex.AUXILIARIES) - SUBORDINATORS:
        return sentence, ""
    if _POINTING_LEAD.fullmatch(split["lead"]):
        return split["core"], ""
    lead = f"{opening} {rest}" if opening in PREPOSITIONS | SUBORDINATORS | {"based"} else ""
    return (split["core"], lead) if lead else (sentence, "")


def _in_context(question: Question, lead: str) -> Question:
    """Forms with the lead at their end, where a reader needs it least."""
    if subject := _SUBJECT_LEAD.fullmatch(lead):
        within = _in_context(question, subject["rest"]) if subject["rest"] else question
        return replace(within, about=with_names(subject["about"]))
    if bare(question.direct.split()[-1]) in PREPOSITIONS:
        return Question(f"{lead}, {question.direct}", question.kind)
    clause, phrase = (form and f"{form} {lead}" for form in (question.clause, question.phrase))
    return Question(f"{question.direct} {lead}", question.kind, clause, phrase)


def _read(tokens: list[str]) -> Question | None:
    first, second = tokens[0], bare(tokens[1])
    if first in lex.AUXILIARIES:
        return _read_whether(tokens)
    if first in {"what", "which"}:
        return _read_what(tokens) if second in lex.AUXILIARIES else _read_which(tokens)
    if first == "how" and second in {"many", "much"}:
        return _read_how_many(tokens)
    if first == "how":
        return _read_how(tokens) if second in lex.AUXILIARIES else _read_how_adjective(tokens)
    if first in {"when", "where", "why"}:
        return _read_adverb(tokens)
    if first in {"who", "whose"}:
        return _read_who(tokens)
    if first in PREPOSITIONS and second in _WH:
        return _read_preposition(tokens)
    return None


def _read_whether(tokens: list[str]) -> Question:
    statement = told(tokens[0], tokens[1:])
    return Question(" ".join(tokens), "whether", statement and f"whether {statement}")


def _read_what(tokens: list[str]) -> Question:
    """Read "What was ...", "What did X show", "What has been ..."."""
    auxiliary, rest = bare(tokens[1]), tokens[2:]
    direct = " ".join(tokens)
    if auxiliary not in lex.BE:
        subject_asked = auxiliary in lex.MODALS | lex.HAVE and bare(rest[0]) in {"be", "been", "have"}
        statement = " ".join(tokens[1:]) if subject_asked else told(auxiliary, rest)
        return Question(direct, "statement", statement and f"what {statement}")
    opening = [bare(token) for token in skip_adverbs(rest)[:2]]
    if len(opening) == 2 and is_predicate(opening[0]) and opening[1] in OPENS_AFTER_PARTICIPLE:
        return Question(direct, "statement", direct)
    if is_stranded(rest) or (bare(rest[0]) not in DETERMINERS and predicate_start(rest) is not None):
        statement = told(auxiliary, rest)
        return Question(direct, "statement", statement and f"what {statement}")
    named = " ".join(rest)
    kind = _kind_of_phrase(named)
    if kind == "thing" and auxiliary in {"is", "are"} and not _asks_to_fill(rest):
        return Question(direct, "definition", f"what {named} {auxiliary}", f"the description of {named}")
    article = "" if bare(rest[0]) in DETERMINERS or len(rest) == 1 else "the "
    return Question(direct, kind, f"what {named} {auxiliary}" if len(rest) < 6 else None, f"{article}{named}")


def _read_which(tokens: list[str]) -> Question:
    """Read "Which genes were ...", "What percentage of X had ...", "What caused ..."."""
    direct = " ".join(tokens)
    at = auxiliary_position(tokens)
    if at is None:
        return Question(direct, "thing", direct)
    asked, auxiliary, rest = tokens[1:at], bare(tokens[at]), tokens[at + 1 :]
    head = " ".join(asked)
    kind: Kind = "value" if _VALUE_HEADS.search(head.split(" of ")[0]) else "thing"
    if head.startswith("of "):
        return Question(direct, kind, None if auxiliary in lex.DO or is_stranded(rest) else direct)
    if auxiliary not in lex.DO and not is_stranded(rest):
        if _is_inverted(rest):
            return Question(direct, kind)
        return Question(direct, kind, direct, f"the {head} {_relative(head, auxiliary, rest)}")
    statement = told(auxiliary, rest)
    if statement is None:
        return Question(direct, kind)
    clause = f"{tokens[0]} {head} {statement}"
    upon = re.fullmatch(r"(.+) (?:had|has|have) on (.+)", statement)
    if upon and re.search(r"\b(?:effects?|impacts?|influence)$", head):
        return Question(direct, "effect", clause, f"the {head} of {upon[1]} on {upon[2]}")
    return Question(direct, kind, clause, f"the {head} that {statement}")


def _read_how_many(tokens: list[str]) -> Question:
    direct = " ".join(tokens)
    at = auxiliary_position(tokens)
    if at is None:
        return Question(direct, "value", direct)
    asked, auxiliary, rest = " ".join(tokens[2:at]), bare(tokens[at]), tokens[at + 1 :]
    if not asked:
        return Question(direct, "value")
    number = "the number" if bare(tokens[1]) == "many" else "the amount"
    counted = f"{number} {asked}" if asked.startswith("of ") else f"{number} of {asked}"
    if auxiliary in lex.DO:
        statement = told(auxiliary, rest)
        if statement is None:
            return Question(direct, "value")
        return Question(direct, "value", f"how {tokens[1]} {asked} {statement}", f"{counted} {statement}")
    if rest and bare(rest[0]) == "there":
        clause = " ".join([*tokens[:at], "there", auxiliary, *rest[1:]])
        return Question(direct, "value", clause, " ".join([counted, *rest[1:]]))
    if _is_inverted(rest):
        return Question(direct, "value")
    return Question(direct, "value", direct, f"{counted} {_relative(asked, auxiliary, rest)}")


def _read_how(tokens: list[str]) -> Question:
    auxiliary, rest = bare(tokens[1]), tokens[2:]
    direct = " ".join(tokens)
    statement = told(auxiliary, rest)
    if statement is None:
        return Question(direct, "manner")
    if auxiliary in lex.MODALS and (at := verb_position(rest)) and bare(rest[at]) in _AFFECTING:
        effect = f"the effect that {' '.join(rest[:at])} {auxiliary} have on {' '.join(rest[at + 1 :])}"
        return Question(direct, "effect", f"how {statement}", effect)
    at = verb_position(rest) if auxiliary in lex.DO else None
    if at is None:
        return Question(direct, "manner", f"how {statement}", f"the way {statement}")
    verb = bare(rest[at])
    if named := _nominalised(" ".join(rest[:at]), verb, " ".join(rest[at + 1 :])):
        kind, phrase = named
        return Question(direct, kind, f"how {statement}", phrase)
    if verb in {"compare", "differ"}:
        return Question(direct, "difference", f"how {statement}")
    return Question(direct, "manner", f"how {statement}", f"the way {statement}")


def _read_how_adjective(tokens: list[str]) -> Question:
    """Read "How common was X in Y", "How long did X last"."""
    direct = " ".join(tokens)
    kind: Kind = "value" if bare(tokens[1]) in _VALUE_ADJECTIVES else "manner"
    at = auxiliary_position(tokens)
    if at is None or not tokens[at + 1 :]:
        return Question(direct, kind)
    asked, auxiliary, rest = " ".join(tokens[:at]), bare(tokens[at]), tokens[at + 1 :]
    described = auxiliary in lex.BE and at == 2 and bare(tokens[1]) not in _FREQUENCIES
    statement = None if described and bare(tokens[1]) != "long" else told(auxiliary, rest)
    if statement is None and described:
        ends = PREPOSITIONS - {"of"} | RELATIVES
        place = next((i for i, token in enumerate(rest) if i and bare(token) in ends), len(rest))
        statement = " ".join([*rest[:place], auxiliary, *rest[place:]])
    return Question(direct, kind, statement and f"{asked} {statement}")


def _read_adverb(tokens: list[str]) -> Question:
    kind: Kind = "reason" if tokens[0] == "why" else "thing"
    if bare(tokens[1]) not in lex.AUXILIARIES:
        return Question(" ".join(tokens), kind)
    statement = told(bare(tokens[1]), tokens[2:])
    phrase = statement and kind == "reason" and f"the reason why {statement}"
    return Question(" ".join(tokens), kind, statement and f"{tokens[0]} {statement}", phrase or None)


def _read_who(tokens: list[str]) -> Question:
    direct = " ".join(tokens)
    at = auxiliary_position(tokens)
    if at is None or (bare(tokens[at]) not in lex.DO and not is_stranded(tokens)):
        return Question(direct, "thing", direct)
    statement = told(bare(tokens[at]), tokens[at + 1 :])
    return Question(direct, "thing", statement and f"{' '.join(tokens[:at])} {statement}")


def _read_preposition(tokens: list[str]) -> Question:
    """Read "At which temperature were samples stored", "To what extent did X rise"."""
    direct = " ".join(tokens)
    at = auxiliary_position(tokens)
    if at is None or at < 2:
        return Question(direct, "thing")
    asked, statement = tokens[2:at], told(bare(tokens[at]), tokens[at + 1 :])
    if statement is None:
        return Question(direct, "thing")
    kind: Kind = "value" if _VALUE_HEADS.search(" ".join(asked)) else "thing"
    phrase = (
        f"the {' '.join(asked)} {tokens[0]} which {statement}"
        if asked and bare(tokens[1]) in {"which", "what"}
        else None
    )
    return Question(direct, kind, f"{' '.join(tokens[:at])} {statement}", phrase)


def _nominalised(subject: str, verb: str, rest: str) -> tuple[Kind, str] | None:
    """Name what a verb tells: "the change in X after Z" of X, change, "after Z", with its kind."""
    opening = rest.split(" ", 1)[0].lower()
    if verb in _AFFECTING and opening and opening not in PREPOSITIONS:
        return "effect", f"the effect of {subject} on {rest}"
    if verb in _CHANGES and (not rest or opening in PREPOSITIONS):
        return "change", f"the {_CHANGES[verb]} in {subject} {rest}".rstrip()
    if verb == "perform":
        return "change", f"the performance of {subject} {rest}".rstrip()
    if verb == "differ" and opening in {"between", "among", "across"}:
        return "difference", f"the difference in {subject} {rest}"
    if (verb, opening) in _RELATIONS:
        kind, noun = _RELATIONS[verb, opening]
        return kind, f"the {noun} of {subject} {rest}"
    return None


def _kind_of_phrase(phrase: str) -> Kind:
    head = re.split(r" (?:of|in|on|for|between|among|from|that|at) ", phrase, maxsplit=1)[0]
    for kind, nouns in _KINDS.items():
        if re.search(rf"\b(?:{nouns})$", head, re.IGNORECASE):
            return kind
    return "value" if _VALUE_HEADS.search(head) else "thing"


def _asks_to_fill(rest: Sequence[str]) -> bool:
    """Whether "the main pigment of X" asks for what it describes, unlike "the genus Setaria"."""
    plain = [bare(token) for token in rest]
    described = any(word in _DESCRIBING or (word.endswith("est") and len(word) > 4) for word in plain)
    return described or (plain[0] in DETERMINERS and any(word in PREPOSITIONS for word in plain))


def _is_inverted(rest: Sequence[str]) -> bool:
    """Whether a subject follows the auxiliary ("higher was the yield"), not a superlative ("the best")."""
    plain = [bare(token) for token in rest[:2]]
    return (
        len(plain) > 1
        and plain[0] in DETERMINERS
        and not (plain[1] in _DESCRIBING or plain[1].endswith("est"))
    )


def _relative(head: str, auxiliary: str, rest: Sequence[str]) -> str:
    """Rest of a question about `head` as a relative clause, shortened where English does."""
    opening = skip_adverbs(rest)
    if auxiliary in lex.BE and opening and is_participle(bare(opening[0])):
        return " ".join(rest)
    pronoun = "who" if _PERSONS.search(head) else "that"
    return " ".join([pronoun, auxiliary, *rest])
