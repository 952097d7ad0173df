"""What makes a pair unfit by its wording: courtesies, empty answers, and words that address somebody."""

import re
from typing import Final, Literal

from aimsciqa_assets.scidqa.pairs.sentences import note_sentences

TextReason = Literal["courtesy_question", "empty_promise", "too_short"]

_FEWEST_WORDS: Final = 4
"""A question and an answer of fewer words each say too little."""
_COURTESY: Final = re.compile(
    r"^\W*(?:many |we |the authors? )*(?:thanks?\b|thank(?:ed|ful)?\b|appreciate|congratulations|"
    r"(?:well|good|great|nice|interesting|excellent|impressive)\b)",
    re.IGNORECASE,
)
_PROMISE: Final = re.compile(
    r"^\W*(?:(?:thanks?|thank you|sure|yes|ok(?:ay)?|indeed|done|fixed|corrected|agreed|good (?:point|catch)|"
    r"(?:this|it|they|these|the (?:typos?|text|paper|figure|references?)) (?:has|have|is|are|was|were|will) "
    r"(?:now |also |all )*(?:been |be )?(?:fixed|corrected|changed|added|updated|done|addressed|removed))\b|"
    r"(?:we|the authors?) (?:also |now )?(?:thank|appreciate|agree|apologi[sz]e|(?:will|shall) \w+|"
    r"(?:have |has )?(?:now |also |since )*(?:fixed|corrected|addressed|updated|revised)))",
    re.IGNORECASE,
)
_LONGEST_PROMISE: Final = 18
"""A promise of more words says more than that something will be done."""
_UNSPOKEN: Final = re.compile(
    r"\$[^$]*\$|`[^`]*`|\"[^\"]*\"|“[^”]*”|(?:\||&|^)[ *_]*Ours\b(?=[^|&\n]*[|&])", re.MULTILINE
)
"""Formulas, quotations, and the label of the authors' row in a table."""
_PERSON: Final = re.compile(
    r"\b(?:[Ww]e|[Oo]ur|[Oo]urs|[Oo]urselves|us|[Mm]y|[Mm]e|[Mm]yself|[Yy]ou|[Yy]our|[Yy]ours|[Yy]ourself|"
    r"[Yy]ourselves)\b|(?<!['’])\bI(?:['’](?:m|ve|d|ll))?(?= (?:am|was|have|had|think|wonder|would|do|did|"
    r"see|believe|guess|understand|could|can|find|found|suggest|assume|suspect|don|didn|feel|know|mean|\w+ed)\b)"
    r"|\bI['’](?:m|ve|d|ll)\b"
)


def text_reason(question: str, answer: str) -> TextReason | None:
    """Why an extracted pair asks or says nothing; None where it does."""
    if "?" not in question and _COURTESY.match(question):
        return "courtesy_question"
    if all(_says_nothing(answer[start:end]) for start, end in note_sentences(answer)):
        return "empty_promise"
    if max(len(question.split()), len(answer.split())) < _FEWEST_WORDS:
        return "too_short"
    return None


def addresses_somebody(text: str) -> bool:
    """Whether a text, without formulas, quotations and table labels, speaks in the first or second person."""
    return bool(_PERSON.search(_UNSPOKEN.sub(" ", text)))


def _says_nothing(sentence: str) -> bool:
    return bool(_PROMISE.match(sentence)) and len(sentence.split()) <= _LONGEST_PROMISE
