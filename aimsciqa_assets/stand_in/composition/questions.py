"""Reading a question, and saying the same inside another sentence.

"How did grain iron change after drought?" is asked (`direct`) as "how did grain iron change after drought"
and named (`phrase`) as "the change in grain iron after drought". Where the parts of a question cannot be told
apart for sure, the phrase is None rather than wrong.
"""

import re
from dataclasses import dataclass, replace
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.composition.words import with_names
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
    phrase: str | None = None
    about: str = ""


_WH: Final = lex.words("question_words")
# What a question begins with behind a lead, as a regular expression.
ASKING: Final = (
    r"(?:(?:in|at|by|to|for|on|from|with|of|under) )?"
    rf"(?:{'|'.join(sorted(_WH | lex.AUXILIARIES))})\b"
)
_LEAD: Final = re.compile(rf"(?P<lead>[^?]{{2,160}}?), (?P<core>{ASKING}.+)", re.IGNORECASE | re.DOTALL)
_SUBJECT_LEAD: Final = re.compile(
    r"in (?:the|this|a) (?:study|paper|work|trial|review) (?:of|on|about) (?P<about>[^,]+)"
    r"(?:, (?:19|20)\d\d)?(?:, (?P<rest>.+))?",
    re.IGNORECASE,
)
_POINTING_LEAD: Final = re.compile(
    r"(?:according to|based on|in|from) (?:the|this) (?:\w+ )?"
    r"(?:authors?|study|paper|article|text|passage|paragraph|research|review|work|trial)(?: \d+)?"
    r"|(?:as )?(?:described|reported|stated|mentioned)\b.*",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(r"\s*\([Ss]ee [^()]*\)")
_POINTING: Final = re.compile(
    r"\b(?:this|the (?:present|current)|our) (study|paper|article|work|review|trial)\b"
)


def read_question(text: str) -> Question | None:
    """Forms of the question; None where `text` is not one question in one sentence."""
    plain = " ".join(text.split())
    if plain.count("?") != 1 or not plain.endswith("?"):
        return None
    core, lead = _without_lead(_POINTING.sub(r"the \1", _ASIDE.sub("", plain[:-1]).rstrip()))
    first, *others = core.split() or [""]
    tokens = [first.lower(), *others]
    read = read_form(tokens) if len(tokens) > 2 else None
    return _in_context(Question(" ".join(tokens), *read), lead) if read else None


def _without_lead(sentence: str) -> tuple[str, str]:
    """Split "In rats, how did X change" into the question and "in rats"; drop a lead that only points."""
    split = _LEAD.fullmatch(sentence)
    if split is None:
        return sentence, ""
    first, _, rest = split["lead"].partition(" ")
    opening = first.lower()
    if _POINTING_LEAD.fullmatch(split["lead"]):
        return split["core"], ""
    is_lead = opening in PREPOSITIONS | SUBORDINATORS | {"based"}
    return (split["core"], f"{opening} {rest}") if is_lead else (sentence, "")


def _in_context(question: Question, lead: str) -> Question:
    """Forms with the lead at their end, where a reader needs it least."""
    if not lead:
        return question
    if subject := _SUBJECT_LEAD.fullmatch(lead):
        return replace(_in_context(question, subject["rest"] or ""), about=with_names(subject["about"]))
    if bare(question.direct.split()[-1]) in PREPOSITIONS:
        return Question(f"{lead}, {question.direct}", question.kind)
    phrase = question.phrase and f"{question.phrase} {lead}"
    return Question(f"{question.direct} {lead}", question.kind, phrase)
