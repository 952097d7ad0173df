"""Reviews of items: read from the review page or from a file, checked, and appended to the warehouse.

A review is all that its reviewer says of an item at that time; the next one by the same person takes its
place, and the earlier one stays as a row. It counts as long as the item has the words that were reviewed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from aimsciqa_resources.warehouse import Warehouse, Write
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from aimsciqa.files import json_of, json_text, read_lines
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.queries import query_of
from aimsciqa_assets.platform.records import Record
from aimsciqa_assets.platform.writing import create_tables, record_write
from aimsciqa_assets.tables import MATERIALIZATIONS, TABLES

REVIEWS = "benchmark.reviews"
MOST_CHARACTERS = 20_000

Row = dict[str, Any]

_Line = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
_Text = Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS, pattern=r"\S")]


class ReviewError(ValueError):
    """A review that cannot be taken; the message says why."""


class OutdatedReviewError(ReviewError):
    """A review of words that the item does not have any more."""


class Review(BaseModel):
    """A review as it came in; `question` and `answer` are edited texts, None where nobody edited them.

    `of_question` and `of_answer` are the texts that were reviewed. Without `reviewed_at` it is of now.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    item_id: _Line
    reviewer: Annotated[_Line, Field(max_length=80)]
    decision: Literal["accept", "reject"] | None = None
    question: _Text | None = None
    answer: _Text | None = None
    score: Annotated[int, Field(ge=1, le=5, strict=True)] | None = None
    note: Annotated[str, Field(max_length=4000)] = ""
    of_question: str
    of_answer: str
    reviewed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Added:
    """What became of reviews: `new` rows, those `known` already, and problems with their places."""

    new: list[Row]
    known: int
    problems: list[str]


def read_review(values: object) -> Review:
    """A review of what JSON holds. Raises `ReviewError`."""
    try:
        return Review.model_validate(values)
    except ValidationError as error:
        faults = [
            f"{'.'.join(map(str, fault['loc'])) or 'review'}: {fault['msg']}" for fault in error.errors()
        ]
        raise ReviewError("; ".join(faults)) from None


def add_review(review: Review, warehouse: Warehouse) -> Row:
    """Append a review; returns its row. Raises `ReviewError`, or `OutdatedReviewError`."""
    added = _add([("", review)], warehouse)
    if added.problems:
        raise OutdatedReviewError(added.problems[0])
    return added.new[0]


def import_reviews(file: Path, warehouse: Warehouse) -> Added:
    """Append the reviews of a file of JSON lines, as `aimsciqa review export` writes it.

    Lines that cannot be used become problems, and the others are taken. Reviews that are known stay as they
    are.
    """
    reviews: list[tuple[str, Review]] = []
    problems = []
    for number, line in read_lines(file):
        try:
            reviews.append((f"line {number}: ", read_review(_values(line))))
        except ReviewError as error:
            problems.append(f"line {number}: {error}")
    added = _add(reviews, warehouse)
    return Added(added.new, added.known, [*problems, *added.problems])


def export_reviews(file: Path, warehouse: Warehouse) -> int:
    """Write all reviews as JSON lines; returns their number."""
    create_tables(warehouse)
    columns = ", ".join(Review.model_fields)
    rows = warehouse.read(f"select {columns} from {REVIEWS} order by reviewed_at, item_id, reviewer")
    with file.open("w", encoding="utf-8", newline="\n") as out:
        for row in rows.iter_rows(named=True):
            out.write(json_text(row) + "\n")
    return rows.height


def _values(line: bytes) -> object:
    try:
        return json_of(line)
    except ValueError as error:
        raise ReviewError(f"no JSON: {error}") from None


def _add(reviews: Sequence[tuple[str, Review]], warehouse: Warehouse) -> Added:
    """Append reviews, each with its place in the file; one process at a time."""
    with warehouse.reading():
        pass  # without a warehouse, this says what to do, and creates none
    with warehouse.one_at_a_time("reviews"):
        create_tables(warehouse)
        ids = sorted({review.item_id for _, review in reviews})
        with warehouse.one_state():
            subjects = warehouse.read(query_of("review.subjects").text, {"ids": ids}).rows_by_key(
                "item_id", named=True, unique=True
            )
            known = warehouse.read(
                f"select item_id, reviewer, number, reviewed_at from {REVIEWS} where item_id in "
                "(select unnest($ids::varchar[]))",
                {"ids": ids},
            ).to_dicts()
            before = warehouse.read(
                f"select fingerprint, rows from {MATERIALIZATIONS.name} where table_name = $table",
                {"table": REVIEWS},
            ).rows()
        problems = [f"{place}{fault}" for place, review in reviews if (fault := _fault(review, subjects))]
        sound = [review for _, review in reviews if not _fault(review, subjects)]
        rows = list(_rows(sound, known))
        if rows:
            fingerprint, count = before[0] if before else ("", 0)
            fingerprint = digest({"before": fingerprint, "new": rows})
            record = Record(REVIEWS, "", fingerprint, fingerprint, "", frozenset(), count + len(rows))
            frame = frame_of(REVIEWS, rows)
            # With its key, a write takes away no row but an equal one.
            write = Write(REVIEWS, TABLES[REVIEWS].ddl(), frame, {}, by=TABLES[REVIEWS].key)
            warehouse.replace([write, record_write(record)])
    return Added(rows, len(sound) - len(rows), problems)


def _fault(review: Review, subjects: Mapping[str, Mapping[str, Any]]) -> str:
    subject = subjects.get(review.item_id)
    if subject is None:
        return f"{review.item_id!r} is not among the accepted items of this corpus"
    if (subject["question"], subject["answer"]) != (review.of_question, review.of_answer):
        return f"{review.item_id!r} has other words now than those that were reviewed"
    return ""


def _rows(reviews: Iterable[Review], known: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    """Rows of the reviews that are not known, in the order of their time."""
    numbers = Counter((row["item_id"], row["reviewer"]) for row in known)
    there = {(row["item_id"], row["reviewer"], row["reviewed_at"]) for row in known}
    now = datetime.now(UTC)
    dated = sorted(((review.reviewed_at or now, review) for review in reviews), key=lambda pair: pair[0])
    for time, review in dated:
        whose = (review.item_id, review.reviewer)
        reviewed_at = time.astimezone(UTC).isoformat(timespec="microseconds")
        if (*whose, reviewed_at) in there:
            continue
        there.add((*whose, reviewed_at))
        numbers[whose] += 1
        yield review.model_dump() | {"number": numbers[whose], "reviewed_at": reviewed_at}
