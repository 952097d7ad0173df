"""Accepted pairs as files: SciDQA's columns, and JSON lines with evidence and verdicts as PeerQA has them.

Text is written only where the licences of both notes allow it, because question and answer are made from
both; elsewhere ids and offsets stand alone. The same pairs give the same files, byte for byte.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any, Final

import polars as pl
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.scidqa.files.published import QUESTIONS, write_questions
from aimsciqa_assets.text.sentences import sentence_spans

WORKBOOK: Final = "scidqa.xlsx"
PARQUET: Final = "scidqa.parquet"
LINES: Final = "pairs.jsonl"
CARD: Final = "README.md"
CHECKSUMS: Final = "SHA256SUMS"
_BODY: Final = Path(__file__).with_name("card.md")
_LONGEST_CELL: Final = 32_767
_ALLOWING: Final = ("CC0", "CC BY", "CC BY-SA", "CC BY-NC", "CC BY-NC-SA", "public domain")
_PAIRS: Final = """
    select
        pairs.qa_id, pairs.forum_id, pairs.review_note_id, pairs.reply_note_id, pairs.question, pairs.answer,
        pairs.question_start, pairs.question_end, pairs.answer_start, pairs.answer_end, pairs.version,
        pairs.multi_document, forums.year, forums.venue, forums.decision,
        review.licence as review_licence, reply.licence as reply_licence,
        coalesce(review.status = 'accepted' and reply.status = 'accepted', false) as readable
    from scidqa.qa_pairs as pairs
    left join scidqa.forums as forums using (forum_id)
    left join scidqa.notes as review on review.note_id = pairs.review_note_id
    left join scidqa.notes as reply on reply.note_id = pairs.reply_note_id
    where pairs.status = 'accepted'
    order by pairs.forum_id, pairs.review_note_id, pairs.question_start, pairs.qa_id
"""
_VERDICTS: Final = """
    select qa_id, version, paper_id, verdict from scidqa.answerability where verdict is not null
    order by all
"""
_EVIDENCE: Final = """
    select
        evidence.qa_id, evidence.version, evidence.paper_id, evidence.paragraph_id, paragraphs.text,
        evidence.evidence_start, evidence.evidence_end, papers.licence
    from scidqa.evidence as evidence
    inner join corpus.paragraphs as paragraphs using (paragraph_id)
    inner join corpus.papers as papers on papers.paper_id = evidence.paper_id
    where evidence.evidence_start is not null
    order by evidence.qa_id, evidence.version, evidence.position
"""


@dataclass(frozen=True, slots=True)
class Exported:
    """Pairs that were written and those with text; what was left out, by reason; other pairs, by reason."""

    pairs: int
    with_text: int
    left_out: Mapping[str, int]
    rejected: Mapping[str, int]


def export(warehouse: Warehouse, folder: Path) -> Exported:
    """Write the accepted pairs of a home into an empty folder, with a card and checksums."""
    pairs = warehouse.read(_PAIRS).to_dicts()
    left_out: Counter[str] = Counter(
        "pair: a note is gone or may not be read" for pair in pairs if not pair["readable"]
    )
    pairs = [pair for pair in pairs if pair["readable"]]
    reasons = [_reasons(pair) for pair in pairs]
    left_out.update(f"text: {reason}" for found in reasons for reason in found)
    verdicts = _by_pair(warehouse.read(_VERDICTS).iter_rows(named=True))
    evidence = _by_pair(warehouse.read(_EVIDENCE).iter_rows(named=True))
    lines = []
    for number, (pair, found) in enumerate(zip(pairs, reasons, strict=True), start=1):
        if found:
            pair |= {"question": None, "answer": None}
        passages = evidence.get(pair["qa_id"], [])
        left_out.update(
            f"evidence's text: the manuscript's licence {_refusal(one['licence'])}"
            for one in passages
            if _refusal(one["licence"])
        )
        lines.append(_line(number, pair, found, verdicts.get(pair["qa_id"], []), passages))
    _write_tables(folder, pairs, left_out)
    _write(folder / LINES, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    made = Exported(
        len(pairs), sum(not found for found in reasons), dict(sorted(left_out.items())), _rejected(warehouse)
    )
    _write(folder / CARD, _card(made))
    sums = [
        f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n"
        for name in sorted((WORKBOOK, PARQUET, LINES, CARD))
    ]
    _write(folder / CHECKSUMS, "".join(sums))
    return made


def _refusal(licence: str | None) -> str:
    """Why texts under a licence cannot be written; empty where they can. Edited texts are derivatives."""
    if licence in _ALLOWING:
        return ""
    return "forbids derivatives" if licence in {"CC BY-ND", "CC BY-NC-ND"} else "is not known"


def _reasons(pair: Mapping[str, Any]) -> list[str]:
    """Why the text of a pair is left out; of both notes."""
    refusals = {"review": _refusal(pair["review_licence"]), "reply": _refusal(pair["reply_licence"])}
    return [f"the {note}'s licence {refusal}" for note, refusal in refusals.items() if refusal]


def _by_pair(rows: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    grouped: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        grouped.setdefault(row["qa_id"], []).append(row)
    return grouped


def _line(
    number: int,
    pair: Mapping[str, Any],
    reasons: list[str],
    verdicts: list[dict[str, Any]],
    passages: list[dict[str, Any]],
) -> dict[str, Any]:
    """A pair as JSON: what PeerQA has of a question, with a verdict for each version of the manuscript."""
    return {
        "id": number,
        "qa_id": pair["qa_id"],
        "forum_id": pair["forum_id"],
        "question": pair["question"],
        "answer": pair["answer"],
        "text_left_out": reasons,
        "version": pair["version"],
        "multi_document": pair["multi_document"],
        "question_quote": {
            "note_id": pair["review_note_id"],
            "start": pair["question_start"],
            "end": pair["question_end"],
            "licence": pair["review_licence"],
        },
        "answer_quote": {
            "note_id": pair["reply_note_id"],
            "start": pair["answer_start"],
            "end": pair["answer_end"],
            "licence": pair["reply_licence"],
        },
        "answerable": {one["version"]: one["verdict"] for one in verdicts},
        "evidence": [passage_of(one) for one in passages],
    }


def passage_of(found: Mapping[str, Any]) -> dict[str, Any]:
    """The sentences of a paragraph that evidence touches, with offsets in the paragraph."""
    text, start, end = found["text"], found["evidence_start"], found["evidence_end"]
    shown = not _refusal(found["licence"])
    touched = [(first, last) for first, last in sentence_spans(text) if first < end and start < last]
    return {
        "version": found["version"],
        "paper_id": found["paper_id"],
        "paragraph_id": found["paragraph_id"],
        "licence": found["licence"] or None,
        "start": start,
        "end": end,
        "sentences": [
            {"start": first, "end": last, "text": text[first:last] if shown else None}
            for first, last in touched
        ],
    }


def _write_tables(folder: Path, pairs: list[dict[str, Any]], left_out: Counter[str]) -> None:
    """SciDQA's columns; a text that is too long for a cell of Excel is in the other files only."""
    rows = pl.DataFrame(
        [
            {
                "id": number, "year": pair["year"], "venue": pair["venue"], "rid": pair["review_note_id"],
                "pid": pair["forum_id"], "decision": pair["decision"], "que": pair["question"],
                "ans": pair["answer"], "version": pair["version"] and pair["version"].capitalize(),
            }
            for number, pair in enumerate(pairs, start=1)
        ],
        schema=QUESTIONS,
    )  # fmt: skip
    write_questions(folder / PARQUET, rows)
    texts = pl.col("que", "ans")
    short = rows.with_columns(pl.when(texts.str.len_chars() <= _LONGEST_CELL).then(texts))
    if too_long := rows.select(texts.str.len_chars() > _LONGEST_CELL).sum().transpose().sum().item():
        left_out[f"text in {WORKBOOK}: too long for a cell of Excel"] = too_long
    write_questions(folder / WORKBOOK, short)


def _rejected(warehouse: Warehouse) -> dict[str, int]:
    told = "select rejection_reason, count(*) from scidqa.qa_pairs where status = 'rejected' group by 1"
    return dict(sorted(warehouse.read(told).iter_rows()))


def _card(made: Exported) -> str:
    """What the files hold, and what they lack."""
    listed = [f"- {count:,} × {reason}" for reason, count in made.left_out.items()]
    rejected = [f"- {count:,} × `{reason}`" for reason, count in made.rejected.items()]
    return Template(_BODY.read_text(encoding="utf-8")).substitute(
        pairs=f"{made.pairs:,}",
        with_text=f"{made.with_text:,}",
        left_out="\n".join(listed) or "Nothing.",
        rejected="\n".join(rejected) or "None.",
    )


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
