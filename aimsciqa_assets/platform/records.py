"""What was written so far: for every part of a table how it was made, and which steps failed last time."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl


@dataclass(frozen=True, slots=True)
class Record:
    """A row of `ops.materializations`: a part of a table as it was last written.

    `own` covers code, settings and the `inputs` of its own part; `fingerprint` covers in addition what other
    parts contributed; `seen` names the batches that it looked at. `determinants` says all that in JSON; it is
    "" where it was not asked for, and where an earlier version wrote the rows. `lacking` are columns that the
    table got after these rows were written.
    """

    table_name: str
    part: str
    fingerprint: str
    own: str
    inputs: str
    seen: frozenset[str]
    rows: int
    determinants: str = ""
    lacking: tuple[str, ...] = ()


class Records:
    """Everything that was written so far, by table and part."""

    def __init__(self, frame: pl.DataFrame) -> None:
        records = map(_record_of, frame.iter_rows(named=True))
        self._records = {(record.table_name, record.part): record for record in records}

    def get(self, table: str, part: str) -> Record | None:
        """The record of a part of a table, else of the whole table."""
        return self._records.get((table, part)) or self._records.get((table, ""))

    def of_table(self, table: str) -> dict[str, Record]:
        """The records of a table, by part."""
        return {part: record for (name, part), record in self._records.items() if name == table}

    def any_of(self, tables: Iterable[str], part: str) -> bool:
        """Whether a part of one of some tables was ever written."""
        return any((table, part) in self._records for table in tables)

    def fingerprints(self, table: str, part: str) -> dict[str, str]:
        """The fingerprint of a part of a table, by part; of all its parts when `part` is ""."""
        own = self.get(table, part) if part else None
        records = [own] if own else ([] if part else list(self.of_table(table).values()))
        return {record.part: record.fingerprint for record in records}


def _record_of(row: Mapping[str, Any]) -> Record:
    return Record(
        row["table_name"],
        row["part"],
        row["fingerprint"],
        row["own"],
        row["inputs"] or "",
        frozenset(row["seen"]),
        row["rows"],
        row.get("determinants") or "",
        tuple(row["lacking"] or ()),
    )
