"""How an asset reads, computes and writes: once, for all stages.

A stage's `assets.py` only declares what a step reads and writes and calls one pure function. The builders
here add the rest: the fingerprint that makes reruns safe, the atomic write, the checks, the metadata.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from inspect import cleandoc

import dagster as dg
import polars as pl
from aimsciqa_resources.encoder import Encoder
from aimsciqa_resources.file_store import FileStore
from aimsciqa_resources.language_model import LanguageModel, ModelReply, ModelRequest
from aimsciqa_resources.language_model.opening import ModelSource
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.settings import Settings
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.asking import Account
from aimsciqa_assets.fingerprints import Record, Records, digest, is_current
from aimsciqa_assets.frames import Frames
from aimsciqa_assets.partitions import PAPER_BATCHES, batches_needed_by
from aimsciqa_assets.progress import LogReporter, progress, reporter
from aimsciqa_assets.routing import GPU_POOL, gpu_tags
from aimsciqa_assets.tables import EMBEDDING_TYPE, MATERIALIZATIONS, TABLES, Table
from aimsciqa_assets.writing import write_calls, write_frames

CHECK_NAME = "schema_and_key"
_RESOURCES = {"warehouse", "settings", "files", "encoder", "language_models"}


@dataclass(frozen=True, slots=True)
class Step:
    """What a step may use. `batch` is "" for a table that is written whole.

    `task` names the model that it may ask: the section `<task>_model` of the settings. `accounts` fills with
    what was asked.
    """

    batch: str
    warehouse: Warehouse
    settings: Settings
    files: FileStore
    encoder: Encoder
    models: ModelSource
    task: str = ""
    accounts: list[Account] = field(default_factory=list)

    @property
    def model_settings(self) -> ModelSettings:
        """The settings of the step's model."""
        return self.settings.models[self.task]

    @property
    def model(self) -> LanguageModel:
        """The step's model."""
        return self.models.open(self.model_settings)

    @contextmanager
    def ask(
        self, table: str, requests: Iterable[ModelRequest], total: int, doing: str
    ) -> Iterator[Iterator[ModelReply]]:
        """The model's replies for rows of `table`, with progress; every call goes into `ops.llm_calls`.

        Taking them raises `TooManyFailuresError`, and `ModelError` when the model cannot be asked at all.
        """
        settings = self.model_settings
        # Failures are quicker than replies: the first ones to come back say little.
        hopeless = max(20, 2 * settings.in_flight)
        account = Account(
            table,
            self.batch,
            self.model,
            total,
            failure_share=settings.failure_share,
            hopeless=hopeless,
        )
        self.accounts.append(account)
        with (
            progress(f"{self.batch}  {doing}", total) as advance,
            closing(account.replies(requests, advance)) as replies,
        ):
            yield replies

    def read(self, table: str, where: str = "", columns: str = "*", **parameters: object) -> pl.DataFrame:
        """Rows of a table, in the order of its key."""
        condition = f"where {where}" if where else ""
        order = ", ".join(TABLES[table].key)
        return self.warehouse.read(f"select {columns} from {table} {condition} order by {order}", parameters)

    def read_batch(self, table: str, where: str = "true", columns: str = "*") -> pl.DataFrame:
        """Rows of this step's batch."""
        return self.read(table, f"batch = $batch and {where}", columns, batch=self.batch)


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a step reads and writes, and what else determines its rows.

    `reads` are tables of the same batch (or whole tables); `across` are tables of which it looks at every
    batch, `across_if` the settings say so. `settings` names the sections of `Settings`, `encodes` says that
    it needs the encoder, `asks` names the task whose language model it asks, with prompts of this
    `prompt_version`. `code` is raised by hand when the rows of a step change their meaning.
    """

    writes: tuple[str, ...]
    reads: tuple[str, ...] = ()
    across: tuple[str, ...] = ()
    across_if: Callable[[Settings], bool] = lambda _settings: True
    settings: tuple[str, ...] = ()
    encodes: bool = False
    asks: str = ""
    prompt_version: str = ""
    code: str = "1"

    @property
    def batched(self) -> bool:
        """Whether it writes one batch at a time."""
        return TABLES[self.writes[0]].batched

    @property
    def code_version(self) -> str:
        """Code and prompt together, as Dagster shows it."""
        return f"{self.code}+{self.prompt_version}" if self.prompt_version else self.code

    def across_for(self, settings: Settings) -> tuple[str, ...]:
        """The tables of which it looks at every batch, under these settings."""
        return self.across if self.across_if(settings) else ()

    def own_digest(self, step: Step, records: Records) -> str:
        """Hash of code, settings, services and the batch's own inputs."""
        settings = {
            name: getattr(step.settings, name).model_dump(exclude={"refresh"}) for name in self.settings
        }
        services = {}
        if self.encodes:
            services["encoder"] = [step.encoder.name, step.encoder.revision]
        if self.asks:
            services["language_model"] = [step.model.name, step.model.revision, step.model.sampling]
        inputs = {table: records.fingerprints(table, step.batch) for table in self.reads}
        return digest(
            {"code": self.code_version, "settings": settings, "services": services, "inputs": inputs}
        )


def step_asset(declaration: Declaration) -> Callable[[Callable[[Step], Frames]], dg.AssetsDefinition]:
    """Make an asset of a function that turns a `Step` into the frames of the tables it writes."""

    def decorate(compute: Callable[[Step], Frames]) -> dg.AssetsDefinition:
        @dg.multi_asset(
            name=compute.__name__,
            specs=[spec_of(TABLES[table], declaration, compute.__doc__) for table in declaration.writes],
            check_specs=[
                dg.AssetCheckSpec(
                    CHECK_NAME,
                    asset=TABLES[table].asset_key,
                    blocking=True,
                    description="Columns, types and allowed values are as declared, and the key is unique.",
                )
                for table in declaration.writes
            ],
            partitions_def=PAPER_BATCHES if declaration.batched else None,
            required_resource_keys=_RESOURCES,
            pool=GPU_POOL if declaration.asks else None,
            op_tags=gpu_tags(declaration.asks),
        )
        def asset(context: dg.AssetExecutionContext) -> Iterator[dg.MaterializeResult[None]]:
            step = _step_of(context, declaration)
            with _reporting(context):
                unchanged = _bring_up_to_date(step, declaration, compute)
            for table in declaration.writes:
                yield _result(step, TABLES[table], unchanged=unchanged)

        return asset

    return decorate


@dataclass(frozen=True, slots=True)
class _Determinants:
    """What the rows of a step depend on, and the batches that it looks at, as they are now."""

    own: str
    fingerprint: str
    seen: frozenset[str]

    @classmethod
    def of(cls, step: Step, declaration: Declaration, records: Records) -> "_Determinants":
        own = declaration.own_digest(step, records)
        across = declaration.across_for(step.settings)
        contributed = {table: records.fingerprints(table, "") for table in across}
        # A batch was seen only if it had come through every table: one that failed half way was missed.
        in_tables = [frozenset(contributed[table]) for table in across if TABLES[table].batched]
        seen = frozenset.intersection(*in_tables) if in_tables else frozenset()
        return cls(own, digest({"own": own, "across": contributed}), seen)


def _bring_up_to_date(step: Step, declaration: Declaration, compute: Callable[[Step], Frames]) -> bool:
    """Compute and write unless the rows are already there; returns whether they were."""
    # Read first: what another run writes meanwhile makes this step stale, never falsely current.
    records = Records(step.read(MATERIALIZATIONS.name))
    now = _Determinants.of(step, declaration, records)
    recorded = [records.get(table, step.batch) for table in declaration.writes]
    needed = frozenset[str]()
    if declaration.batched and declaration.across_for(step.settings):
        needed = batches_needed_by(step.batch, step.read("corpus.input_files"))
    refresh = step.settings.relations.refresh or not declaration.batched
    if all(
        is_current(record, fingerprint=now.fingerprint, own=now.own, needed=needed, refresh=refresh)
        for record in recorded
    ):
        return True
    try:
        frames = compute(step)
    except Exception:
        # What the model was asked before it went wrong stays on the account.
        write_calls(step.warehouse, step.batch, step.accounts)
        raise
    own, fingerprint = now.own, now.fingerprint
    if unanswered := [key for account in step.accounts for key in account.unanswered]:
        # Not what a run with all replies would have written: the next one asks for these again, once.
        marked = [digest({"of": mark, "unanswered": unanswered}) for mark in (own, fingerprint)]
        if not any(record and record.fingerprint == marked[1] for record in recorded):
            own, fingerprint = marked
    written = [
        Record(table, step.batch, fingerprint, own, now.seen, frames[table].height)
        for table in declaration.writes
    ]
    write_frames(step.warehouse, frames, step.batch, written, step.accounts)
    return False


def _step_of(context: dg.AssetExecutionContext, declaration: Declaration) -> Step:
    resources = context.resources
    return Step(
        batch=context.partition_key if declaration.batched else "",
        warehouse=resources.warehouse,
        settings=resources.settings,
        files=resources.files,
        encoder=resources.encoder,
        models=resources.language_models,
        task=declaration.asks,
    )


@contextmanager
def _reporting(context: dg.AssetExecutionContext) -> Iterator[None]:
    if reporter.get() is not None:
        yield
        return
    token = reporter.set(LogReporter(context.log.info))
    try:
        yield
    finally:
        reporter.reset(token)


def spec_of(table: Table, declaration: Declaration, doc: str | None = None) -> dg.AssetSpec:
    """The asset of a table, documented from `tables/`."""
    columns = [
        dg.TableColumn(
            column.name,
            column.type,
            column.meaning,
            constraints=dg.TableColumnConstraints(nullable=column.null),
        )
        for column in table.columns
    ]
    services = {"sentence-transformers"} if declaration.encodes else set()
    models = {"llm"} if declaration.asks else set()
    upstream = dict.fromkeys((*declaration.reads, *declaration.across))
    return dg.AssetSpec(
        table.asset_key,
        description=f"One row: {table.row}.\n\n{cleandoc(doc or '')}",
        group_name=table.schema,
        kinds={"duckdb"} | services | models,
        code_version=declaration.code_version,
        deps=[TABLES[name].asset_key for name in upstream if name not in declaration.writes],
        metadata={
            "dagster/column_schema": dg.TableSchema(columns=columns),
            "dagster/table_name": table.name,
            "key": ", ".join(table.key),
        },
    )


def _result(step: Step, table: Table, *, unchanged: bool) -> dg.MaterializeResult[None]:
    count, problems, rejections = _inspect(step, table)
    metadata: dict[str, dg.MetadataValue] = {"dagster/row_count": dg.MetadataValue.int(count)}
    if unchanged:
        metadata["unchanged"] = dg.MetadataValue.bool(True)
    if rejections:
        lines = "\n".join(f"| {reason} | {rows:,} |" for reason, rows in rejections)
        metadata["rejected"] = dg.MetadataValue.md(f"| reason | rows |\n|---|---:|\n{lines}")
    if step.task:
        metadata |= _spent(step, table)
    return dg.MaterializeResult(
        asset_key=table.asset_key,
        metadata=metadata,
        check_results=[
            dg.AssetCheckResult(
                check_name=CHECK_NAME,
                asset_key=table.asset_key,
                passed=not problems,
                metadata={"problems": dg.MetadataValue.md("\n".join(f"- {problem}" for problem in problems))},
            )
        ],
    )


def _inspect(step: Step, table: Table) -> tuple[int, list[str], list[tuple[str, int]]]:
    """Row count, problems with schema and key, and rejections by reason, of this batch of a table."""
    name = f'"{table.schema}"."{table.asset_key[1]}"'
    scope = "where batch = $batch" if table.batched else ""
    parameters = {"batch": step.batch} if table.batched else {}
    key = ", ".join(f'"{column}"' for column in table.key)
    with step.warehouse.reading() as connection:
        have = dict(connection.execute(f"select column_name, column_type from (describe {name})").fetchall())
        problems = [
            f"column {column.name} is {have.get(column.name, 'missing')}, not {column.type}: the table is of "
            f"another version; run `aimsciqa reset --from {table.schema}`"
            for column in table.columns
            if not _same_type(column.type, have.get(column.name, ""))
        ]
        count = int(connection.execute(f"select count(*) from {name} {scope}", parameters).fetchall()[0][0])
        doubled = connection.execute(
            f"select {key}, count(*) from {name} group by all having count(*) > 1 limit 5"
        ).fetchall()
        problems += [f"key occurs {row[-1]} times: {row[:-1]}" for row in doubled]
        rejections: list[tuple[str, int]] = []
        if "rejection_reason" in have:
            condition = f"{scope} {'and' if scope else 'where'} rejection_reason is not null"
            rejections = connection.execute(
                f"select rejection_reason, count(*) from {name} {condition} group by 1 order by 2 desc, 1",
                parameters,
            ).fetchall()
    return count, problems, rejections


def _spent(step: Step, table: Table) -> dict[str, dg.MetadataValue]:
    """What the model was asked for this batch of a table, and what that cost."""
    figures = step.warehouse.read(
        """select count(*) as calls, coalesce(sum(from_journal::int), 0) as "calls from the journal",
        coalesce(sum(prompt_tokens), 0)::bigint as "prompt tokens",
        coalesce(sum(cached_tokens), 0)::bigint as "cached prompt tokens",
        coalesce(sum(reply_tokens), 0)::bigint as "reply tokens", sum(cost) as cost
        from ops.llm_calls where batch = $batch and table_name = $table_name""",
        {"batch": step.batch, "table_name": table.name},
    ).row(0, named=True)
    if not figures["calls"]:
        return {}
    return {
        f"model/{name}": dg.MetadataValue.float(value) if name == "cost" else dg.MetadataValue.int(int(value))
        for name, value in figures.items()
        if value is not None
    }


def _same_type(declared: str, actual: str) -> bool:
    return actual.startswith("FLOAT[") if declared == EMBEDDING_TYPE else declared == actual
