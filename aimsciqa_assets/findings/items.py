"""From trials to items: rules, duplicates and quotas decide; accepted items have facts and computations."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from aimsciqa.measures.computing import Known, sql_of
from aimsciqa.measures.dependence import rest_on_the_same
from aimsciqa.measures.numbers import number_of
from aimsciqa_assets.findings.marked_text import MarkedPaper, Quote
from aimsciqa_assets.findings.rules import rule_faults
from aimsciqa_assets.findings.trials import Trial
from aimsciqa_assets.findings.wording import DraftFact, Wording
from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.platform.splits import Divided, split_items

Row = dict[str, Any]
Stated = tuple[str, float | str]

ROLES: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
FEWEST_OF_PAPER: Final = 4
"""Questions that may rest on one paper, however few there are in all."""


def draft_id_of(group_id: str, wording: Wording) -> str:
    """Return the id of a draft."""
    return row_id("draft", group_id, wording.question, wording.answer)


def item_id_of(draft_id: str) -> str:
    """Return the id of the item that a draft becomes."""
    return row_id("item", draft_id)


def decided(
    trials: Sequence[Trial],
    papers: Mapping[str, MarkedPaper],
    words: int,
    share_of_paper: float,
) -> dict[str, str | None]:
    """Return why each draft is no item, None for an accepted one: trial, rules, duplicates, quotas."""
    reasons: dict[str, str | None] = {}
    accepted = list[Trial]()
    for trial in trials:
        reasons[trial.draft_id] = trial.rejection or _broken_rule(trial.wording, papers, words)
        if reasons[trial.draft_id] is None:
            accepted.append(trial)
    accepted = list(_without_duplicates(accepted, papers, reasons))
    for trial in _beyond_quota(accepted, share_of_paper):
        reasons[trial.draft_id] = "quota_of_paper"
    return reasons


def _broken_rule(wording: Wording, papers: Mapping[str, MarkedPaper], words: int) -> str | None:
    titles = [papers[paper].title for paper in wording.papers]
    if len(wording.papers) > len(ROLES):
        return "too_many_papers"
    if any(papers[fact.paper_id].find(fact.evidence) is None for fact in wording.facts):
        return "evidence_not_found"
    return next(rule_faults(wording, titles, words), None)


def _without_duplicates(
    trials: Sequence[Trial], papers: Mapping[str, MarkedPaper], reasons: dict[str, str | None]
) -> Iterator[Trial]:
    """Yield trials, of those that share most facts the one with most of them."""
    kept = list[frozenset[Stated]]()
    for trial in sorted(trials, key=lambda trial: (-len(trial.wording.facts), trial.draft_id)):
        facts = frozenset(_stated(fact, papers) for fact in trial.wording.facts)
        if any(rest_on_the_same(facts, larger) for larger in kept):
            reasons[trial.draft_id] = "same_facts"
        else:
            kept.append(facts)
            yield trial


def _beyond_quota(trials: Sequence[Trial], share: float) -> Iterator[Trial]:
    """Yield trials of papers on which too large a share of the questions rests; rare types stay longest."""
    types = Counter(trial.wording.type for trial in trials)
    most = max(FEWEST_OF_PAPER, int(share * len(trials)))
    counts: dict[str, int] = defaultdict(int)
    for trial in sorted(trials, key=lambda trial: (types[trial.wording.type], trial.draft_id)):
        if any(counts[paper] >= most for paper in trial.wording.papers):
            yield trial
            continue
        for paper in trial.wording.papers:
            counts[paper] += 1


def _stated(fact: DraftFact, papers: Mapping[str, MarkedPaper]) -> Stated:
    """Return what a fact is known by: its paper and value, or its place. One value may be quoted twice."""
    quote = _quote(fact, papers)
    value = number_of(fact.amount)
    return fact.paper_id, fact.amount or f"{quote.paragraph_id}:{quote.start}" if value is None else value


def _quote(fact: DraftFact, papers: Mapping[str, MarkedPaper]) -> Quote:
    quote = papers[fact.paper_id].find(fact.evidence)
    if quote is None:
        raise ValueError(f"The quote of a fact does not stand in {fact.paper_id}.")
    return quote


def item_row(trial: Trial, batch: str, reason: str | None, made_by: Mapping[str, str]) -> Row:
    """Return the row of a trial in `findings.items`."""
    return {
        "item_id": item_id_of(trial.draft_id),
        "batch": batch,
        "draft_id": trial.draft_id,
        "type": trial.wording.type,
        "question": trial.wording.question,
        "answer": trial.wording.answer,
        "papers": len(trial.wording.papers),
        "status": "rejected" if reason else "accepted",
        "rejection_reason": reason,
        **made_by,
    }


def fact_rows(trial: Trial, batch: str, papers: Mapping[str, MarkedPaper]) -> Iterator[Row]:
    """Yield the facts of an accepted item (`findings.facts`)."""
    roles = dict(zip(trial.wording.papers, ROLES, strict=False))
    for position, fact in enumerate(trial.wording.facts, start=1):
        quote, known = _quote(fact, papers), Known.of(fact.amount, fact.evidence)
        yield {
            "item_id": item_id_of(trial.draft_id),
            "batch": batch,
            "position": position,
            "paper_id": fact.paper_id,
            "role": roles[fact.paper_id],
            "finding_id": fact.finding_id,
            "statement": fact.claim,
            "value": known.value,
            "value_text": fact.amount,
            "unit": fact.unit,
            "low": known.low,
            "high": known.high,
            "paragraph_id": quote.paragraph_id,
            "evidence": quote.text,
            "evidence_start": quote.start,
            "evidence_end": quote.end,
        }


def computation_rows(trial: Trial, batch: str) -> Iterator[Row]:
    """Yield the computations of an accepted item (`findings.computations`), of a set with their SQL."""
    item, is_set = item_id_of(trial.draft_id), trial.wording.type == "set_comparison"
    for position, computation in enumerate(trial.wording.computations, start=1):
        yield {
            "item_id": item,
            "batch": batch,
            "position": position,
            **computation.model_dump(),
            "query": sql_of(computation.expression, item) if is_set else None,
        }


def split_rows(facts: Iterable[Mapping[str, Any]], seed: int, test_items: int, share: float) -> list[Row]:
    """Return accepted items in dev and test: items on the same papers or the same quotes go together."""
    by_item: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for fact in facts:
        by_item[fact["item_id"]].append(fact)
    divided = []
    for item, of_item in by_item.items():
        papers = " ".join(sorted({fact["paper_id"] for fact in of_item}))
        sentences = tuple(
            f"{fact['paragraph_id']} {fact['evidence_start']} {fact['evidence_end']}" for fact in of_item
        )
        divided.append(Divided(item, "findings", papers, papers, sentences))
    parts = split_items(divided, seed, test_items, share)
    return [{"item_id": item, "split": part} for item, part in sorted(parts.items())]
