"""Dagster assets of the steps of the method: their partitions, checks, documentation and metadata."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import cleandoc

import dagster as dg

from aimsciqa_assets.frames import Frames
from aimsciqa_assets.partitions import PAPER_BATCHES
from aimsciqa_assets.progress import LogReporter, reporter
from aimsciqa_assets.routing import GPU_POOL, gpu_tags
from aimsciqa_assets.steps import DECLARED, Declaration, Step, bring_up_to_date
from aimsciqa_assets.tables import EMBEDDING_TYPE, TABLES, Table

CHECK_NAME = "schema_and_key"
_RESOURCES = {"warehouse", "settings", "files", "encoder", "language_models"}


def step_asset(declaration: Declaration) -> Callable[[Callable[[Step], Frames]], dg.AssetsDefinition]:
    """Make an asset of a function that turns a `Step` into the frames of the tables it writes."""
    DECLARED.update(dict.fromkeys(declaration.writes, declaration))

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
            with reporting(context):
                unchanged = bring_up_to_date(step, declaration, compute)
            for table in declaration.writes:
                yield _result(step, TABLES[table], unchanged=unchanged)

        return asset

    return decorate


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
def reporting(context: dg.AssetExecutionContext) -> Iterator[None]:
    """Progress goes to the log of the run, unless a command line shows it already."""
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
