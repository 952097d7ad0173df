"""What must hold of a comparison: quotes, facts, entities, and documents that each tell one side only.

The rules read texts and names; they prove nothing about meaning. Each has a word of its own, the reason of a
rejection. The distributed source constraint is that of HopWeaver, appendix A.3.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.comparison.answers import YES_OR_NO, answer_fits
from aimsciqa_assets.hopweaver.comparison.names import alike, are_namesakes, differ_by_number, same_name
from aimsciqa_assets.hopweaver.comparison.queries import Recommendation
from aimsciqa_assets.hopweaver.comparison.questions import Built, Comparison
from aimsciqa_assets.hopweaver.comparison.subjects import Subject
from aimsciqa_assets.hopweaver.documents import Document, Place, composed, names, plain
from aimsciqa_assets.hopweaver.evidence import beyond, naming, paragraph_of
from aimsciqa_assets.hopweaver.species import in_short, names_species
from aimsciqa_assets.text.sentences import sentence_spans

SAME_DOCUMENT: Final = "same_document"
SAME_ENTITY: Final = "same_entity"
OTHER_ENTITY_A: Final = "other_entity_a"
ENTITY_B_NOT_IN_B: Final = "entity_b_not_in_b"
NOT_SUGGESTED_ENTITY: Final = "not_suggested_entity"
NOT_SUGGESTED_ATTRIBUTE: Final = "not_suggested_attribute"
ANSWER_MISFIT: Final = "answer_misfit"
FACT_A_IN_B: Final = "fact_a_in_b"
FACT_B_IN_A: Final = "fact_b_in_a"
ONE_DOCUMENT_HAS_BOTH: Final = "one_document_has_both"

NAMESAKES: Final = "namesakes"
NUMBERED: Final = "numbered_title"
TWO_ATTRIBUTES: Final = "two_attributes"
QUESTION_BEYOND_EVIDENCE: Final = "question_beyond_evidence"
YES_NO: Final = "yes_or_no"
FAR_APART: Final = "far_apart"

_UNNAMED: Final = {"a": "unnamed_entity", "b": "unnamed_target_entity"}
_INEXACT: Final = {"a": "inexact_quote", "b": "inexact_target_quote"}
_SEVERAL = re.compile(r"\band\b|;")
_YEAR = re.compile(r"\b(1\d{3}|20\d{2})\b")
_WORD = re.compile(r"\w+(?:[.,:'’/-]\w+)*")


@dataclass(frozen=True, slots=True)
class Grounded:
    """A comparison with the places of its quotes: `first` in the source, `second` in the other.

    `common` are the places of what the two have in common, where that was asked for.
    """

    comparison: Comparison
    first: Place
    second: Place
    document_id: str
    common: tuple[Place, Place] | None = None


def grounded(comparison: Comparison, source: Document, other: Document) -> Grounded | Fault[Built]:
    """The comparison with the places of its quotes; or what is wrong with them."""
    if compares_several(comparison.attribute_compared):
        complaint = f"it compares more than one attribute ({comparison.attribute_compared}); take one of them"
        return Fault(TWO_ATTRIBUTES, complaint, comparison)
    places = []
    entities = comparison.entity_a, comparison.entity_b
    sides = (
        ("a", source, comparison.quote_a, comparison.fact_entity_a, comparison.entity_a),
        ("b", other, comparison.quote_b, comparison.fact_entity_b, comparison.entity_b),
    )
    for side, document, quote, fact, entity in sides:
        if not quote:
            return Fault(f"missing_field:quote_{side}", f"it lacks quote_{side}", comparison)
        place = document.find(quote)
        if place is None:
            complaint = (
                f"quote_{side} does not stand in one paragraph of document {side.upper()}, character by "
                f"character: {quote!r}"
            )
            return Fault(_INEXACT[side], complaint, comparison)
        if added := figures(without_names(fact, entities)) - figures(place.text):
            complaint = f"fact_entity_{side} says {', '.join(sorted(added))}, and quote_{side} does not"
            return Fault(f"fact_{side}_beyond_quote", complaint, comparison)
        named = naming(document, place, entity, reach=3)
        if named is None:
            complaint = (
                f"neither quote_{side} nor the sentence beside it names {entity!r}; take another sentence or "
                "another attribute, or reply with FAIL"
            )
            return Fault(_UNNAMED[side], complaint, comparison)
        places.append(named)
    told = (*entities, comparison.attribute_compared, source.title, other.title)
    read = [paragraph_of(source, places[0]), paragraph_of(other, places[1])]
    common = source.find(comparison.common_quote_a), other.find(comparison.common_quote_b)
    read += [paragraph_of(one, place) for one, place in zip((source, other), common, strict=True) if place]
    if untold := beyond(comparison.multi_hop_question, (*told, *read)):
        complaint = f"the question says {', '.join(untold)}, which the paragraphs of the quotes do not"
        return Fault(QUESTION_BEYOND_EVIDENCE, complaint, comparison)
    return Grounded(comparison, places[0], places[1], other.document_id)


def guessable(comparison: Comparison, *, ordered: bool, most_years: int) -> Fault[Built] | None:
    """What the model is told of a comparison whose answer is a guess."""
    facts = comparison.fact_entity_a, comparison.fact_entity_b
    reason = guess_of(comparison.answer, facts, ordered=ordered, most_years=most_years)
    complaints = {
        YES_NO: "it is answered by yes or no; compare values that have an order (dates, sizes, amounts) and "
        "ask which of the two comes first or is larger, or reply with FAIL",
        FAR_APART: f"more than {most_years} years lie between the two, so that the age of each gives the "
        "answer away; take other values, or reply with FAIL",
    }
    return Fault(reason, complaints[reason], comparison) if reason else None


def guess_of(answer: str, facts: tuple[str, str], *, ordered: bool, most_years: int) -> str | None:
    """What makes an answer a guess, in one word: two words to choose from, or years far apart."""
    if ordered and plain(answer) in YES_OR_NO:
        return YES_NO
    years = [set(_YEAR.findall(fact)) for fact in facts]
    if not most_years or any(len(one) != 1 for one in years):
        return None
    return FAR_APART if abs(int(min(years[0])) - int(min(years[1]))) > most_years else None


def compares_several(attribute: str) -> bool:
    """Whether an attribute is more than one: length and width."""
    return _SEVERAL.search(attribute) is not None


def violations(
    found: Grounded,
    subject: Subject,
    source: Document,
    candidates: Iterable[Document],
    suggested: Recommendation | None,
) -> tuple[str, ...]:
    """What a comparison violates, as words; nothing for a sound one.

    `candidates` are all documents that were found, the compared one among them: none of the others may tell
    both facts. `suggested` has the entity and the attribute that must be compared, where they are given.
    """
    documents = {one.document_id: one for one in candidates}
    other = documents.pop(found.document_id)
    return (
        *_between_entities(found.comparison, subject, other),
        *(_beside_suggestion(found.comparison, suggested) if suggested else ()),
        *_of_answer(found.comparison),
        *_between_documents(found, source, other, documents.values()),
    )


def tells(document: Document, entity: str, quote: str) -> bool:
    """Whether a document tells of an entity what a quote says.

    It does if a sentence that names the entity holds the quote, or all its figures and names; or if it holds
    the quote and the entity is its title.
    """
    if names(document.title, entity) and document.find(quote):
        return True
    telling, quoted = _telling_words(quote, entity), plain(quote)
    return any(
        names_species(sentence, entity)
        and (quoted in plain(sentence) or (bool(telling) and telling <= _words(sentence)))
        for _, paragraph in document.paragraphs
        if names_species(paragraph, entity)
        for sentence in _sentences(paragraph)
    )


def _between_entities(comparison: Comparison, subject: Subject, other: Document) -> Iterator[str]:
    if same_name(comparison.entity_a, comparison.entity_b):
        yield SAME_ENTITY
    elif are_namesakes(comparison.entity_a, comparison.entity_b):
        yield NAMESAKES
    elif differ_by_number(comparison.entity_a, comparison.entity_b):
        yield NUMBERED
    if not alike(comparison.entity_a, subject.name):
        yield OTHER_ENTITY_A
    if not names(other.text, in_short(comparison.entity_b)):
        yield ENTITY_B_NOT_IN_B


def _of_answer(comparison: Comparison) -> Iterator[str]:
    entities = comparison.entity_a, comparison.entity_b
    facts = comparison.fact_entity_a, comparison.fact_entity_b
    if not answer_fits(comparison.multi_hop_question, comparison.answer, entities, facts):
        yield ANSWER_MISFIT


def _beside_suggestion(comparison: Comparison, suggested: Recommendation) -> Iterator[str]:
    if not alike(comparison.entity_b, suggested.entity):
        yield NOT_SUGGESTED_ENTITY
    if not alike(comparison.attribute_compared, suggested.attribute):
        yield NOT_SUGGESTED_ATTRIBUTE


def _between_documents(
    found: Grounded, source: Document, other: Document, beside: Iterable[Document]
) -> Iterator[str]:
    """The sets of documents that tell one fact and the other must be disjoint."""
    if source.document_id == other.document_id or source.text == other.text:
        yield SAME_DOCUMENT
        return
    first = found.comparison.entity_a, found.comparison.quote_a
    second = found.comparison.entity_b, found.comparison.quote_b
    if tells(source, *second):
        yield FACT_B_IN_A
    if tells(other, *first):
        yield FACT_A_IN_B
    if any(tells(one, *first) and tells(one, *second) for one in beside):
        yield ONE_DOCUMENT_HAS_BOTH


def without_names(fact: str, entities: Iterable[str]) -> str:
    """A fact without the names of the entities, whose figures are no values: the 1905 game."""
    for name in entities:
        fact = re.sub(re.escape(name), " ", fact, flags=re.IGNORECASE) if name else fact
    return fact


def figures(text: str) -> set[str]:
    """The numbers of a text; 1,200 and 1200 are the same."""
    return {number.replace(",", "") for number in re.findall(r"\d+(?:[.,]\d+)*", text)}


def _telling_words(quote: str, entity: str) -> set[str]:
    """Numbers, and words that are capitalized within the quote; those of the entity's name tell nothing."""
    own = _words(entity)
    spotted = list(_WORD.finditer(composed(quote)))
    return {
        word[0]
        for word in spotted
        if word[0] not in own
        and (any(map(str.isdigit, word[0])) or (word.start() > 0 and word[0][0].isupper()))
    }


def _words(text: str) -> set[str]:
    return set(_WORD.findall(composed(text)))


def _sentences(text: str) -> Iterator[str]:
    return (text[start:end] for start, end in sentence_spans(text))
