"""Which steps have rows to make, and which of them can make them now.

The nightly automation goes by this: it looks at what is in the warehouse, not at what happened when, so that
nothing is missed by a daemon that was down. Only data make a step due. Another model, prompt or setting does
not: whoever changes it starts a backfill, or `aimsciqa run`.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import polars as pl
from aimsciqa_resources.settings import Settings
from aimsciqa_resources.warehouse import Warehouse, WarehouseMissingError

from aimsciqa_assets.fingerprints import Records, digest
from aimsciqa_assets.frames import frame_of
from aimsciqa_assets.intake import INPUT_FILES, batches_needed_by
from aimsciqa_assets.steps import DECLARED, Declaration, stale_batches
from aimsciqa_assets.tables import MATERIALIZATIONS, TABLES

Failed = Callable[[str, str], bool]
"""Whether the last run of the step that writes a table failed, for a batch ("" for a whole table)."""


@dataclass(frozen=True)
class State:
    """What was made so far, of which batches, and what of it leads to papers that are there no more."""

    records: Records
    input_files: pl.DataFrame
    stale: Mapping[str, frozenset[str]]
    settings: Settings

    @classmethod
    def of(cls, warehouse: Warehouse, settings: Settings) -> "State":
        """The state of a warehouse; that of one that is not there yet is empty."""
        try:
            records = Records(warehouse.read(f"select * from {MATERIALIZATIONS.name}"))
            input_files = warehouse.read("select distinct batch, ingest from corpus.input_files")
        except WarehouseMissingError:
            return cls(Records(frame_of(MATERIALIZATIONS.name, [])), frame_of(INPUT_FILES, []), {}, settings)
        stale = {name: stale_batches(warehouse, step) for name, step in DECLARED.items() if step.stale_if}
        return cls(records, input_files, stale, settings)

    @cached_property
    def batches(self) -> list[str]:
        """All paper batches."""
        return sorted(self.input_files["batch"].unique())

    def is_due(self, step: Declaration, batch: str) -> bool:
        """Whether the rows are missing, or were made from other data than there are now."""
        table = step.writes[0]
        inputs = step.inputs(batch, self.records)
        record = self.records.get(table, batch)
        if record is None:
            return any(inputs.values())
        if record.inputs != digest(inputs) or batch in self.stale.get(table, ()):
            return True
        if not step.batched or not step.across_for(self.settings):
            return False
        # A batch that failed elsewhere cannot be looked at; once it is there, this one is due again.
        visible = step.visible(self.settings, self.records)
        return not batches_needed_by(batch, self.input_files) & visible <= record.seen

    def is_ready(self, step: Declaration, batch: str, failed: Failed, together: Collection[str] = ()) -> bool:
        """Whether nothing that it reads is about to change.

        `together` are tables that are about to be made in the same run, before it. A batch that failed does
        not hold up the others: nobody waits for it.
        """
        if not step.batched:
            return all(
                table in together
                or not any(self._is_coming(table, one, failed) for one in self._parts(table))
                for table in step.reads
            )
        own = (table in together or self._is_there(table, batch) for table in step.reads)
        return all(own) and all(
            self._is_there(table, batch)
            and not any(self._is_coming(table, one, failed) for one in self._needed(table, batch))
            for table in step.across_for(self.settings)
        )

    def _parts(self, table: str) -> list[str]:
        return self.batches if TABLES[table].batched else [""]

    def _needed(self, table: str, batch: str) -> Collection[str]:
        return batches_needed_by(batch, self.input_files) if TABLES[table].batched else [""]

    def _is_there(self, table: str, batch: str) -> bool:
        """Whether a table has the rows of a batch, made from what there is now."""
        part = batch if TABLES[table].batched else ""
        step = DECLARED.get(table)
        if step is None:
            return True
        return self.records.get(table, part) is not None and not self.is_due(step, part)

    def _is_coming(self, table: str, part: str, failed: Failed) -> bool:
        """Whether rows will come, or others: the step is due, and neither it nor what it reads failed."""
        step = DECLARED.get(table)
        return step is not None and self.is_due(step, part) and not self._is_stuck(step, part, failed)

    def _is_stuck(self, step: Declaration, part: str, failed: Failed) -> bool:
        if failed(step.writes[0], part):
            return True
        upstream = (DECLARED.get(table) for table in step.reads)
        return any(
            self._is_stuck(one, part, failed) for one in upstream if one and one.batched == step.batched
        )
