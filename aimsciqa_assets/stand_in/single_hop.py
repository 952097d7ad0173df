"""The single-hop task without a model: a paragraph in, a JSON list of triplets out, by rules.

Precision goes before recall: a sentence that the rules do not parse with certainty gives nothing.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.asking import Draft, drafts
from aimsciqa_assets.stand_in.clauses import authors_clauses, clause_pieces, parse_clause, words
from aimsciqa_assets.stand_in.cleaning import statement
from aimsciqa_assets.stand_in.context import Names, only_abbreviations, specificity, topic
from aimsciqa_assets.stand_in.reports import reported_content, stated_within
from aimsciqa_assets.text.sentences import sentence_spans

_PER_PARAGRAPH: Final = 4
_PER_SENTENCE: Final = 2
_WEAK: Final = 5
_STOPWORDS: Final = lex.words("stopwords")


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
    found: dict[str, tuple[int, Question]] = {}
    for position, (start, end) in enumerate(sentence_spans(paragraph)):
        ranked = sorted(_of_sentence(paragraph[start:end], names, subject), key=lambda q: -q.score)
        strong = [question for question in ranked[1:_PER_SENTENCE] if question.score > _WEAK]
        for question in (*ranked[:1], *strong):
            found.setdefault(question.question, (position, question))
    best = sorted(found.values(), key=lambda item: -item[1].score)[:_PER_PARAGRAPH]
    return [question for _, question in sorted(best, key=lambda item: item[0])]


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
                trimmed = answer.removesuffix(appended).rstrip(" ,")
                if question is not None and _stands_alone(trimmed):
                    yield Question(question, raw, trimmed + ".", draft.kind, draft.score)


def _stands_alone(answer: str) -> bool:
    """Whether an answer neither points back ("These results ...") nor breaks off ("macro- and ...")."""
    first = answer.partition(" ")[0].lower()
    return first not in _POINTING_OPENINGS and not answer.rstrip(".").endswith(("-", "‐"))


def _contents(text: str) -> Iterator[tuple[str, str]]:
    """What a statement says, with the answer that belongs to it: itself, and what it reports."""
    yield text, text
    yield from stated_within(text)
    reported = reported_content(text)
    if reported is not None:
        content, alone = reported
        yield content, content if alone else text


def _drafts(content: str, names: Names) -> Iterator[tuple[Draft, str]]:
    """The drafts of a statement, each with the further clause that its answer can do without."""
    tokens = words(content)
    for clause in (*authors_clauses(tokens), parse_clause(tokens)):
        if clause is not None:
            for draft in drafts(clause, names):
                yield draft, "" if draft.kind == "reason" else clause.appended


def _finished(draft: Draft, names: Names, subject: str | None) -> str | None:
    """The question with its context; None where it points back, gives itself away or says too little."""
    said_by = (*draft.body[1:], *draft.fronted)
    lowered = {word.lower().strip(",") for word in (*draft.body, *draft.fronted)}
    pointers = lex.POINTERS - {"that", "those"} if draft.kind.startswith("comparison") else lex.POINTERS
    if lowered & pointers or not _SHORTEST <= len(draft.body) <= _LONGEST or _gives_away(draft):
        return None
    said = specificity(said_by)
    if draft.kind not in _PROCEDURES and said < _enough(draft):
        return None
    opening = f"{' '.join(names.lower_first(draft.fronted))}, " if draft.fronted else ""
    body = " ".join(draft.body)
    if _wants_topic(draft, body, said, said_by):
        if subject is None:
            return None
        opening = f"In the study of {subject}, {opening}"
    text = f"{opening}{body}?".replace(" ,", ",")
    return text[0].upper() + text[1:]


def _gives_away(draft: Draft) -> bool:
    """Whether all that it asks for stands in it already, or is only pointed at in the answer."""
    asked = {word.lower() for word in draft.slot} - _FUNCTION_WORDS
    if asked and {word.lower() for word in draft.slot[:2]} & _POINTING_SLOTS:
        return True
    told = {word.lower() for word in (*draft.body, *draft.fronted)}
    return bool(asked) and asked <= told


def _enough(draft: Draft) -> int:
    """How specific a question must be to be asked at all."""
    if draft.kind == "superlative":
        return 3
    if draft.kind == "object" and _SHOWING & set(draft.body):
        return 3
    if "the" in draft.body[1:4]:
        # "the chemical constituents": of what? A name or a phrase behind it tells.
        return 2 if lex.PREPOSITIONS & set(draft.body[3:-1]) or draft.kind == "definition" else 3
    return 1 if draft.kind in {"definition", "nature", "role"} else 2


def _wants_topic(draft: Draft, body: str, said: int, said_by: tuple[str, ...]) -> bool:
    """Whether a reader would ask "in which study?"; elsewhere a topic would only blur the embedding."""
    if draft.kind in _PROCEDURES and said < _ENOUGH_FOR_PROCEDURE:
        return True
    if _UNNAMED.search(body + "?"):
        return True
    return said <= 2 and draft.kind != "definition" and only_abbreviations(said_by)


_POINTING_OPENINGS: Final = frozenset({"this", "these", "those", "such", "it", "they"})
_SHORTEST: Final = 4
_LONGEST: Final = 34
_ENOUGH_FOR_PROCEDURE: Final = 3
_PROCEDURES: Final = frozenset(
    "method purpose condition value count used_to range to_do count_object percentage existential"
    " correlation".split()
)
_FUNCTION_WORDS: Final = lex.PREPOSITIONS | lex.DETERMINERS | lex.CONJUNCTIONS | lex.AUXILIARIES
_SHOWING: Final = frozenset("show exhibit display".split())
_POINTING_SLOTS: Final = lex.words("pointing_slots")
_UNNAMED: Final = re.compile(rf"\bthe (?:{lex.any_of('unnamed')})(?:\?| (?:{lex.any_of('after_unnamed')})\b)")
