"""Which steps have rows to make, and which of them can make them now.

The nightly automation goes by this: it looks at what is in the warehouse, not at what happened when, so that
nothing is missed by a daemon that was down. Only data make a step due. Another model, prompt or setting does
not: whoever changes it starts a backfill, or `aimsciqa run`.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import polars as pl
from aimsciqa_resources.warehouse import Warehouse, WarehouseMissingError

from aimsciqa_assets.platform.batches import INPUT_FILES, batches_needed_by
from aimsciqa_assets.platform.fingerprints import Records, digest
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.steps import STEPS, Standing, Step
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import MATERIALIZATIONS, TABLES


@dataclass(frozen=True, eq=False)
class State:
    """What was made so far and of which batches, what of it leads to papers that are there no more, and whose
    last run failed: by table the batches, "" for a whole table.
    """

    records: Records
    input_files: pl.DataFrame
    stale: Mapping[str, frozenset[str]]
    settings: Settings
    failed: Mapping[str, Collection[str]] = field(default_factory=dict)
    _found: dict[tuple[str, str, str], bool] = field(default_factory=dict)
    _visible: dict[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, warehouse: Warehouse, settings: Settings, failed: Mapping[str, Collection[str]]) -> "State":
        """The state of a warehouse; that of one that is not there yet is empty."""
        try:
            with warehouse.one_state():
                standing = Standing(warehouse)
                records, input_files = standing.records, standing.input_files
                stale = {name: standing.stale_batches(step) for name, step in STEPS.items()}
        except WarehouseMissingError:
            return cls(Records(frame_of(MATERIALIZATIONS.name, [])), frame_of(INPUT_FILES, []), {}, settings)
        return cls(records, input_files, stale, settings, failed)

    @cached_property
    def batches(self) -> list[str]:
        """All paper batches."""
        return sorted(self.input_files["batch"].unique())

    def is_due(self, step: Step, part: str) -> bool:
        """Whether the rows of a batch ("": a whole table) are missing, or were made from other data than
        there are now.
        """
        return self._once("due", step.writes[0], part, lambda: self._find_due(step, part))

    def is_ready(self, step: Step, part: str, together: Collection[str] = ()) -> bool:
        """Whether nothing that it reads is about to change.

        `together` are tables that are about to be made in the same run, before it. A batch that failed does
        not hold up the others: nobody waits for it.
        """
        reads = [table for table in step.reads if table not in together]
        if not step.batched:
            return not any(self._is_coming(table, one) for table in reads for one in self._parts(table))
        return all(self._is_there(table, part) for table in reads) and all(
            self._is_there(table, part)
            and not any(self._is_coming(table, one) for one in self._needed(table, part))
            for table in step.across_for(self.settings)
        )

    def _find_due(self, step: Step, part: str) -> bool:
        table = step.writes[0]
        inputs = step.inputs(part, self.records)
        record = self.records.get(table, part)
        if record is None:
            return any(inputs.values())
        if record.inputs != digest(inputs) or part in self.stale.get(table, ()):
            return True
        if not step.batched or not step.across_for(self.settings):
            return False
        # A batch that failed elsewhere cannot be looked at; once it is there, this one is due again.
        if table not in self._visible:
            self._visible[table] = step.visible(self.settings, self.records)
        return not self._batches_before(part) & self._visible[table] <= record.seen

    def _once(self, question: str, table: str, part: str, answer: Callable[[], bool]) -> bool:
        """The answer, found once: the questions go up the graph, and meet the same steps again and again."""
        key = (question, table, part)
        if key not in self._found:
            self._found[key] = answer()
        return self._found[key]

    def _batches_before(self, batch: str) -> frozenset[str]:
        """The batches that this one looks at: those ingested with it or before."""
        return self._needs.get(batch, frozenset())

    @cached_property
    def _needs(self) -> dict[str, frozenset[str]]:
        return {batch: batches_needed_by(batch, self.input_files) for batch in self.batches}

    def _parts(self, table: str) -> Collection[str]:
        return self.batches if TABLES[table].batched else [""]

    def _needed(self, table: str, batch: str) -> Collection[str]:
        return self._batches_before(batch) if TABLES[table].batched else [""]

    def _upstream(self, step: Step, part: str) -> Iterator[tuple[str, str]]:
        """What a step reads for a batch: tables and their batches."""
        for table in step.reads:
            if not TABLES[table].batched:
                yield table, ""
            elif step.batched:
                yield table, part
            else:
                yield from ((table, batch) for batch in self.batches)

    def _is_there(self, table: str, batch: str) -> bool:
        """Whether a table has the rows of a batch, and neither they nor what they were made from is due."""
        part = batch if TABLES[table].batched else ""
        step = STEPS.get(table)
        return step is None or self._once("there", table, part, lambda: self._find_there(step, table, part))

    def _find_there(self, step: Step, table: str, part: str) -> bool:
        if self.records.get(table, part) is None or self.is_due(step, part):
            return False
        if not step.batched:
            return not any(self._is_coming(*one) for one in self._upstream(step, part))
        return all(self._is_there(*one) for one in self._upstream(step, part))

    def _is_coming(self, table: str, part: str) -> bool:
        """Whether rows will come, or others: the step or what it reads is due, and none of them failed."""
        step = STEPS.get(table)
        return step is not None and self._once("coming", table, part, lambda: self._find_coming(step, part))

    def _find_coming(self, step: Step, part: str) -> bool:
        if self._failed(step, part):
            return False
        upstream = list(self._upstream(step, part))
        if step.batched and any(self._is_stuck(*one) for one in upstream):
            return False
        return self.is_due(step, part) or any(self._is_coming(*one) for one in upstream)

    def _is_stuck(self, table: str, part: str) -> bool:
        step = STEPS.get(table)
        return step is not None and self._once("stuck", table, part, lambda: self._find_stuck(step, part))

    def _find_stuck(self, step: Step, part: str) -> bool:
        if self._failed(step, part):
            return True
        return step.batched and any(self._is_stuck(*one) for one in self._upstream(step, part))

    def _failed(self, step: Step, part: str) -> bool:
        return any(part in self.failed.get(table, ()) for table in step.writes)
