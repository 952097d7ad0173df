"""SciDQA's pairs as assets: discussions by rules, then pairs by a model. The model's part is off at first."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import polars as pl
from aimsciqa_resources.language_model import Dialogue, beginning_with

from aimsciqa_assets.asking.task import Task, version_of
from aimsciqa_assets.metrics.perplexity import Perplexity
from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.scidqa.pairs.deciding import Decided, Edited, edited, without_duplicates
from aimsciqa_assets.scidqa.pairs.discussions import Discussion, filtered
from aimsciqa_assets.scidqa.pairs.editing import EDITING
from aimsciqa_assets.scidqa.pairs.extraction import EXTRACTION, Extraction, extraction_variables
from aimsciqa_assets.scidqa.pairs.rows import (
    DISCUSSIONS,
    EDITS,
    EXTRACTIONS,
    PAIRS,
    REQUESTS,
    ROOT_REPLIES,
    MadeBy,
    RootReply,
    Row,
    discussion_row,
    discussions_of,
    edit_rows,
    pair_rows,
    reply_row,
    request_rows,
    root_reply_rows,
)
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES

_NOTES = "scidqa.notes"
_FORUMS = "scidqa.forums"


def _is_on(settings: Settings) -> bool:
    return settings.scidqa.extraction


@step_asset(Step(writes=(DISCUSSIONS, REQUESTS, ROOT_REPLIES), reads=(_NOTES, _FORUMS), code="2"))
def discussions(run: StepRun) -> Frames:
    """Keeps the reviews in which something is asked and below which the authors reply (section 3.1)."""
    read, root_replies = _read(run)
    found = [filtered(one) for one in read]
    return {
        DISCUSSIONS: _frame(DISCUSSIONS, [discussion_row(one, run.part) for one in found]),
        REQUESTS: _frame(REQUESTS, [row for one in found for row in request_rows(one, run.part)]),
        ROOT_REPLIES: _frame(ROOT_REPLIES, root_reply_rows(root_replies, run.part)),
    }


@step_asset(
    Step(
        writes=(EXTRACTIONS,),
        reads=(DISCUSSIONS, _NOTES, _FORUMS),
        settings=("scidqa.extraction",),
        asks="scidqa",
        asks_if=_is_on,
        prompts=(EXTRACTION.name,),
        prompt_version=version_of(EXTRACTION),
    )
)
def review_extractions(run: StepRun) -> Frames:
    """Asks the language model for the pairs of question and answer in each kept discussion."""
    if not _is_on(run.settings):
        return {EXTRACTIONS: frame_of(EXTRACTIONS, [])}
    kept = set(run.read_part(DISCUSSIONS, "status = 'kept'")["discussion_id"])
    asked = {one.discussion_id: one for one in _discussions(run) if one.discussion_id in kept}
    dialogues = (
        beginning_with(one.forum_id, EXTRACTION.ask(key, **extraction_variables(one)))
        for key, one in asked.items()
    )
    made_by = _made_by(run, EXTRACTION)
    with run.ask(EXTRACTIONS, dialogues, len(asked), "looking for questions in reviews") as outcomes:
        rows = [reply_row(asked[one.key], one, run.part, made_by) for one in outcomes]
    return {EXTRACTIONS: _frame(EXTRACTIONS, rows)}


@step_asset(
    Step(
        writes=(PAIRS, EDITS),
        reads=(EXTRACTIONS, _NOTES, _FORUMS),
        settings=("scidqa.extraction", "scidqa.perplexity_model"),
        asks="scidqa",
        asks_if=_is_on,
        prompts=(EDITING.name,),
        prompt_version=version_of(EDITING),
        code="2",
    )
)
def review_pairs(run: StepRun) -> Frames:
    """Looks for the quotes of each pair, has the model judge and rewrite it, and decides its fate.

    Question and answer stand in the third person then, with the texts of what they cite.
    """
    replies = run.read_part(EXTRACTIONS, "status = 'answered'", "discussion_id, reply")
    if not _is_on(run.settings) or replies.is_empty():
        return {PAIRS: frame_of(PAIRS, []), EDITS: frame_of(EDITS, [])}
    by_id = {one.discussion_id: one for one in _discussions(run)}
    dialogues = [_edited(by_id[key], reply) for key, reply in replies.iter_rows()]
    made_by = _made_by(run, EDITING)
    with run.ask(PAIRS, dialogues, len(dialogues), "judging and rewriting questions") as results:
        done = sorted(results, key=lambda one: (one.discussion.forum_id, one.discussion.discussion_id))
    by_forum: defaultdict[str, list[Decided]] = defaultdict(list)
    for one in done:
        by_forum[one.discussion.forum_id] += one.pairs
    decided = [pair for pairs in by_forum.values() for pair in without_duplicates(pairs)]
    rows = pair_rows(decided, run.part, made_by)
    _measure(run, rows, decided)
    return {PAIRS: _frame(PAIRS, rows), EDITS: _frame(EDITS, edit_rows(done, run.part, made_by))}


def _edited(discussion: Discussion, reply: str) -> Dialogue[Edited]:
    read = EXTRACTION.read(reply)
    if not isinstance(read, Extraction):
        raise ValueError(
            f"{EXTRACTIONS}: the reply about {discussion.discussion_id} could be read once: {read}"
        )
    return edited(discussion, read.pairs)


def _measure(run: StepRun, rows: list[Row], decided: list[Decided]) -> None:
    """Put the perplexities of accepted pairs into their rows, where a model for it is set."""
    folder = run.settings.scidqa.perplexity_model
    accepted = [(row, one) for row, one in zip(rows, decided, strict=True) if one.reason is None]
    if not folder or not accepted:
        return
    model = Perplexity(Path(folder))
    with progress(f"{run.part}  measuring perplexities", 2 * len(accepted)) as advance:
        for row, one in accepted:
            assert one.edit
            extracted, edit = one.grounded.pair, one.edit
            texts = [f"{extracted.question} {extracted.answer}", f"{edit.question} {edit.answer}"]
            row["perplexity_before"], row["perplexity_after"] = model.of(texts, advance)


def _discussions(run: StepRun) -> list[Discussion]:
    return _read(run)[0]


def _read(run: StepRun) -> tuple[list[Discussion], list[RootReply]]:
    """The discussions of the batch, and the replies of authors that stand below submissions."""
    columns = "note_id, forum_id, replyto, created, kind, writer, signature, title, text"
    notes = run.read_part(_NOTES, "status = 'accepted'", columns).iter_rows(named=True)
    return discussions_of(notes, dict(run.read_part(_FORUMS, "true", "forum_id, title").iter_rows()))


def _made_by(run: StepRun, task: Task[Any]) -> MadeBy:
    return {
        "model": run.model.name,
        "model_revision": run.model.revision,
        "prompt_version": task.version,
    }


def _frame(table: str, rows: list[Row]) -> pl.DataFrame:
    return frame_of(table, rows).sort(*TABLES[table].key)
