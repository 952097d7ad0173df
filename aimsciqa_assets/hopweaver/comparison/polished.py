"""What must hold of a comparison that the polisher changed."""

from typing import Final

from aimsciqa_assets.hopweaver.comparison.answers import answer_fits
from aimsciqa_assets.hopweaver.comparison.constraints import (
    TWO_ATTRIBUTES,
    compares_several,
    figures,
    guess_of,
    without_names,
)
from aimsciqa_assets.hopweaver.documents import plain
from aimsciqa_assets.hopweaver.drafts import Draft
from aimsciqa_assets.hopweaver.evidence import beyond

POLISHED_ANSWER_MISFIT: Final = "polished_answer_misfit"
POLISHED_FACT_BEYOND_QUOTE: Final = "polished_fact_beyond_quote"
POLISHED_OTHER_ATTRIBUTE: Final = "polished_other_attribute"
POLISHED_BEYOND_EVIDENCE: Final = "polished_beyond_evidence"


def broken_polishing(before: Draft, draft: Draft) -> str | None:
    """Why a polished comparison is none, in one word.

    Its answer does not fit, a fact adds a number to its quote, the question adds a name or number to the one
    before, or other values are compared under the name of the old attribute.
    """
    entities = draft.entity_a, draft.entity_b
    facts = draft.first_passage, draft.second_passage
    if not answer_fits(draft.question, draft.answer, entities, facts):
        return POLISHED_ANSWER_MISFIT
    quotes = draft.first_evidence, draft.second_evidence
    values = [figures(without_names(fact, entities)) for fact in facts]
    if any(value - figures(quote) for value, quote in zip(values, quotes, strict=True)):
        return POLISHED_FACT_BEYOND_QUOTE
    if compares_several(draft.attribute):
        return TWO_ATTRIBUTES
    if plain(draft.attribute) == plain(before.attribute) and _has_other_values(before, values):
        return POLISHED_OTHER_ATTRIBUTE
    told = (before.question, *quotes, *entities, draft.attribute, draft.in_common)
    return POLISHED_BEYOND_EVIDENCE if beyond(draft.question, told) else None


def polished_guess(draft: Draft, *, ordered: bool, most_years: int) -> str | None:
    """What makes the answer of a polished comparison a guess, in one word."""
    facts = draft.first_passage, draft.second_passage
    return guess_of(draft.answer, facts, ordered=ordered, most_years=most_years)


def _has_other_values(before: Draft, values: list[set[str]]) -> bool:
    """Whether a fact has numbers, and none of those that it had."""
    entities = before.entity_a, before.entity_b
    old = [figures(without_names(fact, entities)) for fact in (before.first_passage, before.second_passage)]
    return any(new and then and not new & then for new, then in zip(values, old, strict=True))
