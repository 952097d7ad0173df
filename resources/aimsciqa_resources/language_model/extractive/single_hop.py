"""The single-hop task without a model: a paragraph in, a JSON list of triplets out, by rules.

Precision goes before recall: a sentence that the rules do not parse with certainty gives nothing.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from aimsciqa_resources.language_model.extractive import lexicon as lex
from aimsciqa_resources.language_model.extractive.asking import Draft
from aimsciqa_resources.language_model.extractive.cleaning import statement
from aimsciqa_resources.language_model.extractive.clauses import clause_pieces, parse_clause
from aimsciqa_resources.language_model.extractive.context import Names, only_abbreviations, specificity, topic
from aimsciqa_resources.language_model.extractive.measure_patterns import measure_drafts
from aimsciqa_resources.language_model.extractive.relation_patterns import relation_drafts
from aimsciqa_resources.language_model.extractive.report_patterns import (
    author_drafts,
    difference_drafts,
    reported_content,
)
from aimsciqa_resources.sentences import sentence_spans

_PER_PARAGRAPH: Final = 4
_PER_SENTENCE: Final = 2
_WEAK: Final = 5
_STOPWORDS: Final = frozenset("the of and in to a was were is are for with that by on as from".split())


@dataclass(frozen=True, slots=True)
class Question:
    """A finished triplet with the rule it came from and its rank."""

    question: str
    evidence: str
    answer: str
    kind: str
    score: int


def compose(variables: Mapping[str, str]) -> str:
    """The reply to a single-hop request: a JSON list of question, evidence and answer."""
    triplets = [
        {"question": found.question, "evidence": found.evidence, "answer": found.answer}
        for found in questions(variables)
    ]
    return json.dumps(triplets, ensure_ascii=False)


def questions(variables: Mapping[str, str]) -> list[Question]:
    """At most four triplets of the variable `paragraph`, in the order of its sentences."""
    paragraph = variables.get("paragraph", "")
    if not _is_english(paragraph):
        return []
    title = variables.get("paper_title", "")
    names = Names.of(paragraph, title, variables.get("keywords", ""))
    subject = topic(title, variables.get("keywords", ""), names)
    found: list[tuple[int, Question]] = []
    for position, (start, end) in enumerate(sentence_spans(paragraph)):
        ranked = sorted(_of_sentence(paragraph[start:end], names, subject), key=lambda q: -q.score)
        strong = [question for question in ranked[1:_PER_SENTENCE] if question.score > _WEAK]
        found += [(position, question) for question in (*ranked[:1], *strong)]
    best = sorted(found, key=lambda item: -item[1].score)[:_PER_PARAGRAPH]
    unique = {question.question: (position, question) for position, question in reversed(best)}
    return [question for _, question in sorted(unique.values(), key=lambda item: item[0])]


def _is_english(paragraph: str) -> bool:
    words = paragraph.lower().split()
    return len(words) >= 8 and sum(word in _STOPWORDS for word in words) >= 0.12 * len(words)


def _of_sentence(sentence: str, names: Names, subject: str | None) -> Iterator[Question]:
    for start, end in clause_pieces(sentence):
        raw = sentence[start:end].strip()
        text = statement(raw if raw.endswith(".") else raw + ".")
        if text is None:
            continue
        for content, answer in _contents(text):
            for draft, appended in _drafts(content, names):
                question = _finished(draft, names, subject)
                if question is not None:
                    trimmed = answer.removesuffix(appended).rstrip(" ,")
                    yield Question(question, raw, trimmed + ".", draft.kind, draft.score)


def _contents(text: str) -> Iterator[tuple[str, str]]:
    """What a statement says, with the answer that belongs to it: itself, and what it reports."""
    yield text, text
    reported = reported_content(text)
    if reported is not None:
        content, alone = reported
        yield content, content if alone else text


def _drafts(content: str, names: Names) -> Iterator[tuple[Draft, str]]:
    """The drafts of a statement, each with the further clause that its answer can do without."""
    for draft in (*author_drafts(content), *difference_drafts(content)):
        yield draft, ""
    clause = parse_clause(content)
    if clause is not None:
        for draft in (*measure_drafts(clause, names), *relation_drafts(clause, names)):
            yield draft, "" if draft.kind == "reason" else clause.appended


def _finished(draft: Draft, names: Names, subject: str | None) -> str | None:
    """The question with its context, or None where it points back or says too little."""
    body = " ".join(draft.body)
    fronted = " ".join(names.lower_first(draft.fronted)) if draft.fronted else ""
    lowered = {word.lower().strip(",") for word in (*draft.body, *draft.fronted)}
    if lowered & (lex.POINTERS - {"that", "those"}) or not 4 <= len(draft.body) <= 34:
        return None
    if lowered & {"that", "those"} and not draft.kind.startswith("comparison"):
        return None
    said_by = (*draft.body[1:], *draft.fronted)
    said = specificity(said_by)
    opening = f"{fronted}, " if fronted else ""
    if draft.kind in _PROCEDURES and said < _ENOUGH_FOR_PROCEDURE:
        if subject is None:
            return None
        opening = f"In the study of {subject}, {opening}"
    elif said < _enough(draft):
        return None
    elif said <= 2 and only_abbreviations(said_by):
        if subject is None or draft.kind in {"definition", "superlative"}:
            return None if draft.kind != "definition" else f"W{body[1:]}?"
        opening = f"In the study of {subject}, {opening}"
    text = f"{opening}{body}?"
    return text[0].upper() + text[1:]


def _enough(draft: Draft) -> int:
    """How specific a question must be that gets no topic."""
    if draft.kind == "superlative":
        return 3
    return 2 if "the" in draft.body[1:4] or _REPORTING & set(draft.body) else 1


_ENOUGH_FOR_PROCEDURE: Final = 3
_REPORTING: Final = frozenset("show report identify reveal recommend suggest demonstrate present display exhibit".split())
_PROCEDURES: Final = frozenset("method purpose condition value count used_to range to_do count_object percentage".split())

