"""Drafts and trials as rows, and rows of drafts as wordings."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from aimsciqa.measures.dependence import rest_on_the_same
from aimsciqa_assets.findings.drafting import Drafted
from aimsciqa_assets.findings.items import draft_id_of
from aimsciqa_assets.findings.replies import Computation
from aimsciqa_assets.findings.trials import Trial, Turn
from aimsciqa_assets.findings.wording import DraftFact, Wording
from aimsciqa_assets.platform.identity import row_id

Row = dict[str, Any]


def draft_rows(drafted: Drafted, batch: str, made_by: Mapping[str, str]) -> Iterator[Row]:
    """Yield the drafts of a request, those that cannot be used, and a row for each group without any."""
    for row in _draft_rows(drafted, batch, made_by):
        yield row | {"seed": drafted.seed or None}


def _draft_rows(drafted: Drafted, batch: str, made_by: Mapping[str, str]) -> Iterator[Row]:
    done = set[str]()
    for group, wording in drafted.wordings:
        done.add(group.group_id)
        yield {
            "draft_id": draft_id_of(group.group_id, wording),
            "batch": batch,
            "group_id": group.group_id,
            "type": wording.type,
            **_worded(wording),
            "status": "kept",
            "rejection_reason": None,
            **made_by,
        }
    for number, (group, draft, reason) in enumerate(drafted.unusable):
        done.add(group.group_id)
        yield {
            **_without_question(group.group_id, batch, made_by),
            "draft_id": row_id("unusable", group.group_id, number, draft.question),
            "type": draft.type,
            "question": draft.question,
            "answer": draft.answer,
            "rejection_reason": reason,
        }
    for group in drafted.groups:
        if group.group_id not in done:
            reason = drafted.reason or "no_question"
            yield _without_question(group.group_id, batch, made_by) | {"rejection_reason": reason}


def with_doubles_rejected(rows: Iterable[Row]) -> list[Row]:
    """Return drafts, each once; of kept ones that share most of their facts, the one with most stays kept.

    A group may be shown again for a question of a user: of rows of one draft, a kept one counts.
    """
    ordered = sorted(
        rows, key=lambda row: (row["status"] == "kept", row["rejection_reason"] or "", row["seed"] or "")
    )
    single = {row["draft_id"]: row for row in ordered}
    kept = list[frozenset[tuple[str, str]]]()
    drafts = list[Row]()
    for row in sorted(single.values(), key=lambda row: (-len(row["facts"]), row["draft_id"])):
        facts = frozenset((fact["paper_id"], fact["evidence"]) for fact in row["facts"])
        is_kept = row["status"] == "kept"
        if is_kept and any(rest_on_the_same(facts, larger) for larger in kept):
            drafts.append(row | {"status": "rejected", "rejection_reason": "same_facts"})
        else:
            drafts.append(row)
            kept += [facts] if is_kept else []
    return drafts


def drafts_of(rows: Iterable[Mapping[str, Any]]) -> dict[str, Wording]:
    """Return the wordings of kept drafts by id."""
    wordings: dict[str, Wording] = {}
    for row in rows:
        facts = tuple(DraftFact(**fact) for fact in row["facts"])
        computations = tuple(Computation(**computation) for computation in row["computations"])
        wordings[row["draft_id"]] = Wording(row["type"], row["question"], row["answer"], facts, computations)
    return wordings


def challenge_rows(trial: Trial, batch: str, made_by: Mapping[str, str]) -> Iterator[Row]:
    """Yield the challenges of a trial (`findings.challenges`)."""
    for turn in trial.turns:
        if not turn.reader:
            row = _turn(trial, turn, batch, made_by)
            yield {name: value for name, value in row.items() if name not in ("reader", "failed")}


def reading_rows(trial: Trial, batch: str, made_by: Mapping[str, str]) -> Iterator[Row]:
    """Yield the strict readings of a trial (`findings.readings`)."""
    for turn in trial.turns:
        if turn.reader:
            row = _turn(trial, turn, batch, made_by)
            yield {name: value for name, value in row.items() if name != "passages"}


def _turn(trial: Trial, turn: Turn, batch: str, made_by: Mapping[str, str]) -> Row:
    return {
        "draft_id": trial.draft_id,
        "batch": batch,
        "round": turn.round,
        "reader": turn.reader,
        "action": turn.action,
        "failed": list(turn.failed),
        "reason": turn.reason,
        "passages": turn.passages,
        **_worded(turn.wording),
        **made_by,
    }


def _worded(wording: Wording) -> Row:
    return {
        "question": wording.question,
        "answer": wording.answer,
        "facts": [{name: getattr(fact, name) for name in DraftFact.__slots__} for fact in wording.facts],
        "computations": [computation.model_dump() for computation in wording.computations],
    }


def _without_question(group_id: str, batch: str, made_by: Mapping[str, str]) -> Row:
    return {
        "draft_id": row_id("no draft", group_id),
        "batch": batch,
        "group_id": group_id,
        "type": None,
        "question": "",
        "answer": "",
        "facts": [],
        "computations": [],
        "status": "rejected",
        "rejection_reason": None,
        **made_by,
    }
