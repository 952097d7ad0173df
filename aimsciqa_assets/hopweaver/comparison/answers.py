"""Whether the answer of a comparison has the shape that its question asks for (HopWeaver, section 3.2)."""

import re
from typing import Final

from aimsciqa_assets.hopweaver.comparison.names import alike, folded, same_name
from aimsciqa_assets.hopweaver.documents import names

_AUXILIARY: Final = re.compile(
    r"(?:^|[,;:]\s*)(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|may|might|should)\b"
)
_ASKING: Final = re.compile(r"\b(?:which|who|whom|whose|what|where|when|how)\b")
_SHARED: Final = re.compile(r"\b(?:same|both|share[sd]?|common|each)\b")
YES_OR_NO: Final = frozenset({"yes", "no"})


def answer_fits(question: str, answer: str, entities: tuple[str, str], facts: tuple[str, str]) -> bool:
    """Yes or no where the question asks whether; one of the two entities where it asks which.

    Where it asks what both have in common, the answer is what both facts name. "Was A or B first?" asks
    which.
    """
    asked, said = folded(question), folded(answer)
    if not said:
        return False
    names_one = _names_one(answer, entities)
    which, auxiliary = _ASKING.search(asked), _AUXILIARY.search(asked)
    if auxiliary and not (which and which.start() < auxiliary.start()):
        offers_two = re.search(r"\bor\b", asked[auxiliary.end() :]) is not None
        return said in YES_OR_NO or (offers_two and names_one)
    if names_one:
        return True
    shared = said not in YES_OR_NO and all(names(fact, answer) for fact in facts)
    return shared and _SHARED.search(asked) is not None


def _names_one(answer: str, entities: tuple[str, str]) -> bool:
    """Whether the answer is the name of one of the entities, and of one only."""
    named = [entity for entity in entities if alike(answer, entity)]
    exact = [entity for entity in entities if same_name(answer, entity)]
    return len(exact or named) == 1
