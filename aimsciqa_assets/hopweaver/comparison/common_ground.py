"""What two compared subjects have in common besides their kind: a property that both documents state.

Nobody asks for two dates beside each other. Somebody asks which of two films of one director came first, or
which of two cultivars of one field trial yields more.
"""

import re
from typing import Final

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.comparison.questions import Built, Comparison
from aimsciqa_assets.hopweaver.documents import JOINING, Document, Place, plain

NOTHING_IN_COMMON: Final = "nothing_in_common"
INEXACT_COMMON_QUOTE: Final = "inexact_common_quote"
COMMON_BEYOND_QUOTE: Final = "common_beyond_quote"

_STEM: Final = 5
"""Words that begin with the same letters, so many, count as one: novel, novels, novelist."""
_YEAR: Final = re.compile(r"\b(1\d{3}|20\d{2})s?\b")
_NONE: Final = frozenset({"", "none", "nothing", "no", "n a"})


def common_ground(
    comparison: Comparison, source: Document, other: Document, kind: str, most_years: int
) -> tuple[Place, Place] | Fault[Built]:
    """The places of the quotes by which both documents state the property; or what is wrong with it.

    `kind` is the type of the first subject, whose words say nothing of their own. Each quote has half of the
    telling words of the property; or each has a year, not more than `most_years` apart, where no years are
    compared.
    """
    telling = _stems(comparison.in_common) - _stems(f"{kind} {comparison.attribute_compared}")
    if plain(comparison.in_common) in _NONE or not telling:
        complaint = (
            "it names nothing that both have in common besides their kind; give in_common with a quote of "
            "each document, or reply with FAIL"
        )
        return Fault(NOTHING_IN_COMMON, complaint, comparison)
    places = []
    sides = (("a", source, comparison.common_quote_a), ("b", other, comparison.common_quote_b))
    for side, document, quote in sides:
        place = document.find(quote)
        if place is None:
            complaint = (
                f"common_quote_{side} does not stand in one paragraph of document {side.upper()}, character "
                f"by character: {quote!r}"
            )
            return Fault(INEXACT_COMMON_QUOTE, complaint, comparison)
        places.append(place)
    first, second = places
    if not _near_in_time(comparison, (first.text, second.text), most_years):
        for side, place in zip("ab", places, strict=True):
            if 2 * len(telling & _stems(place.text)) < len(telling):
                complaint = (
                    f"common_quote_{side} does not say {comparison.in_common!r}; take a property that both "
                    "documents state in these words, or reply with FAIL"
                )
                return Fault(COMMON_BEYOND_QUOTE, complaint, comparison)
    return first, second


def _near_in_time(comparison: Comparison, quotes: tuple[str, str], most_years: int) -> bool:
    """Whether the property is a time that both have in common, and no years are compared."""
    facts = comparison.fact_entity_a, comparison.fact_entity_b
    if not most_years or not _YEAR.search(comparison.in_common) or all(map(_YEAR.search, facts)):
        return False
    first, second = ({int(year) for year in _YEAR.findall(quote)} for quote in quotes)
    return any(abs(one - another) <= most_years for one in first for another in second)


def _stems(text: str) -> frozenset[str]:
    """The beginnings of the telling words of a text."""
    words = [word for word in plain(text).split() if word not in JOINING]
    telling = (word for word in words if len(word) > 2 or word.isdigit())
    return frozenset(word.removesuffix("s")[:_STEM] for word in telling)
