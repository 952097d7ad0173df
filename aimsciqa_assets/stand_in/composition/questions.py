"""Reading a question, and saying the same inside another sentence.

"How did grain iron change after drought?" is asked (`direct`) as "how did grain iron change after drought",
told (`clause`) as "how grain iron changed after drought" and named (`phrase`) as "the change in grain iron
after drought". Where the parts of a question cannot be told apart for sure, a form is None rather than wrong.
"""

import re
from dataclasses import dataclass, replace
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.composition.words import with_common_nouns, with_names
from aimsciqa_assets.stand_in.forms import Kind, read_form
from aimsciqa_assets.stand_in.inversion import PREPOSITIONS, SUBORDINATORS, bare


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
_ASKING: Final = "|".join(sorted(_WH | lex.AUXILIARIES))
_LEAD: Final = re.compile(
    rf"(?P<lead>[^?]{{2,160}}?), (?P<core>(?:(?:in|at|by|to|for|on|from|with|of|under) )?(?:{_ASKING})\b.+)",
    re.IGNORECASE | re.DOTALL,
)
_SUBJECT_LEAD: Final = re.compile(
    r"in (?:the|this|a) (?:study|paper|work|trial|review) (?:of|on|about) (?P<about>[^,]+)"
    r"(?:, (?:19|20)\d\d)?(?:, (?P<rest>.+))?",
    re.IGNORECASE,
)
_STUDY: Final = r"(?:authors?|study|paper|article|text|passage|paragraph|research|review|work|trial)"
_POINTING_LEAD: Final = re.compile(
    rf"(?:according to|based on|in|from) (?:the|this) (?:\w+ )?{_STUDY}(?: \d+)?"
    r"|(?:as )?(?:described|reported|stated|mentioned)\b.*",
    re.IGNORECASE,
)
_POINTING_TAIL: Final = re.compile(
    r",?(?: as)?(?: (?:reported|described|presented|mentioned|discussed|stated|observed|found|identified"
    r"|given|conducted|used))? (?:in|by|from|according to) (?:the|this|our)(?: (?:present|current|same))? "
    rf"{_STUDY}$",
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
    first, *others = with_common_nouns(core).split() or [""]
    tokens = [first.lower(), *others]
    read = read_form(tokens) if len(tokens) > 2 else None
    if read is None:
        return None
    question = Question(" ".join(tokens), *read)
    return _in_context(question, lead) if lead else question


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
