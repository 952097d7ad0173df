"""Core answers as parts of one answer: cleaned, and turned into reported speech."""

import re
from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.cleaning import without_connectives, without_references
from aimsciqa_assets.stand_in.composition.shortening import shortened
from aimsciqa_assets.stand_in.composition.words import any_of
from aimsciqa_assets.stand_in.inversion import DETERMINERS, PREPOSITIONS, bare
from aimsciqa_assets.stand_in.morphology import is_past

_SUPPLIERS: Final = any_of("suppliers")
_SUPPLIER: Final = re.compile(rf"\s*\((?:[^()]|\([^()]*\))*\b{_SUPPLIERS}\b[^()]*\)")
# Openings that say nothing, beside the connectives of `cleaning`.
_OPENING: Final = re.compile(r"^(?:yes|no|in the study \d+)\s*,\s+", re.IGNORECASE)
_REPORTED: Final = re.compile(
    r"(?:we|the authors|this|these|it (?:was|has been|is)"
    r"|(?:(?:our|the|these|the present|this|the current) (?:\w+ )?)?"
    r"(?:results?|data|findings?|analys[ie]s|study|work|observations?))"
    r" (?:have |has |also |clearly |further )*"
    r"(?P<verb>found|find|show|shows|showed|shown|demonstrate[sd]?|indicate[sd]?|suggest(?:s|ed)?"
    r"|reveal(?:s|ed)?|observe[sd]?|report(?:s|ed)?|conclude[sd]?|estimate[sd]?)"
    r" that (?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_HEDGES: Final = {"sugg": "suggests", "indi": "indicates", "conc": "concludes", "esti": "estimates"}
# How another speaker says it: patterns, and what stands for them.
_REWORDED: Final = tuple(
    (re.compile(said), instead)
    for said, instead in (
        (r"\b[Ww]e\b", "the authors"),
        (r"\b[Oo]ur\b", "their"),
        (r"\bus\b", "them"),
        (r"\b(in|of) (?:this|the (?:present|current)) (study|paper|work|trial|review)\b", r"\1 the \2"),
        # "was then washed", "was also washed": the text before is not there.
        (r"\b(was|were|is|are|has|have|had|been|can|could|may)"
         r" (?:also|then|therefore|thus|hence|subsequently|further) ", r"\1 "),
        (r"(?<!but)(?<!and) also (?=\w)", " "),
    )
)  # fmt: skip
# Sentences that lean on a text which is not there.
_LEANING: Final = re.compile(
    r"^(?:(?:they|he|she|their|its|his|her)\b"
    rf"|(?:this|these|such|those) (?:{'|'.join(lex.AUXILIARIES)}|also)\b"
    r"|it (?!(?:is|was|has) (?:\S+ ){0,4}(?:that|to|whether) ))"
    r"|\b(?:(?:previously|already|as) (?:been )?described|described (?:previously|elsewhere|above|earlier)"
    r"|(?:according to|described by|by|as|following|per)|as follows)$",
    re.IGNORECASE,
)
_LOWERED: Final = DETERMINERS | PREPOSITIONS | lex.words("lowered")
_COMMON_ENDINGS: Final = ("tion", "sion", "ment", "ness", "ity", "ing", "ance", "ence", "ism", "ysis")


@dataclass(frozen=True, slots=True)
class Answer:
    """A core answer as it can be reported.

    `sentence` is complete, with a capital and a full stop; `reported` follows "The paper <verb> that",
    without a full stop; `verb` keeps a hedge of the paper ("suggests").
    """

    sentence: str
    reported: str
    verb: str = "reports"

    @property
    def told(self) -> str:
        """What a paper does: "suggests that iron was lost"."""
        return f"{self.verb} that {self.reported}"

    def up_to(self, told: str) -> "Answer":
        """The same, where `told` is what its sentence says up to the fact that is asked for."""
        return Answer(f"{told}.", f"{self.reported[0]}{told[1:]}", self.verb)


def read_answer(text: str, question: str) -> Answer | None:
    """Clean the answer to `question`; None where it is no statement or leans on text that is not there."""
    plain = _SUPPLIER.sub("", without_references(" ".join(text.split()).rstrip(" .;,:")))
    plain = without_connectives(_OPENING.sub("", plain))
    verb = "reports"
    if inner := _REPORTED.fullmatch(plain):
        verb = _HEDGES.get(inner["verb"].lower()[:4], verb)
        plain = inner["rest"]
    for said, instead in _REWORDED:
        plain = said.sub(instead, plain)
    if not _is_statement(plain) or _LEANING.search(plain):
        return None
    plain = shortened(plain, question)
    return Answer(f"{plain[0].upper()}{plain[1:]}.", _lowered(plain, question), verb)


def _is_statement(plain: str) -> bool:
    """At least three words, one of them a verb form that can carry a sentence."""
    tokens = [bare(token) for token in plain.split()]
    return len(tokens) >= 3 and any(
        token in lex.AUXILIARIES
        or is_past(token)
        or (at and token.endswith("s") and tokens[at - 1] not in DETERMINERS)
        for at, token in enumerate(tokens)
    )


def _lowered(plain: str, question: str) -> str:
    """Without the capital of the first word, if it has one only because it comes first."""
    first = plain.split(" ", 1)[0]
    begun = bare(first)
    common = (
        begun in _LOWERED
        or begun.endswith(_COMMON_ENDINGS)
        or re.search(rf"\b{re.escape(begun)}\b", question)
    )
    return plain[0].lower() + plain[1:] if common and first[1:] == first[1:].lower() else plain
