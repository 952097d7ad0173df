"""What determined a table's rows: the hash by which a rerun knows that there is nothing to do."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import polars as pl


@dataclass(frozen=True, slots=True)
class Record:
    """A row of `ops.materializations`.

    `own` covers code, settings and the batch's own `inputs`; `fingerprint` covers in addition what other
    batches contributed; `seen` names those batches.
    """

    table_name: str
    batch: str
    fingerprint: str
    own: str
    inputs: str
    seen: frozenset[str]
    rows: int


class Records:
    """Everything that was written so far, by table and batch."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._records = {
            (row["table_name"], row["batch"]): Record(
                row["table_name"],
                row["batch"],
                row["fingerprint"],
                row["own"],
                row["inputs"] or "",
                frozenset(row["seen"]),
                row["rows"],
            )
            for row in frame.iter_rows(named=True)
        }

    def get(self, table: str, batch: str) -> Record | None:
        """The record of a batch of a table, else of the whole table."""
        return self._records.get((table, batch)) or self._records.get((table, ""))

    def of_table(self, table: str) -> dict[str, Record]:
        """The records of a table, by batch."""
        return {batch: record for (name, batch), record in self._records.items() if name == table}

    def fingerprints(self, table: str, batch: str) -> dict[str, str]:
        """Fingerprints of a batch of a table by batch; of all its batches when `batch` is ""."""
        own = self.get(table, batch) if batch else None
        records = [own] if own else ([] if batch else list(self.of_table(table).values()))
        return {record.batch: record.fingerprint for record in records}


def digest(determinants: Mapping[str, Any]) -> str:
    """32 hex digits over anything JSON can say, the same in every process."""
    text = json.dumps(determinants, sort_keys=True, default=str)
    return blake2b(text.encode(), digest_size=16).hexdigest()


def is_current(
    recorded: Record | None, *, fingerprint: str, own: str, needed: frozenset[str], refresh: bool
) -> bool:
    """Whether the recorded rows are what a new run would make, or near enough.

    Without `refresh`, a batch stays as it is while nothing of its own changed and it has seen every batch
    in `needed`: papers ingested later do not disturb it.
    """
    if recorded is None:
        return False
    if recorded.fingerprint == fingerprint:
        return True
    return not refresh and recorded.own == own and needed <= recorded.seen
