"""A folder that `aimsciqa reviews export` wrote: whether it is one, and whether its files are sound."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl
from aimsciqa_resources.workbooks import WorkbookError

from aimsciqa.files import json_of, read_lines, read_text, text_of
from aimsciqa_assets.platform.folders import files_in, sha256_of
from aimsciqa_assets.platform.licences import refusal
from aimsciqa_assets.scidqa.files.published import (
    LONGEST_CELL,
    PublishedFileError,
    read_questions,
    read_responses,
)
from aimsciqa_assets.scidqa.files.responses import FOLDER as RESPONSES

WORKBOOK: Final = "scidqa.xlsx"
PARQUET: Final = "scidqa.parquet"
LINES: Final = "pairs.jsonl"
CARD: Final = "README.md"
CROISSANT: Final = "croissant.json"
CHECKSUMS: Final = "SHA256SUMS"
_OWN: Final = re.compile(
    rf"{WORKBOOK}|{PARQUET}|{LINES}|{CARD}|{CROISSANT}|{CHECKSUMS}|{RESPONSES}/\w+/[^/]+\.xlsx"
)
_EXAMPLES: Final = 3


def not_ours(folder: Path) -> str:
    """Why a folder must not be written over; "" where it is not there, empty, or as an export left it."""
    if not folder.exists():
        return ""
    if not folder.is_dir():
        return "it is a file"
    present = files_in(folder)
    foreign = [name for name in present if not _OWN.fullmatch(name)]
    if foreign:
        return f"it holds {foreign[0]}, which no export wrote"
    return next(_checksums(folder, present), "") if present else ""


def problems_of(folder: Path) -> Iterator[str]:
    """A line for each kind of problem: files, rows that differ, texts and answers against their licence."""
    if why := not_ours(folder):
        yield why
    try:
        lines = [json_of(line) for _, line in read_lines(folder / LINES)]
        questions = read_questions(folder / PARQUET)
        texts = pl.col("que", "ans")
        short = questions.with_columns(pl.when(texts.str.len_chars() <= LONGEST_CELL).then(texts))
        if not read_questions(folder / WORKBOOK).equals(short):
            yield f"{WORKBOOK} has other rows than {PARQUET}"
        yield from _lines(lines, questions)
        for file in sorted((folder / RESPONSES).rglob("*.xlsx")):
            answered = read_responses(file)[0].rows.filter(pl.col("prediction").is_not_null())
            without = answered.join(questions.filter(pl.col("que").is_not_null()), on="id", how="anti")
            if without.height:
                yield _told(f"{file.name} answers questions that have no text", without["id"].to_list())
        described = json_of(read_text(folder / CROISSANT))["distribution"]
        if other := [file["@id"] for file in described if sha256_of(folder / file["@id"]) != file["sha256"]]:
            yield _told(f"checksum differs from {CROISSANT}", other)
    except (OSError, ValueError, KeyError, TypeError, PublishedFileError, WorkbookError) as error:
        yield f"it is no export that can be read: {error}"


def _checksums(folder: Path, present: list[str]) -> Iterator[str]:
    listed = dict[str, str]()
    if (folder / CHECKSUMS).is_file():
        for _, line in read_lines(folder / CHECKSUMS):
            checksum, _, name = text_of(line).partition("  ")
            listed[name] = checksum
    names = {*present} - {CHECKSUMS}
    if unlisted := sorted(names - listed.keys()):
        yield f"it holds {unlisted[0]}, which {CHECKSUMS} does not list"
    if missing := sorted(listed.keys() - names):
        yield f"it lacks {missing[0]}, which {CHECKSUMS} lists"
    if changed := [
        name for name in sorted(names & listed.keys()) if sha256_of(folder / name) != listed[name]
    ]:
        yield f"{changed[0]} was changed after it was written"


def _lines(lines: list[Mapping[str, Any]], questions: pl.DataFrame) -> Iterator[str]:
    found = [(one["id"], one["qa_id"], one["question"], one["answer"]) for one in lines]
    if [(number, *texts) for number, _, *texts in found] != questions.select("id", "que", "ans").rows():
        yield f"{LINES} has other rows than {PARQUET}"
    if len({qa_id for _, qa_id, _, _ in found}) < len(found):
        yield f"{LINES} has a pair twice"
    rules = {
        "text that the licences of the notes forbid": [
            one["qa_id"] for one in lines if _has_text(one) and any(map(_refused, _quotes(one)))
        ],
        "sentences that the manuscript's licence forbids": [
            one["qa_id"]
            for one in lines
            if any(
                _refused(passage) and any(sentence["text"] for sentence in passage["sentences"])
                for passage in one["evidence"]
            )
        ],
        "quotes that end before they begin": [
            one["qa_id"] for one in lines if any(quote["start"] >= quote["end"] for quote in _quotes(one))
        ],
    }
    for rule, broken in rules.items():
        if broken:
            yield _told(f"{LINES} has {rule}", broken)


def _quotes(line: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    return line["question_quote"], line["answer_quote"]


def _has_text(line: Mapping[str, Any]) -> bool:
    return line["question"] is not None or line["answer"] is not None


def _refused(quote: Mapping[str, Any]) -> bool:
    return refusal(quote["licence"]) is not None


def _told(what: str, examples: list[Any]) -> str:
    return f"{what} ({len(examples):,}): {'; '.join(map(str, examples[:_EXAMPLES]))}"
