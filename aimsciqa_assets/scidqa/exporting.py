"""Accepted pairs as files: SciDQA's columns, and JSON lines with evidence and verdicts as PeerQA has them.

Text is written only where the licences of both notes allow it, because question and answer are made from
both; elsewhere ids and offsets stand alone. The same pairs give the same files, byte for byte.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from string import Template
from typing import Any, Final

import polars as pl
import pyarrow.parquet as pq
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa.files import json_text
from aimsciqa_assets.platform.croissant import PARQUET as PARQUET_FORM
from aimsciqa_assets.platform.croissant import described, described_file, described_rows
from aimsciqa_assets.platform.folders import files_in, in_place_of, sha256_of
from aimsciqa_assets.platform.licences import refusal
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.scidqa.files.exported import CARD, CHECKSUMS, CROISSANT, LINES, PARQUET, WORKBOOK
from aimsciqa_assets.scidqa.files.published import LONGEST_CELL, QUESTIONS, write_questions
from aimsciqa_assets.scidqa.files.responses import write_responses
from aimsciqa_assets.text.sentences import sentence_spans

_BODY: Final = Path(__file__).with_name("card.md")
_SAID: Final = {
    "no_derivatives": "forbids derivatives",
    "text_mining_only": "allows text mining only",
    "licence_unknown": "is not known",
}


@dataclass(frozen=True, slots=True)
class Exported:
    """Pairs that were written and those with text; what was left out, by reason; other pairs, by reason."""

    pairs: int
    with_text: int
    left_out: Mapping[str, int]
    rejected: Mapping[str, int]


def export(warehouse: Warehouse, folder: Path) -> Exported:
    """Write the accepted pairs of a home into a folder, in place of all that is there.

    Answers of models to them come as response files; a card, Croissant and checksums describe all.
    """
    with in_place_of(folder) as (fresh, _):
        return _export(warehouse, fresh)


def _export(warehouse: Warehouse, folder: Path) -> Exported:
    pairs = _rows(warehouse, "pairs")
    left_out: Counter[str] = Counter(
        "pair: a note is gone or may not be read" for pair in pairs if not pair["readable"]
    )
    pairs = [pair for pair in pairs if pair["readable"]]
    reasons = [_reasons(pair) for pair in pairs]
    left_out.update(f"text: {reason}" for found in reasons for reason in found)
    verdicts = _by_pair(_rows(warehouse, "verdicts"))
    evidence = _by_pair(_rows(warehouse, "passages"))
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
    rows = _question_rows(pairs)
    _write_tables(folder, rows, left_out)
    readable = [row | {"qa_id": pair["qa_id"]} for row, pair in zip(rows, pairs, strict=True) if row["que"]]
    left_out += write_responses(folder, readable, _rows(warehouse, "answers"))
    _write(folder / LINES, "".join(json_text(line) + "\n" for line in lines))
    made = Exported(
        len(pairs), sum(not found for found in reasons), dict(sorted(left_out.items())), _rejected(warehouse)
    )
    _write(folder / CARD, _card(made))
    _write(folder / CROISSANT, _croissant(folder, pairs))
    sums = [f"{sha256_of(folder / name)}  {name}\n" for name in files_in(folder)]
    _write(folder / CHECKSUMS, "".join(sums))
    return made


def _rows(warehouse: Warehouse, name: str) -> list[dict[str, Any]]:
    return warehouse.read(query_of(f"reviews.{name}").text).to_dicts()


def _refusal(licence: str | None) -> str:
    """Why texts under a licence cannot be written; empty where they can. Edited texts are derivatives."""
    reason = refusal(licence)
    return _SAID[reason] if reason else ""


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


def _question_rows(pairs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The pairs in SciDQA's columns."""
    return [
        {
            "id": number, "year": pair["year"], "venue": pair["venue"], "rid": pair["review_note_id"],
            "pid": pair["forum_id"], "decision": pair["decision"], "que": pair["question"],
            "ans": pair["answer"], "version": pair["version"] and pair["version"].capitalize(),
        }
        for number, pair in enumerate(pairs, start=1)
    ]  # fmt: skip


def _write_tables(folder: Path, questions: list[dict[str, Any]], left_out: Counter[str]) -> None:
    """SciDQA's columns; a text that is too long for a cell of Excel is in the other files only."""
    rows = pl.DataFrame(questions, schema=QUESTIONS)
    write_questions(folder / PARQUET, rows)
    texts = pl.col("que", "ans")
    short = rows.with_columns(pl.when(texts.str.len_chars() <= LONGEST_CELL).then(texts))
    if too_long := rows.select(texts.str.len_chars() > LONGEST_CELL).sum().transpose().sum().item():
        left_out[f"text in {WORKBOOK}: too long for a cell of Excel"] = too_long
    write_questions(folder / WORKBOOK, short)


def _croissant(folder: Path, pairs: Sequence[Mapping[str, Any]]) -> str:
    """The tables described; their licences are those of the notes whose texts are there."""
    licences = {pair[f"{note}_licence"] for pair in pairs if pair["question"] for note in ("review", "reply")}
    about = {
        "name": "scidqa-pairs",
        "description": "Questions of reviewers about papers and the answers of authors, from OpenReview.",
        "license": sorted(licences) or [CARD],
        "citeAs": f"Made with aimsciqa {version('aimsciqa')} by the method of SciDQA",
        "version": "1.0.0",
    }
    forms = {PARQUET: PARQUET_FORM, LINES: "application/jsonlines"}
    files = [described_file(name, sha256_of(folder / name), form) for name, form in forms.items()]
    schema = pq.read_schema(folder / PARQUET)
    return described(about, files, [described_rows("questions", schema, PARQUET)])


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
