"""Making a core answer shorter without losing what was asked for.

Every cut is checked against the question: the rest must hold all words of the question that the whole holds,
say enough that is new, and keep a number where one is asked for. Where that is not sure, nothing is cut.
"""

import re
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.composition.words import any_of, content, is_balanced
from aimsciqa_assets.stand_in.inversion import bare
from aimsciqa_assets.stand_in.morphology import is_past

_TRAILING: Final = any_of("trailing")
# What trails behind an answer proper.
_TAIL: Final = re.compile(
    r"; |(?<=[\w%)])(?<! [A-Z])\. (?=[A-Z][a-z]+ )"
    r"|, (?:(?:thereby|thus|hence|therefore) "
    rf"|(?:{_TRAILING}|followed by|along with|together with|as well as|in which|of which"
    r"|even though|so that|as (?:described|shown|reported|previously)) )"
)
_ASIDES: Final = (
    re.compile(
        r",? (?:according to|following|as per|per) (?:the )?manufacturer[’']?s?[’']? \w+"
        r"|,? as recommended by the manufacturer"
    ),
    re.compile(r"\s*\((?:[^()]*[,;]\s*)?[pP]\s*[<>=≤≥][^()]*\)"),
    re.compile(r"\A(?:[Ii]n order )?[Tt]o [a-z][^,]*, (?!they |it |respectively|this |these )"),
)
# Questions that a tail or an aside may be the answer to.
_ASKS_FOR_MORE: Final = re.compile(
    r"^Why|\b(?:results?|lead|leads|led|suggest|indicate|allow|provide|yield|demonstrate|cause|compare|differ"
    r"|correlat\w*|significan\w*|odds|p-values?)\b",
    re.IGNORECASE,
)
_ASKS_FOR_NUMBER: Final = re.compile(
    r"how (?:many|much)|by how|what (?:was|is|were|are) the|(?:what|which) percent", re.IGNORECASE
)
# Words of an answer that is left as it is; new words that the rest of a longer one must have.
_LONG: Final = 14
_NEWS: Final = 2


def shortened(statement: str, question: str) -> str:
    """The statement without the asides and trailing clauses that `question` does not need."""
    if len(statement.split()) <= _LONG or _ASKS_FOR_MORE.search(question):
        return statement
    for aside in _ASIDES:
        rest = aside.sub("", statement)
        if rest and _says_enough(rest, statement, question):
            statement = rest
    for tail in _TAIL.finditer(statement):
        rest = statement[: tail.start()]
        if _says_enough(rest, statement, question):
            return rest
    return statement


def _says_enough(rest: str, whole: str, question: str) -> bool:
    asked, kept = content(question).keys(), content(rest).keys()
    wants_number = _ASKS_FOR_NUMBER.match(question) and re.search(r"\d", whole)
    return (
        len(kept - asked) >= _NEWS
        and (content(whole).keys() & asked <= kept or rest == whole[-len(rest) :])
        and (not wants_number or re.search(r"\d", rest) is not None)
        and is_balanced(rest)
        and any(word in lex.AUXILIARIES or is_past(word) for word in map(bare, rest.split()))
    )
