"""Discussions out of rows of notes, and the rows that are made of them."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.asking.task import Outcome
from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.scidqa.pairs.addressed import Reason, addressed, reviewer_of
from aimsciqa_assets.scidqa.pairs.deciding import Decided, Edited
from aimsciqa_assets.scidqa.pairs.discussions import Discussion, Filtered, Turn
from aimsciqa_assets.scidqa.pairs.editing import Edits
from aimsciqa_assets.scidqa.pairs.extraction import Extraction
from aimsciqa_assets.scidqa.threads import Thread, thread_of

DISCUSSIONS: Final = "scidqa.discussions"
ROOT_REPLIES: Final = "scidqa.root_replies"
REQUESTS: Final = "scidqa.requests"
EXTRACTIONS: Final = "scidqa.extractions"
EDITS: Final = "scidqa.edits"
PAIRS: Final = "scidqa.qa_pairs"

Row = dict[str, Any]
MadeBy = Mapping[str, str]

_TAKING_PART: Final = frozenset({"authors", "reviewer"})
"""Who discusses a review: others may write below it, too, and are left out."""


@dataclass(frozen=True, slots=True)
class _Note:
    """What a thread and a discussion take of a row of `scidqa.notes`."""

    note_id: str
    replyto: str | None
    created: str | None
    kind: str
    writer: str
    signature: str
    title: str | None
    text: str

    @property
    def turn(self) -> Turn:
        return Turn(self.note_id, self.writer, self.text)


@dataclass(frozen=True, slots=True)
class RootReply:
    """A reply of the authors below the submission, and the reviews that it answers, or why none is known."""

    note_id: str
    forum_id: str
    review_note_ids: Sequence[str]
    reason: Reason | None


def discussions_of(
    notes: Iterable[Mapping[str, Any]], titles: Mapping[str, str | None]
) -> tuple[list[Discussion], list[RootReply]]:
    """The discussions of all reviews: rows of accepted notes, whole forums, and the titles of forums.

    A reply of the authors below the submission, with what was written below it, comes behind what stands
    below each review that it answers.
    """
    by_forum: defaultdict[str, list[_Note]] = defaultdict(list)
    for row in notes:
        note = _Note(*(row[name] for name in _Note.__slots__))
        by_forum[row["forum_id"]].append(note)
    discussions, root_replies = list[Discussion](), list[RootReply]()
    for forum_id, of_forum in by_forum.items():
        thread = thread_of(forum_id, of_forum)
        reviews = [one for one in thread.notes.values() if one.kind == "review" and one.writer != "authors"]
        to_all = _root_replies(thread, reviews)
        root_replies += to_all
        for review in reviews:
            below = [*thread.below(review.note_id)]
            for one in to_all:
                if review.note_id in one.review_note_ids:
                    below += [thread.notes[one.note_id], *thread.below(one.note_id)]
            turns = tuple(note.turn for note in below if note.writer in _TAKING_PART)
            discussions.append(Discussion(forum_id, titles.get(forum_id) or "", review.turn, turns))
    return discussions, root_replies


def _root_replies(thread: Thread[_Note], reviews: Iterable[_Note]) -> list[RootReply]:
    by_reviewer: defaultdict[str, list[str]] = defaultdict(list)
    for review in reviews:
        if reviewer := reviewer_of(review.signature):
            by_reviewer[reviewer].append(review.note_id)
    return [
        RootReply(note.note_id, thread.forum_id, *addressed(note.title, note.text, by_reviewer))
        for note in thread.replies.get(thread.forum_id, ())
        if note.kind == "response" and note.writer == "authors" and note.note_id not in thread.problems
    ]


def root_reply_rows(replies: Iterable[RootReply], batch: str) -> list[Row]:
    """Rows of `scidqa.root_replies`."""
    return [
        {
            "note_id": one.note_id,
            "batch": batch,
            "forum_id": one.forum_id,
            "review_note_ids": list(one.review_note_ids),
            "rejection_reason": one.reason,
        }
        for one in replies
    ]


def discussion_row(one: Filtered, batch: str) -> Row:
    """A row of `scidqa.discussions`."""
    discussion = one.discussion
    return {
        "discussion_id": discussion.discussion_id,
        "batch": batch,
        "forum_id": discussion.forum_id,
        "review_note_id": discussion.review.note_id,
        "reply_note_ids": [turn.note_id for turn in discussion.turns],
        "requests": len(one.requests),
        "cues": json.dumps(one.cues),
        "status": "rejected" if one.reason else "kept",
        "rejection_reason": one.reason,
    }


def request_rows(one: Filtered, batch: str) -> list[Row]:
    """Rows of `scidqa.requests`."""
    return [
        {
            "note_id": one.discussion.review.note_id,
            "batch": batch,
            "position": position,
            "sentence_start": request.start,
            "sentence_end": request.end,
            "cue": request.cue,
        }
        for position, request in enumerate(one.requests)
    ]


def reply_row(
    discussion: Discussion, outcome: Outcome[Extraction] | Outcome[Edits], batch: str, made_by: MadeBy
) -> Row:
    """A row of `scidqa.extractions` or `scidqa.edits`."""
    value = outcome.value
    pairs: Sequence[object] = value.pairs if isinstance(value, Extraction) else value.edits if value else ()
    return {
        "discussion_id": discussion.discussion_id,
        "batch": batch,
        "forum_id": discussion.forum_id,
        "status": "rejected" if outcome.reason else "answered",
        "rejection_reason": outcome.reason,
        "pairs": len(pairs),
        "reply": outcome.text,
        **made_by,
    }


def edit_rows(edited: Iterable[Edited], batch: str, made_by: MadeBy) -> list[Row]:
    """Rows of `scidqa.edits`, one for each discussion that the model was asked about."""
    return [reply_row(one.discussion, one.outcome, batch, made_by) for one in edited if one.outcome]


def pair_rows(pairs: Iterable[Decided], batch: str, made_by: MadeBy) -> list[Row]:
    """Rows of `scidqa.qa_pairs`; their perplexities are not measured yet."""
    repeated: defaultdict[tuple[str, ...], int] = defaultdict(int)
    rows = []
    for one in pairs:
        pair = one.grounded.pair
        extracted = (
            *(one.discussion.discussion_id, pair.question, pair.question_quote),
            *(pair.answer, pair.answer_quote),
        )
        qa_id = row_id(*extracted, repeated[extracted])
        repeated[extracted] += 1
        rows.append({"qa_id": qa_id, "batch": batch, **_columns(one), **made_by})
    return rows


def _columns(one: Decided) -> Row:
    pair, question, answer, edit = one.grounded.pair, one.grounded.question, one.grounded.answer, one.edit
    return {
        "forum_id": one.discussion.forum_id,
        "discussion_id": one.discussion.discussion_id,
        "position": one.position,
        "review_note_id": one.discussion.review.note_id,
        "reply_note_id": answer.turn.note_id if answer else None,
        "question": one.question,
        "answer": one.answer,
        "extracted_question": pair.question,
        "extracted_answer": pair.answer,
        "question_quote": pair.question_quote,
        "question_start": question.start if question else None,
        "question_end": question.end if question else None,
        "answer_quote": pair.answer_quote,
        "answer_start": answer.start if answer else None,
        "answer_end": answer.end if answer else None,
        "added": json.dumps(edit.added, ensure_ascii=False) if edit else None,
        "cited_references": json.dumps(one.references, ensure_ascii=False),
        "relevance": edit.relevance if edit else None,
        "why": edit.why if edit else None,
        "version": one.version,
        "version_rule": one.version_by_rule,
        "version_model": edit.version if edit else None,
        "perplexity_before": None,
        "perplexity_after": None,
        "multi_document": one.multi_document,
        "status": "rejected" if one.reason else "accepted",
        "rejection_reason": one.reason,
    }
