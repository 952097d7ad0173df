"""Reading a question, and saying the same inside another sentence.

"How did grain iron change after drought?" is asked (`direct`) as "how did grain iron change after drought", told
(`clause`) as "how grain iron changed after drought", named (`phrase`) as "the change in grain iron after drought".
Only word order, the verb lists of `verbs` and closed word classes are used; where these do not tell the parts of
a question apart for sure, a form is None rather than wrong.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from aimsciqa_resources.language_model.extractive.composition.verbs import (
    AUXILIARIES,
    DO,
    FINITE_BE,
    HAVE,
    MODALS,
    is_adverb,
    is_participle,
    is_rather_noun,
    is_verb,
    without_do,
)

# What a question asks for: a value, the effect of one thing on another, a change, a difference, how something
# was done or works, a reason, yes or no, which things, what a thing is, or any other statement.
Kind = Literal[
    "value", "effect", "change", "difference", "manner", "reason", "whether", "thing", "definition", "statement"
]


@dataclass(frozen=True, slots=True)
class Question:
    """The forms of a question: none opens with a capital of its own or ends with a question mark.

    `about` is what a lead names as the subject of the study ("In the study of Zika virus, ..."), else empty; it
    is not part of the forms.
    """

    direct: str
    kind: Kind
    clause: str | None = None
    phrase: str | None = None
    about: str = ""


_WH: Final = frozenset({"what", "which", "how", "who", "whom", "whose", "when", "where", "why"})
DETERMINERS: Final = frozenset(
    "a an the this that these those its their his her our each every both all some any no either".split()
)
PREPOSITIONS: Final = frozenset(
    """
    of in on at by for with within without from to into onto among amongst between during after before under over
    through across against per via about around toward towards upon since until following compared versus using
    beyond along despite
    """.split()
)
_RELATIVES: Final = frozenset({"that", "which", "who", "whom", "whose", "where", "when"})
_SUBORDINATORS: Final = _RELATIVES | {"after", "before", "while", "because", "if", "as", "although", "whereas"}
_JOINERS: Final = frozenset({"and", "or", "but", "nor", "to", "not"})
_PREDICATES: Final = frozenset(
    """
    able absent abundant active available aware better beneficial capable common comparable consistent critical
    crucial dependent different difficult due effective equal equivalent essential evident frequent greater higher
    identical important independent inversely larger less like likely longer lower necessary needed negative
    normal positive predictive present prevalent prone rare related resistant responsible sensitive significant
    similar smaller stable suitable superior susceptible unable unclear unlikely useful vulnerable worse
    """.split()
)
_OPENS_AFTER_PARTICIPLE: Final = PREPOSITIONS | {"and", "or", "as", "when", "while", "if", "that", "than", "twice", "once"}
_VALUE_HEADS: Final = re.compile(
    r"\b(?:mean|average|median|number|percentages?|proportions?|fraction|prevalence|incidence|rates?|ratios?"
    r"|concentrations?|contents?|yields?|sizes?|lengths?|heights?|weights?|ages?|durations?|temperatures?"
    r"|frequency|frequencies|amounts?|levels?|ranges?|values?|scores?|sensitivity|specificity|accuracy|coverage"
    r"|heritability|coefficients?|odds|risks?|doses?|intakes?|densit(?:y|ies)|volumes?|costs?|counts?|estimates?"
    r"|share|degree|efficiency|mortality|p-value|probability|time|depth|distance|width|thickness)\b",
    re.IGNORECASE,
)
_VALUE_ADJECTIVES: Final = frozenset(
    "many much long old large high low tall common prevalent frequent frequently often fast heavy far deep big "
    "wide strong strongly".split()
)
_FREQUENCIES: Final = frozenset({"often", "frequently", "far", "well", "strongly", "fast", "quickly", "soon"})
_DESCRIBING: Final = frozenset("main major most least primary principal key first second third best only chief next".split())
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
_SUBJECT_LEAD: Final = re.compile(r"in (?:the|this|a) (?:study|paper|work|trial|review) (?:of|on|about) (?P<about>.+)", re.IGNORECASE)
_POINTING_LEAD: Final = re.compile(
    r"(?:according to|based on|in|from) (?:the|this) (?:\w+ )?(?:authors?|study|paper|article|text|passage|paragraph"
    r"|research|review|work|trial)|(?:as )?(?:described|reported|stated|mentioned)\b.*",
    re.IGNORECASE,
)
_POINTING_TAIL: Final = re.compile(
    r",?(?: as)?(?: (?:reported|described|presented|mentioned|discussed|stated|observed|found|identified|given"
    r"|conducted|used))? (?:in|by|from|according to) (?:the|this|our)(?: (?:present|current|same))? "
    r"(?:authors?|study|paper|article|text|passage|paragraph|research|review|work|trial)$",
    re.IGNORECASE,
)
_POINTING: Final = re.compile(r"\b(?:this|the present|the current|our) (study|paper|article|work|review|trial)\b")


def read_question(text: str) -> Question | None:
    """Forms of the question; None where `text` is not one question in one sentence."""
    plain = " ".join(text.split())
    if plain.count("?") != 1 or not plain.endswith("?"):
        return None
    core, lead = _without_lead(plain[:-1].rstrip())
    core = _POINTING.sub(r"the \1", _POINTING_TAIL.sub("", core))
    tokens = core.split()
    if len(tokens) < 3:
        return None
    tokens[0] = tokens[0].lower()
    read = _read(tokens)
    return read if read is None or not lead else _in_context(read, lead)


def bare(token: str) -> str:
    """Token in lower case, without the punctuation around it."""
    return token.strip(",;:()[]\"“”").lower()


def _without_lead(sentence: str) -> tuple[str, str]:
    """("how did X change", "in rats") from "In rats, how did X change"; a lead that only points is dropped."""
    split = _LEAD.fullmatch(sentence)
    if split is None or split["lead"].split()[0].lower() in _WH | AUXILIARIES:
        return sentence, ""
    if _POINTING_LEAD.fullmatch(split["lead"]):
        return split["core"], ""
    first, _, rest = split["lead"].partition(" ")
    lead = f"{first.lower()} {rest}" if first.lower() in PREPOSITIONS | _SUBORDINATORS | {"based"} else ""
    return (split["core"], lead) if lead else (sentence, "")


def _in_context(question: Question, lead: str) -> Question:
    if subject := _SUBJECT_LEAD.fullmatch(lead):
        return replace(question, about=subject["about"])
    clause, phrase = (form and f"{form} {lead}" for form in (question.clause, question.phrase))
    return Question(f"{question.direct} {lead}", question.kind, clause, phrase)


def _read(tokens: list[str]) -> Question | None:
    first, second = tokens[0], bare(tokens[1])
    if first in AUXILIARIES:
        return _read_whether(tokens)
    if first in {"what", "which"}:
        return _read_what(tokens) if second in AUXILIARIES else _read_which(tokens)
    if first == "how" and second in {"many", "much"}:
        return _read_how_many(tokens)
    if first == "how":
        return _read_how(tokens) if second in AUXILIARIES else _read_how_adjective(tokens)
    if first in {"when", "where", "why"}:
        return _read_adverb(tokens)
    if first in {"who", "whose"}:
        return Question(" ".join(tokens), "thing", _unless_stranded(tokens))
    if first in PREPOSITIONS and second in _WH:
        return _read_preposition(tokens)
    return None


def _read_whether(tokens: list[str]) -> Question:
    told = _told(tokens[0], tokens[1:])
    return Question(" ".join(tokens), "whether", told and f"whether {told}")


def _read_what(tokens: list[str]) -> Question:
    """"What was ...", "What did X show", "What has been ..."."""
    auxiliary, rest = bare(tokens[1]), tokens[2:]
    direct = " ".join(tokens)
    if auxiliary not in FINITE_BE:
        subject_asked = auxiliary in MODALS | HAVE and bare(rest[0]) in {"be", "been", "have"}
        told = " ".join(tokens[1:]) if subject_asked else _told(auxiliary, rest)
        return Question(direct, "statement", told and f"what {told}")
    opening = _skip_adverbs(rest)
    if opening and (is_participle(bare(opening[0])) or bare(opening[0]) in _PREDICATES) and len(opening) > 1 and (
        bare(opening[1]) in _OPENS_AFTER_PARTICIPLE
    ):
        return Question(direct, "statement", direct)
    if _is_stranded(rest) or (bare(rest[0]) not in DETERMINERS and _predicate_start(rest) is not None):
        told = _told(auxiliary, rest)
        return Question(direct, "statement", told and f"what {told}")
    named = " ".join(rest)
    kind = _kind_of_phrase(named)
    if kind == "thing" and auxiliary in {"is", "are"} and not _asks_to_fill(rest):
        return Question(direct, "definition", f"what {named} {auxiliary}", f"the description of {named}")
    article = "" if bare(rest[0]) in DETERMINERS or len(rest) == 1 else "the "
    return Question(direct, kind, f"what {named} {auxiliary}" if len(rest) < 6 else None, f"{article}{named}")


def _read_which(tokens: list[str]) -> Question:
    """"Which genes were ...", "What percentage of X had ...", "What caused ..."."""
    direct = " ".join(tokens)
    at = _auxiliary_position(tokens)
    if at is None:
        return Question(direct, "thing", direct)
    asked, auxiliary, rest = tokens[1:at], bare(tokens[at]), tokens[at + 1 :]
    head = " ".join(asked)
    kind: Kind = "value" if _VALUE_HEADS.search(head.split(" of ")[0]) else "thing"
    if auxiliary in DO:
        told = _told(auxiliary, rest)
        if told is None:
            return Question(direct, kind)
        upon = re.fullmatch(r"(.+) (?:had|has|have) on (.+)", told)
        if upon and re.search(r"\b(?:effects?|impacts?|influence)$", head):
            return Question(direct, "effect", f"{tokens[0]} {head} {told}", f"the {head} of {upon[1]} on {upon[2]}")
        return Question(direct, kind, f"{tokens[0]} {head} {told}", f"the {head} that {told}")
    if _is_stranded(rest):
        told = _told(auxiliary, rest)
        return Question(direct, kind, told and f"{tokens[0]} {head} {told}", told and f"the {head} that {told}")
    return Question(direct, kind, direct, f"the {head} {_relative(head, auxiliary, rest)}")


def _read_how_many(tokens: list[str]) -> Question:
    direct = " ".join(tokens)
    at = _auxiliary_position(tokens)
    if at is None:
        return Question(direct, "value", direct)
    asked, auxiliary, rest = " ".join(tokens[2:at]), bare(tokens[at]), tokens[at + 1 :]
    noun = "the number of" if bare(tokens[1]) == "many" else "the amount of"
    if auxiliary in DO:
        told = _told(auxiliary, rest)
        return Question(direct, "value", told and f"how {tokens[1]} {asked} {told}", told and f"{noun} {asked} {told}")
    if not asked:
        return Question(direct, "value")
    if rest and bare(rest[0]) == "there":
        tail = " ".join(rest[1:])
        return Question(direct, "value", f"how {tokens[1]} {asked} there {auxiliary} {tail}".rstrip(),
                        f"{noun} {asked} {tail}".rstrip())
    return Question(direct, "value", direct, f"{noun} {asked} {_relative(asked, auxiliary, rest)}")


def _read_how(tokens: list[str]) -> Question:
    auxiliary, rest = bare(tokens[1]), tokens[2:]
    direct = " ".join(tokens)
    told = _told(auxiliary, rest)
    if told is None:
        return Question(direct, "manner")
    if auxiliary in DO:
        at = _verb_position(rest)
        assert at is not None
        named = _nominalised(" ".join(rest[:at]), bare(rest[at]), " ".join(rest[at + 1 :]))
        if named:
            kind, phrase = named
            return Question(direct, kind, f"how {told}", phrase)
        kind = "difference" if bare(rest[at]) in {"compare", "differ"} else "manner"
        return Question(direct, kind, f"how {told}", f"the way {told}" if kind == "manner" else None)
    return Question(direct, "manner", f"how {told}", f"the way {told}")


def _read_how_adjective(tokens: list[str]) -> Question:
    """"How common was X in Y", "How long did X last"."""
    direct = " ".join(tokens)
    kind: Kind = "value" if bare(tokens[1]) in _VALUE_ADJECTIVES else "manner"
    at = _auxiliary_position(tokens)
    if at is None or not tokens[at + 1 :]:
        return Question(direct, kind)
    asked, auxiliary, rest = " ".join(tokens[:at]), bare(tokens[at]), tokens[at + 1 :]
    described = auxiliary in FINITE_BE and at == 2 and bare(tokens[1]) not in _FREQUENCIES
    told = None if described and bare(tokens[1]) != "long" else _told(auxiliary, rest)
    if told is None and described:
        ends = PREPOSITIONS - {"of"} | _RELATIVES
        place = next((i for i, token in enumerate(rest) if i and bare(token) in ends), len(rest))
        told = " ".join([*rest[:place], auxiliary, *rest[place:]])
    return Question(direct, kind, told and f"{asked} {told}")


def _read_adverb(tokens: list[str]) -> Question:
    kind: Kind = "reason" if tokens[0] == "why" else "thing"
    if bare(tokens[1]) not in AUXILIARIES:
        return Question(" ".join(tokens), kind)
    told = _told(bare(tokens[1]), tokens[2:])
    phrase = told and kind == "reason" and f"the reason why {told}"
    return Question(" ".join(tokens), kind, told and f"{tokens[0]} {told}", phrase or None)


def _read_preposition(tokens: list[str]) -> Question:
    """"At which temperature were samples stored", "To what extent did X rise"."""
    direct = " ".join(tokens)
    at = _auxiliary_position(tokens)
    if at is None or at < 2:
        return Question(direct, "thing")
    asked, told = tokens[2:at], _told(bare(tokens[at]), tokens[at + 1 :])
    if told is None:
        return Question(direct, "thing")
    kind: Kind = "value" if _VALUE_HEADS.search(" ".join(asked)) else "thing"
    phrase = f"the {' '.join(asked)} {tokens[0]} which {told}" if asked and bare(tokens[1]) in {"which", "what"} else None
    return Question(direct, kind, f"{' '.join(tokens[:at])} {told}", phrase)


def _nominalised(subject: str, verb: str, rest: str) -> tuple[Kind, str] | None:
    """("change", "the change in X after Z") from X, change, "after Z"."""
    opening = rest.split(" ", 1)[0].lower()
    if verb in {"affect", "influence", "impact", "alter"} and opening and opening not in PREPOSITIONS:
        return "effect", f"the effect of {subject} on {rest}"
    if verb in {"change", "vary", "increase", "decrease", "decline"} and (not rest or opening in PREPOSITIONS):
        noun = "variation" if verb == "vary" else verb
        return "change", f"the {noun} in {subject} {rest}".rstrip()
    if verb == "differ" and opening in {"between", "among", "across"}:
        return "difference", f"the difference in {subject} {rest}"
    if verb == "respond" and opening == "to":
        return "change", f"the response of {subject} {rest}"
    if verb == "contribute" and opening == "to":
        return "effect", f"the contribution of {subject} {rest}"
    if verb == "correlate" and opening == "with":
        return "effect", f"the correlation of {subject} {rest}"
    if verb == "perform":
        return "change", f"the performance of {subject} {rest}".rstrip()
    return None


def _kind_of_phrase(phrase: str) -> Kind:
    head = re.split(r" (?:of|in|on|for|between|among|from|that|at) ", phrase, maxsplit=1)[0]
    for pattern, kind in (
        (r"effects?|impacts?|influences?|roles?|contributions?|benefits?|associations?|relationships?|correlations?", "effect"),
        (r"changes?|increases?|decreases?|reductions?|trends?|variations?|responses?", "change"),
        (r"differences?", "difference"),
        (r"methods?|approach(?:es)?|procedures?|techniques?|ways?|protocols?|mechanisms?", "manner"),
        (r"reasons?|causes?", "reason"),
    ):
        if re.search(rf"\b(?:{pattern})$", head, re.IGNORECASE):
            return kind  # type: ignore[return-value]
    return "value" if _VALUE_HEADS.search(head) else "thing"


def _asks_to_fill(rest: Sequence[str]) -> bool:
    """Whether "the main pigment of X" asks for what it describes, unlike "the genus Setaria"."""
    plain = [bare(token) for token in rest]
    described = any(word in _DESCRIBING or (word.endswith("est") and len(word) > 4) for word in plain)
    return described or (plain[0] in DETERMINERS and any(word in PREPOSITIONS for word in plain))


def _relative(head: str, auxiliary: str, rest: Sequence[str]) -> str:
    """Rest of a question about `head` as a relative clause, shortened where English does."""
    opening = _skip_adverbs(rest)
    if auxiliary in FINITE_BE and opening and is_participle(bare(opening[0])):
        return " ".join(rest)
    pronoun = "who" if _PERSONS.search(head) else "that"
    return " ".join([pronoun, auxiliary, *rest])


def _told(auxiliary: str, rest: Sequence[str]) -> str | None:
    """Statement order: "X changed after Z" from did, "X change after Z". None where the verb is not found."""
    if auxiliary in FINITE_BE:
        at = _predicate_start(rest)
        return None if at is None else " ".join([*rest[:at], auxiliary, *rest[at:]])
    if auxiliary in HAVE:
        at = next((i for i, token in enumerate(rest) if i and (bare(token) == "been" or is_participle(bare(token)))), None)
        return None if at is None else " ".join([*rest[:at], auxiliary, *rest[at:]])
    at = _verb_position(rest)
    if at is None:
        return None
    if auxiliary in MODALS:
        while at > 1 and is_adverb(bare(rest[at - 1])):
            at -= 1
        return " ".join([*rest[:at], auxiliary, *rest[at:]])
    if bare(rest[at - 1]) == "not":
        return " ".join([*rest[: at - 1], auxiliary, *rest[at - 1 :]])
    verb = bare(rest[at])
    return " ".join([*rest[:at], rest[at].lower().replace(verb, without_do(auxiliary, verb), 1), *rest[at + 1 :]])


def _verb_position(rest: Sequence[str]) -> int | None:
    """Index of the base-form verb that follows the subject."""
    sure, doubtful = [], []
    for at in range(1, len(rest)):
        word, previous = bare(rest[at]), bare(rest[at - 1])
        if not is_verb(word) or rest[at - 1].endswith(("'s", "’s")):
            continue
        if previous in DETERMINERS | PREPOSITIONS | MODALS | _RELATIVES | (_JOINERS - {"not"}):
            continue
        (doubtful if is_rather_noun(word) else sure).append(at)
    if not doubtful:
        return sure[0] if sure else None
    run_end = doubtful[0]
    while run_end + 1 in doubtful:
        run_end += 1
    if not sure or sure[0] < doubtful[0]:
        return sure[0] if sure else run_end
    between = {bare(token) for token in rest[doubtful[0] : sure[0]]}
    return run_end if between & _SUBORDINATORS else sure[0]


def _predicate_start(rest: Sequence[str]) -> int | None:
    """Index at which the subject of an inverted "was" ends; None where that is not clear."""
    found = []
    for at in range(1, len(rest)):
        word = bare(rest[at])
        if not is_participle(word) and word not in _PREDICATES:
            continue
        following = bare(rest[at + 1]) if at + 1 < len(rest) else ""
        if following and following not in _OPENS_AFTER_PARTICIPLE and not is_adverb(following):
            continue
        start = at
        while start > 1 and (is_adverb(bare(rest[start - 1])) or bare(rest[start - 1]) == "not"):
            start -= 1
        previous = bare(rest[start - 1])
        if any(bare(token) in _RELATIVES for token in rest[:start]):
            return None
        if previous in DETERMINERS | PREPOSITIONS | AUXILIARIES | _JOINERS or rest[start - 1].endswith(","):
            continue
        found.append(start)
    if len(found) < 2:
        return found[0] if found else None
    subject_is_long = any(bare(token) in PREPOSITIONS for token in rest[: found[0]])
    ends_with_one = is_participle(bare(rest[-1]))
    return None if subject_is_long or ends_with_one else found[0]


def _auxiliary_position(tokens: Sequence[str]) -> int | None:
    """Index of the first auxiliary that does not belong to a relative clause."""
    for at in range(1, len(tokens)):
        if bare(tokens[at]) in AUXILIARIES and bare(tokens[at - 1]) not in _RELATIVES - {"which"} and not (
            bare(tokens[at - 1]) == "which" and at > 1
        ):
            return at
    return None


def _is_stranded(rest: Sequence[str]) -> bool:
    """Whether a preposition has lost its object to the question word ("associated with in women")."""
    plain = [bare(token) for token in rest]
    if plain and plain[-1] in PREPOSITIONS | {"as", "like"} - {"compared", "using"}:
        return True
    for one, two, three in zip(plain, plain[1:], plain[2:], strict=False):
        if is_participle(one) and two in PREPOSITIONS | {"as"} and three in PREPOSITIONS | {"when", "while", "if"}:
            return True
        if one in {"shown", "found", "asked", "expected", "thought", "predicted", "reported"} and two == "to":
            return is_verb(plain[-1])
    return False


def _unless_stranded(tokens: list[str]) -> str | None:
    inverted = bare(tokens[1]) in DO or _is_stranded(tokens)
    return None if inverted else " ".join(tokens)


def _skip_adverbs(rest: Sequence[str]) -> Sequence[str]:
    at = 0
    while at < len(rest) and is_adverb(bare(rest[at])):
        at += 1
    return rest[at:]
