"""Answers of the benchmark as SciDQA's response files, for the authors' programs and `reviews scores`."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from aimsciqa_resources.workbooks import write_workbook

from aimsciqa_assets.platform.licences import refusal
from aimsciqa_assets.scidqa.files.published import LONGEST_CELL, QUESTIONS

FOLDER: Final = "responses"
CODES: Final = {"closed_book": "mem", "title_abstract": "tabs", "passages": "rag", "segments": "ft"}
"""The authors' names of our settings of answering."""
_UNFIT: Final = re.compile(r"[^\w.-]+")
_ADDRESS: Final = re.compile(r"@\S+")


def write_responses(
    folder: Path, questions: Sequence[Mapping[str, Any]], answers: Iterable[Mapping[str, Any]]
) -> Counter[str]:
    """Write a workbook for each model and setting; returns what was left out, by reason.

    `questions` are rows in SciDQA's columns with `qa_id`, those with text only; `answers` are rows of
    `reviews/answers.sql`. An answer is left out where a licence of what the model read forbids its words.
    """
    left_out: Counter[str] = Counter()
    names: dict[str, str] = {}
    for (answerer, setting), rows in groupby(answers, key=itemgetter("answerer", "setting")):
        model = names.setdefault(answerer, _name(answerer, set(names.values())))
        of_pair = {row["qa_id"]: row for row in rows}
        code = CODES[setting]
        path = folder / FOLDER / code / f"{model}_{code}.xlsx"
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, model, questions, of_pair, left_out)
    return left_out


def _name(answerer: str, taken: set[str]) -> str:
    """The name of a model in files and columns: without address and folder, and no other model's."""
    plain = _UNFIT.sub("_", _ADDRESS.sub("", answerer).rsplit("/", 1)[-1])
    name, number = plain, 1
    while name in taken:
        number += 1
        name = f"{plain}-{number}"
    return name


def _write(
    path: Path,
    model: str,
    questions: Sequence[Mapping[str, Any]],
    answers: Mapping[str, Mapping[str, Any]],
    left_out: Counter[str],
) -> None:
    """One file. Of answers from segments, `MODEL_ans` is the list, and `MODEL_ans_single` the choice."""
    in_segments = any(len(row["candidates"]) > 1 for row in answers.values())
    cells = []
    for question in questions:
        answer = answers.get(question["qa_id"])
        given: list[str | None] = [None] * (1 + in_segments)
        if answer is not None and any(refusal(licence) for licence in answer["licences"]):
            left_out[f"answer in {path.name}: the licence of what the model read"] += 1
        elif answer is not None and answer["prediction"] is not None:
            given = [answer["prediction"]]
            if in_segments:
                given.insert(0, repr(answer["candidates"] or given))
        row = [*(question[name] for name in QUESTIONS), *given]
        long = [isinstance(value, str) and len(value) > LONGEST_CELL for value in row]
        if any(long):
            left_out[f"text in {path.name}: too long for a cell of Excel"] += sum(long)
        cells.append([None if is_long else value for value, is_long in zip(row, long, strict=True)])
    write_workbook(path, [*QUESTIONS, f"{model}_ans", *([f"{model}_ans_single"] * in_segments)], cells)
