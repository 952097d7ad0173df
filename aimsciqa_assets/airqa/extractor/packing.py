"""Rows that come one after the other, as the frames of their tables."""

from collections.abc import Iterable
from typing import Any, Final

import polars as pl

from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.tables import TABLES

_AT_ONCE: Final = 500


class Packed:
    """Rows of some tables, kept as columns as they come: so thousands of them take little memory."""

    def __init__(self, tables: Iterable[str]) -> None:
        self._rows: dict[str, list[dict[str, Any]]] = {table: [] for table in tables}
        self._frames: dict[str, list[pl.DataFrame]] = {table: [] for table in self._rows}

    def add(self, table: str, rows: Iterable[dict[str, Any]]) -> None:
        """Keep rows of a table."""
        self._rows[table] += rows
        if len(self._rows[table]) >= _AT_ONCE:
            self._frames[table].append(frame_of(table, self._rows[table]))
            self._rows[table].clear()

    def frames(self) -> Frames:
        """All rows, each table in the order of its key; they are given away."""
        return {table: self._taken(table).sort(*TABLES[table].key) for table in tuple(self._rows)}

    def _taken(self, table: str) -> pl.DataFrame:
        rows, frames = self._rows.pop(table), self._frames.pop(table)
        return pl.concat([*frames, frame_of(table, rows)])
