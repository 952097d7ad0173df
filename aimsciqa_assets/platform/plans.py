"""What is to be made now, and why: one pass over the steps and their parts, in the order of what they read.

`aimsciqa run` goes by everything that determines rows (`all_changes`). The nightly chain goes by the data
alone (`changes_of_data`): it looks at what is in the warehouse, not at what happened when, so that nothing is
missed by a daemon that was down. Another model, prompt or setting does not start it: whoever changes these
starts a backfill, or `aimsciqa run`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from aimsciqa_assets.platform.determinants import Determinants, digest
from aimsciqa_assets.platform.ledger import Ledger
from aimsciqa_assets.platform.left import are_left
from aimsciqa_assets.platform.phases import in_order
from aimsciqa_assets.platform.records import Record
from aimsciqa_assets.platform.steps import Resources, Step, StepRun
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES

Changes = Callable[[Step, str], Sequence[str] | None]
"""Why the rows of a step's part are not what a run would make now: no reason when they are.

None: there are no rows, and nothing to make them of.
"""

Node = tuple[str, str]
"""A table and a part of it; "" for a whole table."""

_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be done about a part of a step's rows.

    current: nothing; due: make them, all that they need is there; waits: first others must be made; failed:
    the last run failed, and nobody waits for it. `why` says it in plain words. `coming`: there will be rows,
    or other rows, without anybody doing something; `stuck`: not before somebody mends what failed.
    """

    state: Literal["current", "due", "waits", "failed"]
    why: tuple[str, ...] = ()
    coming: bool = False
    stuck: bool = False


_FROM_OUTSIDE = Verdict("current")


@dataclass(frozen=True, slots=True)
class Graph:
    """Which parts of which tables a part of a step reads.

    `parts` are those of each column by which tables are written in parts.
    """

    parts: Mapping[str, Sequence[str]]
    ledger: Ledger
    settings: Settings

    def parts_of(self, by: str) -> Sequence[str]:
        """The parts of tables that are written by a column; "": the whole table."""
        return self.parts[by] if by else [""]

    def read_by(self, step: Step, part: str) -> list[Node]:
        """What it reads of its own part, and whole tables; a step over all parts reads all of them."""
        return [
            (table, one)
            for table in step.reads
            for one in ([part] if TABLES[table].by == step.by else self.parts_of(TABLES[table].by))
        ]

    def looked_at_by(self, step: Step, part: str) -> list[Node]:
        """What a batch looks at across all batches: of those ingested with it or before."""
        return [
            (table, one)
            for table in (step.across_for(self.settings) if step.batched else ())
            for one in (sorted(self.ledger.needed_by(part)) if TABLES[table].batched else [""])
        ]


@dataclass(frozen=True, eq=False)
class Plan:
    """The verdicts by table and part, for every table that a step writes."""

    graph: Graph
    verdicts: dict[Node, Verdict] = field(default_factory=dict)
    _changes: dict[Node, Sequence[str] | None] = field(default_factory=dict)

    def of(self, step: Step, part: str) -> Verdict:
        """The verdict on a part of a step's rows."""
        return self.verdicts[step.writes[0], part]

    def may_be_made(self, step: Step, part: str, together: Collection[str]) -> bool:
        """Whether a part has something to be made of, and nothing that it reads is about to change.

        `together` are tables that are about to be made in the same run, before it. What failed may be tried
        again.
        """
        has_changed = together or self._changes[step.writes[0], part]
        return bool(has_changed) and not self._first(step, part, together)

    def add(self, step: Step, part: str, changes: Sequence[str] | None, failure: str | None) -> None:
        """Add the verdict on a part; those on what it reads are there."""
        verdict = self._verdict(step, part, changes, failure)
        for table in step.writes:
            self.verdicts[table, part] = verdict
            self._changes[table, part] = changes

    def _verdict(self, step: Step, part: str, changes: Sequence[str] | None, failure: str | None) -> Verdict:
        why = tuple(changes or ())
        clean = changes is not None and not why
        if failure is not None and not clean:
            return Verdict("failed", (failure, *why), stuck=True)
        if clean and not self._missing(step, part, ()):
            return Verdict("current")
        read = self.graph.read_by(step, part)
        if step.batched and (stuck := [node for node in read if self._on(node).stuck]):
            failed = [node for node in stuck if self._on(node).state == "failed"]
            first = f"{_waiting(failed)}, which failed" if failed else _waiting(stuck)
            return Verdict("waits", (first, *why), stuck=True)
        coming = bool(why) or any(self._on(node).coming for node in read)
        if before := self._first(step, part, ()):
            return Verdict("waits", (_waiting(before), *why), coming=coming)
        if changes is None:
            return Verdict("waits", ("there is nothing to make it of yet",), coming=coming)
        return Verdict("due", why, coming=True)

    def _first(self, step: Step, part: str, together: Collection[str]) -> list[Node]:
        """What must be made before a part."""
        looked_at = self.graph.looked_at_by(step, part)
        unseen = [node for node in looked_at if self._blocks(node, part)]
        return [*self._missing(step, part, together), *unseen]

    def _missing(self, step: Step, part: str, together: Collection[str]) -> list[Node]:
        """What it reads and what is not finished. A step over all parts waits for none that failed."""
        read = [node for node in self.graph.read_by(step, part) if node[0] not in together]
        if step.batched:
            return [node for node in read if self._on(node).state != "current"]
        return [node for node in read if self._on(node).coming]

    def _blocks(self, node: Node, part: str) -> bool:
        """Whether a batch waits for what it looks at: of other batches only for what will come."""
        verdict = self._on(node)
        return verdict.coming or (node[1] in ("", part) and verdict.state != "current")

    def _on(self, node: Node) -> Verdict:
        return self.verdicts.get(node, _FROM_OUTSIDE)


def plan(steps: Iterable[Step], graph: Graph, changes: Changes, failed: Mapping[Node, str]) -> Plan:
    """The plan for some steps; what others write counts as finished.

    `failed` are the parts whose last run failed, with the message.
    """
    made = Plan(graph)
    for step in in_order(steps):
        for part in graph.parts_of(step.by):
            failure = next((failed[table, part] for table in step.writes if (table, part) in failed), None)
            made.add(step, part, changes(step, part), failure)
    return made


def _waiting(nodes: Sequence[Node]) -> str:
    """For whom a part waits."""
    tables = list(dict.fromkeys(table for table, _ in nodes))
    more = f" and {len(tables) - _SHOWN:,} more" if len(tables) > _SHOWN else ""
    return f"waits for {', '.join(tables[:_SHOWN])}{more}"


def changes_of_data(ledger: Ledger, settings: Settings) -> Changes:
    """The changes that the nightly chain goes by: rows are missing, or other data are there now."""
    visible: dict[str, frozenset[str]] = {}

    def changes(step: Step, part: str) -> list[str] | None:
        table = step.writes[0]
        inputs = step.inputs(part, ledger.records)
        record = ledger.records.get(table, part)
        if record is None:
            return ["its rows are missing"] if any(inputs.values()) else None
        if record.inputs != digest(inputs):
            return ["what it reads was made anew"]
        if ledger.is_stale(step, part):
            return [step.stale_why]
        if not step.batched or step.stale_alone or not step.across_for(settings):
            return []
        # A batch that failed elsewhere cannot be looked at; once it is there, this one is due again.
        if table not in visible:
            visible[table] = step.visible(settings, ledger.records)
        unseen = sorted((ledger.needed_by(part) & visible[table]) - record.seen)
        return [f"{batch} is new" for batch in unseen]

    return changes


def all_changes(ledger: Ledger, resources: Resources) -> Changes:
    """The changes that `aimsciqa run` goes by: anything that determines the rows."""
    return lambda step, part: changes_of(step, StepRun.of(step, part, resources), ledger)


def changes_of(step: Step, run: StepRun, ledger: Ledger, now: Determinants | None = None) -> list[str]:
    """Why the rows of a run's part are not what it would make now; no reason when they are, or near enough.

    Without `relations.refresh`, a batch stays as it is while nothing of its own changed and it has seen every
    batch that was ingested with it or before: papers ingested later do not disturb it.
    """
    now = now or step.determinants(run, ledger.records)
    needed = frozenset[str]()
    if step.batched and step.across_for(run.settings):
        needed = ledger.needed_by(run.part)
    refresh = run.settings.relations.refresh or not step.batched
    changes: dict[str, None] = {}
    for table in step.writes:
        record = ledger.records.get(table, run.part)
        if record is None:
            changes |= {"it was never made": None}
            continue
        if record.lacking:
            changes |= {f"the columns of {table} changed: {', '.join(record.lacking)}": None}
        if not _is_current(record, now, needed=needed, refresh=refresh, alone=step.stale_alone):
            changes |= dict.fromkeys(now.differences(record))
    if ledger.is_stale(step, run.part):
        changes |= {step.stale_why: None}
    if not changes and not are_left(step, run, ledger.records):
        changes |= {"a file that it left was changed or deleted": None}
    return list(changes)


def _is_current(
    record: Record, now: Determinants, *, needed: frozenset[str], refresh: bool, alone: bool
) -> bool:
    # A record of an early version does not say which data its rows were made from.
    if record.inputs != now.inputs_digest:
        return False
    if alone:
        return record.own == now.own
    if record.fingerprint == now.fingerprint:
        return True
    return not refresh and record.own == now.own and needed <= record.seen
