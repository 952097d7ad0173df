"""The three tasks and their limits: a summary of 50 words, a tldr of 80, five tags (AirQA, section 4.3)."""

import json
from typing import Final

from pydantic import BaseModel

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.json_replies import read_object
from aimsciqa_assets.asking.task import Task

SUMMARY_WORDS: Final = 50
TLDR_WORDS: Final = 80
TAGS: Final = 5
TOO_MANY_WORDS: Final = "too_many_words"
EMPTY: Final = "empty_text"
OTHER_NUMBER: Final = "not_five_tags"


class Summary(BaseModel):
    """The reply for a page, a section, a table or a figure."""

    summary: str


class Tldr(BaseModel):
    """The reply for a paper."""

    tldr: str


class Tags(BaseModel):
    """Its keywords."""

    tags: list[str]


def read_summary(text: str) -> str | Fault[str]:
    """The summary on one line."""
    return _read(text, Summary, "summary", SUMMARY_WORDS)


def read_tldr(text: str) -> str | Fault[str]:
    """The summary of a paper on one line."""
    return _read(text, Tldr, "tldr", TLDR_WORDS)


def read_tags(text: str) -> str | Fault[str]:
    """The tags as a list in JSON; those that differ in case or white space alone count once."""
    read = read_object(text, Tags)
    if isinstance(read, Fault):
        return Fault(read.reason, read.complaint)
    different = {tag.casefold(): tag for tag in map(_line, reversed(read.tags)) if tag}
    tags = [*reversed(different.values())]
    if len(tags) != TAGS:
        return Fault(OTHER_NUMBER, f"it has {len(tags)} different tags, and {TAGS} are asked for")
    return json.dumps(tags, ensure_ascii=False)


def _read(text: str, form: type[BaseModel], field: str, most: int) -> str | Fault[str]:
    read = read_object(text, form)
    if isinstance(read, Fault):
        return Fault(read.reason, read.complaint)
    line = _line(getattr(read, field))
    words = len(line.split())
    if not words:
        return Fault(EMPTY, "its text is empty")
    if words > most:
        return Fault(TOO_MANY_WORDS, f"its text has {words} words, and at most {most} are allowed")
    return line


def _line(text: str) -> str:
    return " ".join(text.split())


SUMMARY: Final = Task[str]("airqa_summary", Summary, read_summary)
TLDR: Final = Task[str]("airqa_tldr", Tldr, read_tldr)
TAGGING: Final = Task[str]("airqa_tags", Tags, read_tags)
TASKS: Final = (SUMMARY, TLDR, TAGGING)
