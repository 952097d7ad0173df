"""Core answers as parts of one answer: cleaned, turned into reported speech, compared where that is sure."""

import re
from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in import morphology
from aimsciqa_assets.stand_in.cleaning import without_connectives, without_references
from aimsciqa_assets.stand_in.composition.shortening import shortened
from aimsciqa_assets.stand_in.composition.words import any_of, stem
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
_NUMBER: Final = re.compile(
    r"(?<![\w.,-])(\d+(?:,\d{3})*(?:\.\d+)?)(?![\w-]|[.,]\d)\s*(%|percent\b|per cent\b|[A-Za-zµμ°/]+)?"
)
_RANGE: Final = re.compile(r"(?<=[\d%])\s*[–‐-]\s*(?=\d)")
_DEVIATION: Final = re.compile(r"\s*\([^()]*\)|\s*(?:±|\+/-)\s*[\d.]+")
_DENIALS: Final = frozenset({"not", "no", "neither", "nor", "without"})
_DIRECTIONS: Final = {
    way: {form for verb in lex.words(way) for form in (verb, *morphology.forms(verb))}
    for way in ("upward", "downward")
}


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


def comparison(one: str, other: str) -> str | None:
    """How the numbers of `one` stand to those of `other`: `higher`, `lower` or `equal`; `overlap` where two
    ranges do, empty where either text has numbers of several units. None where they have no unit in common.
    """
    first, second = _numbers(one), _numbers(other)
    units = {unit for _, unit in first}, {unit for _, unit in second}
    if not units[0] & units[1]:
        return None
    if len(units[0] | units[1]) > 1:
        return ""
    here, there = ([number for number, _ in found] for found in (first, second))
    if here == there:
        return "equal"
    return "higher" if min(here) > max(there) else "lower" if max(here) < min(there) else "overlap"


def directions(one: str, other: str) -> str | None:
    """`same` or `opposite`, by the words of change in two answers; None where one has none or both."""
    first, second = _direction(one), _direction(other)
    return None if None in (first, second) else "same" if first == second else "opposite"


def _direction(text: str) -> str | None:
    words = [bare(word) for word in text.split()]
    told = [(at, way) for way, forms in _DIRECTIONS.items() for at, word in enumerate(words) if word in forms]
    if len({way for _, way in told}) != 1 or not _DENIALS.isdisjoint(words[: min(told)[0]]):
        return None
    return told[0][1]


def _numbers(text: str) -> set[tuple[float, str]]:
    """Numbers with their units, without what stands in parentheses or behind a plus-minus sign.

    A number before "to" or "and" has the unit of the next one; a decimal fraction may have none.
    """
    found: set[tuple[float, str]] = set()
    later = ""
    plain = _RANGE.sub(" to ", _DEVIATION.sub("", text))
    for number, written in reversed(_NUMBER.findall(plain)):
        unit = "%" if written in {"percent", "per cent"} else written
        if unit.lower() in PREPOSITIONS | lex.AUXILIARIES | lex.CONJUNCTIONS:
            unit = later if unit in {"to", "and"} else ""
        later = unit
        if (unit or "." in number) and not re.fullmatch(r"(?:19|20)\d\d", number):
            found.add((float(number.replace(",", "")), unit if unit in {"%", ""} else stem(unit)))
    return found


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
