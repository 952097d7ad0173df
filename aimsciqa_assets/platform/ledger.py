"""What was made so far and from what, read at once for the questions of many steps and parts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import polars as pl
from aimsciqa_resources.warehouse import Warehouse, WarehouseMissingError

from aimsciqa_assets.platform.batches import BATCHES, INPUT_FILES, batches_needed_by
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.queries import Query, query_of
from aimsciqa_assets.platform.records import Records
from aimsciqa_assets.platform.steps import Step
from aimsciqa_assets.platform.writing import adopt_tables
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import FAILURES, MATERIALIZATIONS

_EXPLAINED = f"select * from {MATERIALIZATIONS.name}"
_WITHOUT_DETERMINANTS = f"select * exclude (determinants) from {MATERIALIZATIONS.name}"
# What other parts have seen says nothing about this one, and grows with the square of the batches.
_OF_A_PART = f"""
select * exclude (determinants) replace (if(part in ('', $part), seen, []) as seen)
from {MATERIALIZATIONS.name}
"""


@dataclass(frozen=True, eq=False)
class Ledger:
    """`input_files` says which batches there are, and with which others each was ingested: `batch, ingest`.

    `stale` are the batches whose rows lead to papers that are there no more, by the query that finds them;
    `failures` are the messages of steps that failed last time, by table and part.
    """

    records: Records
    input_files: pl.DataFrame
    stale: Mapping[str, frozenset[str]]
    failures: Mapping[tuple[str, str], str]

    @classmethod
    def read(
        cls,
        warehouse: Warehouse,
        steps: Iterable[Step],
        settings: Settings,
        *,
        explained: bool = False,
        part: str = "",
    ) -> "Ledger":
        """The ledger as far as it concerns some steps; that of a warehouse that is not there yet is empty.

        `explained`: the records say what determined the rows. With `part` it is for these steps of one part:
        it does not say which others are stale, nor what their records have seen, and which batches there are
        only where this one was made before.
        """
        select = _OF_A_PART if part else _EXPLAINED if explained else _WITHOUT_DETERMINANTS
        try:
            adopt_tables(warehouse)
            with warehouse.one_state(brief=True):
                records = Records(warehouse.read(select, {"part": part} if part else {}))
                failures = warehouse.read(f"select table_name, part, message from {FAILURES.name}")
                # What was never made is not stale, nor did it miss a batch.
                concerned = [step for step in steps if not part or records.any_of(step.writes, part)]
                files = frame_of(INPUT_FILES, []) if part and not concerned else warehouse.read(BATCHES)
                stale = {
                    name: _stale_parts(warehouse, query_of(f"stale.{name}"), settings, part)
                    for name in sorted({step.stale_if for step in concerned} - {""})
                }
        except WarehouseMissingError:
            return cls(Records(frame_of(MATERIALIZATIONS.name, [])), frame_of(INPUT_FILES, []), {}, {})
        messages = {(table, part): message for table, part, message in failures.iter_rows()}
        return cls(records, files, stale, messages)

    @cached_property
    def batches(self) -> list[str]:
        """All paper batches."""
        return sorted(self.input_files["batch"].unique())

    def needed_by(self, batch: str) -> frozenset[str]:
        """The batches that one looks at: those ingested with it or before."""
        return self._needs.get(batch, frozenset())

    def is_stale(self, step: Step, part: str) -> bool:
        """Whether the rows of a part lead to papers that are there no more."""
        return part in self.stale.get(step.stale_if, ())

    @cached_property
    def _needs(self) -> dict[str, frozenset[str]]:
        return {batch: batches_needed_by(batch, self.input_files) for batch in self.batches}


def _stale_parts(warehouse: Warehouse, query: Query, settings: Settings, part: str) -> frozenset[str]:
    """The batches that a query finds stale; with `part`, whether that one is, for which less is read."""
    chosen = f"select batch from (\n{query.text}\n) where batch = $part" if part else query.text
    parameters = {**query.parameters(settings), **({"part": part} if part else {})}
    return frozenset(warehouse.read(chosen, parameters)["batch"])
