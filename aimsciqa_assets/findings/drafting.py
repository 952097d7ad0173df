"""Drafts questions: a request shows groups of one neighbourhood with the cards of their papers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.asking.task import json_task
from aimsciqa_assets.findings.replies import Draft, Drafts
from aimsciqa_assets.findings.rules import form_fault
from aimsciqa_assets.findings.wording import Shown, Wording, card_text, finding_text, wording_of
from aimsciqa_assets.platform.identity import row_id

Row = dict[str, Any]

DRAFTING: Final = json_task("findings_drafting", Drafts)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What drafts are wanted: their types, how many of a group, and the words of a question at most.

    `seed` is a question of a user that they should help to answer; empty: none.
    """

    types: tuple[str, ...]
    drafts_per_group: int
    words: int
    seed: str = ""


@dataclass(frozen=True, slots=True)
class ShownGroup:
    """A group as a request shows it: its findings with their papers."""

    group_id: str
    kind: str
    label: str
    findings: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Drafted:
    """What a request gave: wordings of its groups, and drafts that cannot be used, with the reason.

    `seed` is the question of a user that it was for; empty: none.
    """

    groups: tuple[ShownGroup, ...]
    seed: str
    wordings: tuple[tuple[ShownGroup, Wording], ...] = ()
    unusable: tuple[tuple[ShownGroup, Draft, str], ...] = ()
    reason: str | None = None
    failure: str | None = None


def drafted(groups: Sequence[ShownGroup], cards: Mapping[str, Row], wanted: Wanted) -> Dialogue[Drafted]:
    """Ask for drafts on groups; a draft that names what it was not shown is kept apart with the reason."""
    findings = list({row["finding_id"]: row for group in groups for row in group.findings}.values())
    papers = sorted({row["paper_id"] for row in findings})
    shown = Shown.of(papers, findings)
    outcome = yield from DRAFTING.ask(
        row_id("drafting", wanted.seed, *(group.group_id for group in groups)),
        papers=[card_text(shown.letters[paper], cards[paper]) for paper in papers],
        groups=[_group_text(number, group, shown) for number, group in enumerate(groups, start=1)],
        types=list(wanted.types),
        most=wanted.drafts_per_group,
        seed=wanted.seed,
    )
    if outcome.value is None:
        return Drafted(tuple(groups), wanted.seed, reason=outcome.reason, failure=outcome.failure)
    return _sorted_out(groups, outcome.value, shown, wanted)


def _group_text(number: int, group: ShownGroup, shown: Shown) -> str:
    findings = (
        finding_text(
            shown.marks[row["finding_id"]],
            shown.letters[row["paper_id"]],
            row,
            shown.letters.get(row.get("cited_paper", ""), ""),
        )
        for row in group.findings
    )
    return "\n".join([f"Group {number}: {group.label}", *findings])


def _sorted_out(groups: Sequence[ShownGroup], reply: Drafts, shown: Shown, wanted: Wanted) -> Drafted:
    wordings, unusable = list[tuple[ShownGroup, Wording]](), list[tuple[ShownGroup, Draft, str]]()
    counts: dict[int, int] = {}
    texts = set[tuple[int, str, str]]()
    for draft in reply.drafts:
        counts[draft.group] = counts.get(draft.group, 0) + 1
        is_known = 0 < draft.group <= len(groups)
        group = groups[draft.group - 1] if is_known else groups[0]
        wording = wording_of(draft.type, draft, shown)
        reason = fault_of(wording, wanted.words) if is_known else "unknown_group"
        if draft.type not in wanted.types:
            reason = "type_not_asked"
        elif counts[draft.group] > wanted.drafts_per_group:
            reason = "too_many_drafts"
        elif (text := (draft.group, draft.question.strip(), draft.answer.strip())) in texts:
            reason = reason or "repeated_draft"
        else:
            texts.add(text)
        if reason is None and wording is not None:
            wordings.append((group, wording))
        else:
            unusable.append((group, draft, reason or "unknown_fact"))
    return Drafted(tuple(groups), wanted.seed, tuple(wordings), tuple(unusable))


def fault_of(wording: Wording | None, words: int) -> str | None:
    """Return why a wording cannot go on: what it lacks, or how it asks; None if it can."""
    if wording is None:
        return "unknown_fact"
    if len(wording.papers) < 2:
        return "one_paper"
    return form_fault(wording.question, wording.answer, words)


def requests_of(groups: Sequence[tuple[str, ShownGroup]], most: int) -> Iterator[list[ShownGroup]]:
    """Yield the groups of each request: at most so many of one neighbourhood; those around a paper alone."""
    held: dict[str, list[ShownGroup]] = {}
    for neighbourhood, group in groups:
        if group.kind == "paper":
            yield [group]
            continue
        waiting = held.setdefault(neighbourhood, [])
        waiting.append(group)
        if len(waiting) == most:
            yield held.pop(neighbourhood)
    yield from held.values()
