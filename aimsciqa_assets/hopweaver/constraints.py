"""What must hold of the parts of a bridge question: rules of the method and of the paper's appendix A.

Each rule that is broken is a `Fault`, whose reason stands in the rows. `docs/hopweaver.md` lists them.
"""

import re
from collections.abc import Sequence
from typing import Literal

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.documents import Document, Place, names, plain, words_in
from aimsciqa_assets.hopweaver.evidence import naming
from aimsciqa_assets.hopweaver.replies import BridgeEntity, Declined, SubQuestions
from aimsciqa_assets.hopweaver.shared_names import without_brackets
from aimsciqa_assets.hopweaver.species import names_species

Shortcuts = Literal["document", "segment"]

_ARTICLE = re.compile(r"^(?:the|an?) ")


def quoted(document: Document, quote: str, segment: str) -> Place | None:
    """Where a quote stands; where there is none, the segment counts as one, if it is copied."""
    return document.find(quote or segment)


def fault_of_entity(
    entity: BridgeEntity | Declined, source: Document, fewest_words: int, *, widely: bool = False
) -> Fault[BridgeEntity | Declined] | None:
    """The entity is not the title, its segment is long enough, its quote stands in the source."""
    if isinstance(entity, Declined):
        return None
    if same(entity.name, source.title):
        return Fault("entity_is_title", "the entity is the title of the document; choose another one", entity)
    if words_in(entity.segment) < fewest_words:
        return Fault("short_segment", _too_short("segment", fewest_words), entity)
    if quoted(source, entity.quote, entity.segment) is None:
        return Fault("inexact_quote", _inexact("the quote", "the document"), entity)
    if first_evidence(source, entity, widely=widely) is None:
        return Fault("unnamed_entity", _unnamed("the quote", entity.name), entity)
    return None


def fault_of_sub_questions(
    said: SubQuestions | Declined, entity: str, second: Document, fewest_words: int, *, reach: int = 1
) -> Fault[SubQuestions | Declined] | None:
    """The first answer is the entity, which only the second question names; B has segment and quote."""
    if isinstance(said, Declined):
        return None
    if not same(said.answer_1, entity):
        return Fault("wrong_first_answer", f'answer 1 is not the entity "{entity}"', said)
    if f" {plain(entity)} " not in f" {plain(said.question_2)} ":
        return Fault("entity_missing", f'sub-question 2 does not contain the entity "{entity}"', said)
    if names_species(said.question_1, entity):
        return Fault("entity_in_first_question", "sub-question 1 contains its answer", said)
    if words_in(said.segment_b) < fewest_words:
        return Fault("short_target_segment", _too_short("segment of document B", fewest_words), said)
    if quoted(second, said.quote, said.segment_b) is None:
        return Fault("inexact_target_quote", _inexact("the document B quote", "document B"), said)
    if second_evidence(second, said, entity, reach=reach, with_answer=False) is None:
        return Fault("unnamed_target_entity", _unnamed("the document B quote", entity), said)
    if second_evidence(second, said, entity, reach=reach) is None:
        complaint = "the document B quote does not hold answer 2, in the words of the answer"
        return Fault("answer_not_in_quote", complaint, said)
    return None


def first_evidence(source: Document, entity: BridgeEntity, *, widely: bool = False) -> Place | None:
    """The quote of the source, so far extended that it names the entity.

    `widely`: by three sentences before it, and so far that it names the source's subject if it says "she".
    """
    place = quoted(source, entity.quote, entity.segment)
    if place is None or not widely:
        return place and naming(source, place, entity.name)
    return naming(source, place, entity.name, reach=3, subject=without_brackets(source.title))


def second_evidence(
    second: Document, said: SubQuestions, entity: str, *, reach: int = 1, with_answer: bool = True
) -> Place | None:
    """The quote of the second document, so far extended that it names the entity and holds the answer."""
    place = quoted(second, said.quote, said.segment_b)
    return place and naming(second, place, entity, said.answer_2 if with_answer else "", reach=reach)


def broken_distribution(
    said: SubQuestions,
    first: Document,
    second: Document,
    quotes: tuple[Sequence[str], Sequence[str]],
    *,
    segment: str,
    shortcuts: Shortcuts,
) -> str | None:
    """Why the facts are not each in exactly one document, or a document leads from end to end by itself.

    `quotes` are those of each document: as they were given, and as they were extended.
    """
    if any(second.find(one) for one in quotes[0]) or any(first.find(one) for one in quotes[1]):
        return "shared_fact"
    where = first.text if shortcuts == "document" else " ".join((segment, *quotes[0]))
    if names(where, _core(said.answer_2)):
        return "shortcut"
    return None


def broken_fusion(question: str, answer: str, entity: str, second_answer: str) -> str | None:
    """Why a fused or polished question is none: it names the entity, or answers something else."""
    if names_species(question, entity):
        return "entity_in_question"
    if second_answer and not same(answer, second_answer):
        return "wrong_fused_answer"
    return None


def broken_polishing(question: str, answer: str, entity: str) -> str | None:
    """Why a polished question is none. Its answer may be worded anew."""
    if names_species(question, entity):
        return "entity_in_polished_question"
    if same(answer, entity):
        return "polished_answer_is_entity"
    return None


def same(one: str, other: str) -> bool:
    """Whether two names are alike but for case, punctuation and a leading article."""
    return _core(one) == _core(other)


def _core(name: str) -> str:
    return _ARTICLE.sub("", plain(name))


def _too_short(what: str, fewest: int) -> str:
    return f"the {what} has fewer than {fewest} words"


def _unnamed(what: str, name: str) -> str:
    return f'neither {what} nor the sentence beside it names "{name}"; take another sentence or another fact'


def _inexact(what: str, where: str) -> str:
    return f"{what} does not stand in {where} character by character, within one paragraph"
