"""Whether the answer of a comparison has the shape that its question asks for (HopWeaver, section 3.2)."""

import re
from typing import Final

from aimsciqa_assets.hopweaver.comparison.names import alike, folded, same_name
from aimsciqa_assets.hopweaver.comparison.questions import Comparison
from aimsciqa_assets.hopweaver.documents import names

_AUXILIARY: Final = re.compile(
    r"(?:^|[,;:]\s*)(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|may|might|should)\b"
)
_ASKING: Final = re.compile(r"\b(?:which|who|whom|whose|what|where|when|how)\b")
_SHARED: Final = re.compile(r"\b(?:same|both|share[sd]?|common|each)\b")
YES_OR_NO: Final = frozenset({"yes", "no"})


def answer_fits(comparison: Comparison) -> bool:
    """Yes or no where the question asks whether; one of the two entities where it asks which.

    Where it asks what both have in common, the answer is what both facts name. "Was A or B first?" asks
    which.
    """
    question, answer = folded(comparison.multi_hop_question), folded(comparison.answer)
    if not answer:
        return False
    asks_which = _ASKING.search(question)
    auxiliary = _AUXILIARY.search(question)
    asks_whether = auxiliary and not (asks_which and asks_which.start() < auxiliary.start())
    if asks_whether:
        offers = re.search(r"\bor\b", question[auxiliary.end() :]) if auxiliary else None
        return answer in YES_OR_NO or bool(offers and _names_one(comparison))
    if _names_one(comparison):
        return True
    facts = (comparison.fact_entity_a, comparison.fact_entity_b)
    return (
        bool(_SHARED.search(question))
        and answer not in YES_OR_NO
        and all(names(one, answer) for one in facts)
    )


def _names_one(comparison: Comparison) -> bool:
    """Whether the answer is the name of one of the entities, and of one only."""
    entities = (comparison.entity_a, comparison.entity_b)
    named = [entity for entity in entities if alike(comparison.answer, entity)]
    exact = [entity for entity in entities if same_name(comparison.answer, entity)]
    return len(exact or named) == 1
