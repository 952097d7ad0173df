"""The dialogue that makes a comparison of a document: subject, scores, queries, candidates, question.

What each step gave is kept, also where a later one fails. The dialogue asks the same when it hears the same,
as every dialogue must; the search has to find the same, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from aimsciqa_resources.language_model import PROMPT_TOO_LONG, Dialogue

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.bridges import EVERY_DOCUMENT_FAILED, NO_CANDIDATES, attempt_id
from aimsciqa_assets.hopweaver.comparison.common_ground import common_ground
from aimsciqa_assets.hopweaver.comparison.constraints import Grounded, grounded, guessable, violations
from aimsciqa_assets.hopweaver.comparison.directions import Direction, drawn_direction, other_direction
from aimsciqa_assets.hopweaver.comparison.kinds import distance
from aimsciqa_assets.hopweaver.comparison.queries import Recommendation, fault_of, merged, templates
from aimsciqa_assets.hopweaver.comparison.questions import NO_PAIR, Built, Comparison, NoPair
from aimsciqa_assets.hopweaver.comparison.steps import Candidate, Rules, Scored, Search, Synthesis
from aimsciqa_assets.hopweaver.comparison.subjects import AMBIGUOUS, Ambiguous, Attribute, Subject
from aimsciqa_assets.hopweaver.comparison.tasks import READINGS
from aimsciqa_assets.hopweaver.dialogues import asked_until
from aimsciqa_assets.hopweaver.documents import Document

_DEEP: Final = 10
"""So many times the documents that are kept are searched for kin: a corpus has few of a kind."""
NOT_CONCRETE: Final = "not_concrete"
NO_COMPARABLE_ATTRIBUTE: Final = "no_comparable_attribute"


def compare(
    source: Document, search: Search, documents: Mapping[str, Document], rules: Rules
) -> Dialogue[Synthesis]:
    """Make a comparison of a document and one of `documents` that the search finds."""
    key = attempt_id("comparison", source.document_id)
    synthesis = yield from _with_subject(Synthesis(key, source), rules)
    if synthesis.reason is None:
        synthesis = yield from _with_scores(synthesis, rules)
    if synthesis.reason is None:
        synthesis = yield from _with_queries(synthesis, rules)
    if synthesis.reason is None:
        synthesis = _with_candidates(synthesis, search, documents, rules)
    if synthesis.reason is None:
        synthesis = yield from _with_question(synthesis, documents, rules)
    return synthesis


def _with_subject(synthesis: Synthesis, rules: Rules) -> Dialogue[Synthesis]:
    told = _document(synthesis.source)
    asked = yield from asked_until(
        READINGS[rules.reading].subject, synthesis.attempt_id, told, _any, rules.tries
    )
    after = replace(synthesis, turns=asked.turns, reason=asked.reason, failure=asked.failure)
    if isinstance(asked.value, Ambiguous):
        return replace(after, why=asked.value.why, reason=AMBIGUOUS)
    return replace(after, subject=asked.value)


def _with_scores(synthesis: Synthesis, rules: Rules) -> Dialogue[Synthesis]:
    tasks, subject = READINGS[rules.reading], _subject(synthesis)
    told = _about(synthesis.source, subject, subject.attributes)
    if rules.ordered:
        told |= {
            "ordered": True,
            "least_concreteness": rules.least_concreteness,
            "least_comparability": rules.least_comparability,
        }
    asked = yield from asked_until(tasks.scores, synthesis.attempt_id, told, _any, rules.tries)
    turns = (*synthesis.turns, *asked.turns)
    after = replace(synthesis, turns=turns, scores=asked.value, reason=asked.reason, failure=asked.failure)
    if asked.value is None:
        return after
    if asked.value.concreteness < rules.least_concreteness:
        return replace(after, reason=NOT_CONCRETE)
    joined = tasks.joined(subject.attributes, asked.value)
    kept = tuple(attribute for attribute, score in joined if score >= rules.least_comparability)
    return replace(after, joined=joined, kept=kept, reason=None if kept else NO_COMPARABLE_ATTRIBUTE)


def _with_queries(synthesis: Synthesis, rules: Rules) -> Dialogue[Synthesis]:
    """Queries of the model; those made by rule where it replied and nothing could be used."""
    subject = _subject(synthesis)
    asked = yield from asked_until(
        READINGS[rules.reading].queries(subject),
        synthesis.attempt_id,
        _about(synthesis.source, subject, synthesis.kept),
        lambda queries: fault_of(queries, subject, synthesis.kept) if rules.guided else None,
        rules.tries,
    )
    after = replace(synthesis, turns=(*synthesis.turns, *asked.turns))
    if asked.failure:
        return replace(after, reason=asked.reason, failure=asked.failure)
    return replace(after, queries=asked.value or templates(subject), query_fault=asked.reason)


def _with_candidates(
    synthesis: Synthesis, search: Search, documents: Mapping[str, Document], rules: Rules
) -> Synthesis:
    """The best documents of each query, less the source. More are searched for than are kept.

    With `kin`, those of the source's kind come first, and those of another kind are left out.
    """
    source_id = synthesis.source.document_id
    queries = synthesis.queries.queries if synthesis.queries else ()
    kind = _subject(synthesis).type
    found: dict[str, Scored] = {}
    lists = []
    for query in queries:
        searched = (_DEEP if rules.kin else 2) * rules.top_k
        hits = [one for one in search(query, None, searched) if one.document_id != source_id]
        if rules.kin:
            apart = {
                one.document_id: distance(synthesis.source, documents[one.document_id], kind) for one in hits
            }
            kin = (one for one in hits if apart[one.document_id] < 2)
            hits = sorted(kin, key=lambda one: apart[one.document_id])
        lists.append([one.document_id for one in hits[: rules.top_k]])
        for one in hits:
            found.setdefault(one.document_id, one)
    ids = merged(lists, truncated_to=rules.top_k if rules.merging == "truncated" else None)
    candidates = tuple(
        Candidate(
            found[one], tuple(query for query, listed in zip(queries, lists, strict=True) if one in listed)
        )
        for one in ids
    )
    return replace(synthesis, candidates=candidates, reason=None if candidates else NO_CANDIDATES)


def _with_question(
    synthesis: Synthesis, documents: Mapping[str, Document], rules: Rules
) -> Dialogue[Synthesis]:
    """The first document that works wins. The reason of a failure is that of all candidates, if it is one."""
    found = [documents[one.found.document_id] for one in synthesis.candidates]
    for number in range(len(found)):
        synthesis = yield from _tried(synthesis, number, found, rules)
        if synthesis.grounded or synthesis.failure:
            return synthesis
    reasons = {one.reason for one in synthesis.candidates}
    return replace(synthesis, reason=reasons.pop() if len(reasons) == 1 else EVERY_DOCUMENT_FAILED)


def _tried(
    synthesis: Synthesis, number: int, documents: Sequence[Document], rules: Rules
) -> Dialogue[Synthesis]:
    """The synthesis with one more candidate tried."""
    source, document = synthesis.source, documents[number]

    def check(built: Built) -> Fault[Built] | None:
        if isinstance(built, NoPair):
            return None
        found = _found(built, source, document, synthesis, rules)
        if isinstance(found, Fault):
            return found
        guessed = guessable(built, ordered=rules.ordered, most_years=rules.most_years)
        return guessed or other_direction(built, _direction(source, rules))

    told = _about_both(synthesis, document, rules)
    task = READINGS[rules.reading].question
    asked = yield from asked_until(
        task, synthesis.attempt_id, told, check, rules.tries, paper_id=document.document_id
    )
    candidate = replace(synthesis.candidates[number], outcome="rejected", reason=asked.reason or NO_PAIR)
    built = asked.value
    found = _found(built, source, document, synthesis, rules) if isinstance(built, Comparison) else None
    if isinstance(found, Grounded):
        suggested = _suggested(synthesis, rules)
        broken = violations(found, _subject(synthesis), source, documents, suggested)
        candidate = replace(
            candidate,
            outcome="rejected" if broken else "chosen",
            reason=broken[0] if broken else None,
            comparison=found.comparison,
            violations=broken,
        )
    # A document that is too long for the model is a matter of that document.
    ended = asked.failure is not None and asked.failure != PROMPT_TOO_LONG
    candidates = list(synthesis.candidates)
    candidates[number] = candidate
    return replace(
        synthesis,
        turns=(*synthesis.turns, *asked.turns),
        candidates=tuple(candidates),
        grounded=found if isinstance(found, Grounded) and candidate.outcome == "chosen" else None,
        reason=asked.reason if ended else None,
        failure=asked.failure if ended else None,
    )


def _found(
    built: Comparison, source: Document, document: Document, synthesis: Synthesis, rules: Rules
) -> Grounded | Fault[Built]:
    """The comparison with the places of its quotes, and of what the two have in common if that is asked."""
    found = grounded(built, source, document)
    if isinstance(found, Fault) or not rules.in_common:
        return found
    common = common_ground(built, source, document, _subject(synthesis).type, rules.most_years)
    return common if isinstance(common, Fault) else replace(found, common=common)


def _direction(source: Document, rules: Rules) -> Direction | None:
    return drawn_direction(rules.seed, source.document_id) if rules.directed else None


def _subject(synthesis: Synthesis) -> Subject:
    if synthesis.subject is None:
        raise ValueError(f"The synthesis of {synthesis.source.document_id} has no subject.")
    return synthesis.subject


def _suggested(synthesis: Synthesis, rules: Rules) -> Recommendation | None:
    """What must be compared, after a direct recommendation (guided comparison)."""
    queries = synthesis.queries
    return queries if rules.guided and isinstance(queries, Recommendation) else None


def _any(_value: object) -> None:
    """Whatever could be read is taken."""


def _document(document: Document) -> dict[str, Any]:
    return {"title": document.title, "text": _text(document)}


def _about(document: Document, subject: Subject, attributes: Sequence[Attribute]) -> dict[str, Any]:
    listed = [{"name": one.name, "value": one.value} for one in attributes]
    return _document(document) | {"subject": subject.name, "type": subject.type, "attributes": listed}


def _about_both(synthesis: Synthesis, document: Document, rules: Rules) -> Mapping[str, Any]:
    told = _about(synthesis.source, _subject(synthesis), synthesis.kept)
    suggested = _suggested(synthesis, rules)
    # Only what a setting asks for: a request without it is as it was before there were such settings.
    asked_for = {
        "ordered": rules.ordered,
        "in_common": rules.in_common,
        "most_years": rules.most_years,
        "ask_for": _direction(synthesis.source, rules),
    }
    return {name: value for name, value in asked_for.items() if value} | {
        "subject": told["subject"],
        "type": told["type"],
        "attributes": told["attributes"],
        "title_a": told["title"],
        "text_a": told["text"],
        "title_b": document.title,
        "text_b": _text(document),
        "suggested_entity": suggested.entity if suggested else "",
        "suggested_attribute": suggested.attribute if suggested else "",
    }


def _text(document: Document) -> str:
    """The paragraphs; the prompts have the title in a place of its own."""
    return "\n\n".join(text for _, text in document.paragraphs)
