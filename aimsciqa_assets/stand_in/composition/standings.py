"""The values and directions that core answers report, and how those of two papers stand to each other."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in import morphology
from aimsciqa_assets.stand_in.composition.measures import Statistic
from aimsciqa_assets.stand_in.composition.words import stem
from aimsciqa_assets.stand_in.inversion import PREPOSITIONS, bare

Standing = Literal["equal", "higher", "lower", "overlap", "same", "opposite"]

_NUMBER: Final = r"(?<![\w.,-])(?P<{0}>\d+(?:,\d{{3}})*(?:\.\d+)?)(?!\w|[.,]\d)"
_UNIT: Final = (
    r"(?: ?(?P<{0}>%|percent\b|per cent\b|[A-Za-zµμ°][\wµμ°^⁻·−-]*(?:/(?:\d+ ?)?[\w^⁻−-]+)*"
    r"(?: per (?:\d+ )?[a-z]+)?(?: k?g\^?[−-]1)?(?: (?:DW|dw|FW|fw|GAE|TE)\b(?:/\w+)?)?))?"
)
_ONE: Final = _NUMBER.format("low") + r"(?: ?(?:±|\+/-) ?[\d.]+)?" + _UNIT.format("unit")
_ABOUT: Final = (
    r"(?:(?:about|approximately|around|ca\.|only|nearly|almost|found to be|estimated (?:at|to be)"
    r"|[a-z]+ly|\S{1,4} =) )*"
)
_VALUE: Final = {
    "value": re.compile(rf"\b(?:was|were|averaged|reached|equal(?:l)?ed) {_ABOUT}{_ONE}"),
    "share": re.compile(r"(?P<low>(?<![\w.,-])\d+(?:\.\d+)?)(?P<unit> ?(?:%|percent\b|per cent\b))"),
    "range": re.compile(
        rf"\b(?:ranged|varied)(?: \w+ly)? (?:from |between )?{_NUMBER.format('low')}{_UNIT.format('other')}"
        r"(?: (?:for|in|on|at) (?:(?!to |and )\S+ ){0,3}?(?!to |and )\S+)?"
        rf" (?:to|and) {_NUMBER.format('high')}{_UNIT.format('unit')}"
    ),
    "mean_of_range": re.compile(
        rf"\b(?:with|and) (?:an?|the) (?:\w+ )?(?:mean|average)(?: value)?(?: of)? {_ONE}"
    ),
}
_RANGE: Final = re.compile(r"(?<=[\d%])\s*[–‐-]\s*(?=\d)")
_BETWEEN: Final = re.compile(r"(\bbetween \S+) to ")
_ASIDE: Final = re.compile(r"\s*\([^()]*\)")
# Behind a value: another one, of which it is not said whose.
_SECOND: Final = re.compile(r",? ?(?:and|or|to|vs\.?|versus|,) ?\d")
_FURTHER: Final = re.compile(r", |; | (?:and|whereas|while|but) ")
_SEVERAL: Final = re.compile(r"\brespectively\b|\beach\b")
# Units that are one.
_UNITS: Final = dict.fromkeys(
    ("ppm", "mg/kg", "mg kg-1", "mg kg^-1", "µg/g", "μg/g", "µg g^-1", "μg g^-1"), "ppm"
)
_DENIALS: Final = frozenset({"not", "no", "neither", "nor", "without"})
_DIRECTIONS: Final = {
    way: {form for verb in lex.words(way) for form in (verb, *morphology.forms(verb))}
    for way in ("upward", "downward")
}

_SIGNS: Final = {
    "positive": re.compile(r"\bpositive(?:ly)?\b", re.IGNORECASE),
    "negative": re.compile(r"\b(?:negative|inverse)(?:ly)?\b", re.IGNORECASE),
}


@dataclass(frozen=True, slots=True)
class Amount:
    """A value or a range of values with its unit."""

    low: float
    high: float
    unit: str


def reported(answer: str, statistic: Statistic) -> tuple[Amount, str] | None:
    """The value that an answer reports, and the answer up to it; None where it gives none, or several."""
    plain = _BETWEEN.sub(r"\1 and ", _RANGE.sub(" to ", _ASIDE.sub("", answer)).rstrip("."))
    found = _found(plain, statistic)
    if found is None or _SEVERAL.search(plain) or _SECOND.match(plain, found.end()):
        return None
    groups = found.groupdict()
    made = _made(groups["low"], groups.get("high") or groups["low"], groups["unit"] or groups.get("other"))
    return (made, plain[: _end(plain, found.end())]) if made else None


def _found(plain: str, statistic: Statistic) -> re.Match[str] | None:
    if statistic == "share":
        shares = list(_VALUE["share"].finditer(plain))
        return shares[0] if len(shares) == 1 else None
    if statistic == "range":
        return _VALUE["range"].search(plain)
    found = _VALUE["value"].search(plain)
    return _VALUE["mean_of_range"].search(plain) if found is None and statistic == "mean" else found


def _end(plain: str, at: int) -> int:
    """Where what is said of the value ends: at a comma, or where another value is told."""
    further = _FURTHER.search(plain, at)
    return further.start() if further else len(plain)


def standing(here: Amount, there: Amount) -> Standing:
    """How the value of one paper stands to that of another one, in the same unit."""
    if here == there:
        return "equal"
    return "higher" if here.low > there.high else "lower" if here.high < there.low else "overlap"


def agreement(here: str, there: str) -> Standing | None:
    """Whether two effects have one direction; None where one of them has none, or both."""
    first, second = direction(here), direction(there)
    return None if None in (first, second) else "same" if first == second else "opposite"


def direction(text: str) -> str | None:
    """`upward` or `downward`, by the words of change in a text; None where it has none, or both."""
    words = [bare(word) for word in text.split()]
    told = [(at, way) for way, forms in _DIRECTIONS.items() for at, word in enumerate(words) if word in forms]
    if len({way for _, way in told}) != 1 or not _DENIALS.isdisjoint(words[: min(told)[0]]):
        return None
    return told[0][1]


def sign(text: str) -> str | None:
    """`positive` or `negative`, by what a text says of a correlation; None where it has none, or both."""
    told = {way for way, form in _SIGNS.items() if form.search(text)}
    denied = not _DENIALS.isdisjoint(bare(word) for word in text.split())
    return None if denied or len(told) != 1 or _SEVERAL.search(text) else told.pop()


def _made(low: str, high: str, unit: str | None) -> Amount | None:
    """The value in one form; a whole number without a unit is a count, and no value."""
    written = (unit or "").strip()
    if written.lower() in PREPOSITIONS | lex.AUXILIARIES | lex.CONJUNCTIONS | {"respectively"}:
        written = ""
    one, other = (float(number.replace(",", "")) for number in (low, high))
    if one > other or not (written or "." in low + high):
        return None
    written = _UNITS.get(written, written)
    return Amount(one, other, "%" if written in {"percent", "per cent"} else stem(written))
