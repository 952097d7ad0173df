"""Which of two values a comparison asks for, the lower or the higher: drawn, so that neither is the rule."""

import re
from typing import Final, Literal

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.comparison.questions import Built, Comparison
from aimsciqa_assets.hopweaver.documents import plain
from aimsciqa_assets.platform.identity import row_id

Direction = Literal["lower", "higher"]

OTHER_DIRECTION: Final = "other_direction"
_SAYING: Final[dict[Direction, frozenset[str]]] = {
    "lower": frozenset("before earlier earliest fewer fewest first least less lower shorter smaller".split()),
    "higher": frozenset(
        "after bigger greater higher larger largest last later latest longer more most taller".split()
    ),
}
"""Words of comparison. "Older" and "younger" are no part of it: who is older was born earlier."""
_WORDING: Final[dict[Direction, str]] = {
    "lower": "the lower value (earlier, fewer, smaller, shorter)",
    "higher": "the higher value (later, more, larger, longer)",
}


def drawn_direction(seed: int, source_id: str) -> Direction:
    """The direction of the question that starts from a document: half of them ask for each."""
    return "higher" if int(row_id(seed, "direction", source_id), 16) % 2 else "lower"


def other_direction(comparison: Comparison, wanted: Direction | None) -> Fault[Built] | None:
    """The question asks for the other value, as far as its words of comparison tell; None wants either."""
    if wanted is None:
        return None
    asked = comparison.multi_hop_question
    for name in (comparison.entity_a, comparison.entity_b):
        asked = re.sub(re.escape(name), " ", asked, flags=re.IGNORECASE)
    said = set(plain(asked).split())
    unwanted: Direction = "lower" if wanted == "higher" else "higher"
    if said & _SAYING[wanted] or not said & _SAYING[unwanted]:
        return None
    complaint = f"it asks for {_WORDING[unwanted]}; ask for {_WORDING[wanted]}"
    return Fault(OTHER_DIRECTION, complaint, comparison)
