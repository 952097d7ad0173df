"""What the web UI shows of a table: description, check, and the figures and plots of what was written."""

import html
import re
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any

import dagster as dg
import polars as pl
from aimsciqa_resources.printable import printable
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.orchestration.plots import plot
from aimsciqa_assets.platform.queries import queries_in
from aimsciqa_assets.platform.records import Records
from aimsciqa_assets.platform.stages import GROUPS, owners
from aimsciqa_assets.platform.steps import STEPS, Step, StepRun
from aimsciqa_assets.tables import EMBEDDING_TYPE, MATERIALIZATIONS, TABLES, Column, Table

ADVICE = "what to do"
UNVERSIONED = "INITIAL"
"""The data version of a table for Dagster that has none: its rows are recorded otherwise, or not at all."""
CHECK_NAME = "schema_and_key"
_CHECK_DEMAND = "Columns and types are as declared, and no key occurs twice in what was made together."
_CHECK_ADVICE = (
    "the table is of another version of this program, or was changed by hand. "
    "Run `aimsciqa reset --from {stage} --yes`, then `aimsciqa run`: the ingested files and the replies stay."
)

Metadata = dict[str, dg.MetadataValue[Any]]


def spec_of(table: Table, step: Step, doc: str | None = None) -> dg.AssetSpec:
    """The asset of a table, documented by the declaration of the table and the docstring of its step."""
    said = cleandoc(doc or "")
    return dg.AssetSpec(
        table.asset_key,
        description=said if said.startswith("One row: ") else f"One row: {table.row}.\n\n{said}",
        group_name=GROUPS[table.schema],
        owners=owners(),
        kinds=_kinds(step),
        code_version=step.code_version,
        deps=[_dep(read, step) for read in upstream_of(step)],
        metadata={
            "dagster/column_schema": dg.TableSchema(columns=_columns(table)),
            "dagster/table_name": table.name,
            "key": ", ".join(table.key),
        },
    )


def upstream_of(step: Step) -> list[Table]:
    """Return the tables that a step reads and does not write."""
    return [TABLES[name] for name in step.upstream if name not in step.writes]


def _dep(table: Table, step: Step) -> dg.AssetDep:
    """A table that a step reads; all its parts, if another column divides it than the step."""
    other = table.by and step.by and table.by != step.by
    return dg.AssetDep(table.asset_key, partition_mapping=dg.AllPartitionMapping() if other else None)


def check_spec_of(table: Table) -> dg.AssetCheckSpec:
    """The check that a table is as declared; later steps wait for it."""
    return dg.AssetCheckSpec(
        CHECK_NAME,
        asset=table.asset_key,
        blocking=True,
        description=check_description(_CHECK_DEMAND, _CHECK_ADVICE.format(stage=table.schema)),
    )


def check_description(demand: str, advice: str, sql: str = "") -> str:
    """The text of a check: what it demands, what to do when it fails, and its SELECT if it has one."""
    return f"{demand}\n\n**If it fails:** {advice}" + (f"\n\n```sql\n{sql}\n```" if sql else "")


def result_of(run: StepRun, table: Table, step: Step, *, unchanged: bool) -> dg.MaterializeResult[None]:
    """What the web UI shows of a table that was just brought up to date."""
    with run.warehouse.one_state(brief=True):
        return _result_of(run, table, step, unchanged=unchanged)


def _result_of(run: StepRun, table: Table, step: Step, *, unchanged: bool) -> dg.MaterializeResult[None]:
    found = _inspect(run, table)
    metadata: Metadata = {"dagster/row_count": dg.MetadataValue.int(found.all_rows)}
    if table.by:
        metadata["dagster/partition_row_count"] = dg.MetadataValue.int(found.rows)
    if unchanged:
        metadata["unchanged"] = dg.MetadataValue.bool(True)
    metadata |= _rejected(table, found)
    checked: Metadata = {}
    if found.problems:
        checked["problems"] = dg.MetadataValue.md("\n".join(f"- {problem}" for problem in found.problems))
        checked[ADVICE] = dg.MetadataValue.md(_CHECK_ADVICE.format(stage=table.schema))
    else:
        metadata |= _plots(run, table) | _rows_shown(run, table)
    if run.task:
        metadata |= _spent(run, table)
    # Browsers do not follow a link from a server to a file: the path is there to be copied.
    if step.leaves_files:
        left = step.leaves(run, run.read(step.writes[0]))
        metadata |= {name: dg.MetadataValue.path(path) for name, path in left.items()}
    metadata |= {f"open {name}": dg.MetadataValue.url(address) for name, address in step.served}
    return dg.MaterializeResult(
        asset_key=table.asset_key,
        metadata=metadata,
        data_version=version_of(run.warehouse, table.name, run.part),
        check_results=[
            dg.AssetCheckResult(
                check_name=CHECK_NAME,
                asset_key=table.asset_key,
                passed=not found.problems,
                metadata=checked,
            )
        ],
    )


def version_of(warehouse: Warehouse, table: str, part: str = "") -> dg.DataVersion:
    """Return the fingerprint of a part of a table as its data version.

    Rows that were made again from the same are the same to Dagster: what reads them is not stale. A whole
    table that batches look at has no version, because papers that come later disturb no finished batch.
    """
    if any(step.batched and table in step.across and not TABLES[table].by for step in STEPS.values()):
        return dg.DataVersion(UNVERSIONED)
    fingerprints = warehouse.read(
        f"select fingerprint from {MATERIALIZATIONS.name} where table_name = $table_name and part = $part",
        {"table_name": table, "part": part},
    )
    return dg.DataVersion(fingerprints.item() if fingerprints.height else UNVERSIONED)


def _columns(table: Table) -> list[dg.TableColumn]:
    return [
        dg.TableColumn(
            column.name,
            column.type,
            _meaning(column),
            constraints=dg.TableColumnConstraints(nullable=column.null, unique=table.key == (column.name,)),
        )
        for column in table.columns
    ]


def _meaning(column: Column) -> str:
    """What a column means, with the values it may have unless the meaning names them."""
    named = all(f"{value}: " in column.meaning for value in column.values)
    return column.meaning if named else f"{column.meaning} ({', '.join(column.values)})"


def _kinds(step: Step) -> set[str]:
    """The kinds of an asset. Dagster shows three at most, with an icon where it knows one."""
    encoder = {"huggingface"} if step.encodes else set()
    model = {"llm"} if step.asks else set()
    return {"duckdb", step.language} | encoder | model


def told_by_check(check: dg.AssetCheckResult) -> str:
    """What the command line prints of a check that failed."""
    told = "; ".join(f"{name}: {value.value}" for name, value in (check.metadata or {}).items())
    key = check.asset_key.to_user_string() if check.asset_key else ""
    return f"{key}: {check.check_name}: {told}"


@dataclass(frozen=True, slots=True)
class _Found:
    """A part of a table as it is: rows, problems with schema and key, and rejections.

    A rejection is a reason, the number of rows with it, and the id of one of them.
    """

    rows: int
    all_rows: int
    problems: list[str]
    rejections: list[tuple[str, int, str]]


def problems_of(warehouse: Warehouse, table: Table, part: str = "") -> list[str]:
    """How a table differs from its declaration; nothing when it is sound.

    With `part` its rows alone are looked at. To look for their keys among those of all batches would read
    more with every batch; a key of two batches is one of a paper in two, which a check of its own finds.
    """
    name = f'"{table.schema}"."{table.asset_key[1]}"'
    key = ", ".join(f'"{column}"' for column in table.key)
    rows = f"{name} where {table.by} = $part" if part else name
    with warehouse.reading() as connection:
        doubled = connection.execute(
            f"select {key}, count(*) from {rows} group by all having count(*) > 1 limit 5",
            {"part": part} if part else {},
        ).fetchall()
        problems = _problems_of_schema(connection, table)
    return problems + [f"key occurs {row[-1]} times: {row[:-1]}" for row in doubled]


def was_damaged(warehouse: Warehouse, table: Table, records: Records) -> bool:
    """Whether a table has other columns, or more or fewer rows, than were written.

    Then it was changed by hand, or is of another version of this program. No row is read to find out.
    """
    written = sum(record.rows for record in records.of_table(table.name).values())
    with warehouse.reading() as connection:
        count = connection.execute(f"select count(*) from {table.name}").fetchall()[0][0]
        return bool(_problems_of_schema(connection, table)) or count != written


def _problems_of_schema(connection: Any, table: Table) -> list[str]:
    described = connection.execute(f"select column_name, column_type from (describe {table.name})")
    have = dict(described.fetchall())
    return [
        f"column {column.name} is {have.get(column.name, 'missing')}, not {column.type}"
        for column in table.columns
        if not _same_type(column.type, have.get(column.name, ""))
    ]


def _inspect(run: StepRun, table: Table) -> _Found:
    name = f'"{table.schema}"."{table.asset_key[1]}"'
    scope = f"where {table.by} = $part" if table.by else ""
    parameters = {"part": run.part} if table.by else {}
    problems = problems_of(run.warehouse, table, run.part if table.by else "")
    with run.warehouse.reading() as connection:
        count = int(connection.execute(f"select count(*) from {name} {scope}", parameters).fetchall()[0][0])
        all_rows = int(connection.execute(f"select count(*) from {name}").fetchall()[0][0])
        rejections: list[tuple[str, int, str]] = []
        if any(column.name == "rejection_reason" for column in table.columns):
            condition = f"{scope} {'and' if scope else 'where'} rejection_reason is not null"
            rejections = connection.execute(
                f'select rejection_reason, count(*), min("{table.key[0]}") from {name} {condition} '
                "group by 1 order by 2 desc, 1",
                parameters,
            ).fetchall()
    return _Found(count, all_rows, problems, rejections)


def _same_type(declared: str, actual: str) -> bool:
    return actual.startswith("FLOAT[") if declared == EMBEDDING_TYPE else declared == actual


def _rejected(table: Table, found: _Found) -> Metadata:
    """Rejections by reason, as a table and as numbers; the web UI draws the numbers as curves."""
    reason = next((column for column in table.columns if column.name == "rejection_reason"), None)
    if reason is None or not found.rows:
        return {}
    total = sum(rows for _, rows, _ in found.rejections)
    metadata: Metadata = {"rejected rows": dg.MetadataValue.int(total)}
    if reason.null:
        metadata["accepted share"] = dg.MetadataValue.float(round(1 - total / found.rows, 4))
    if found.rejections:
        lines = [
            "| rows | share | reason | for example |",
            "|---:|---:|---|---|",
            *(
                f"| {rows:,} | {rows / found.rows:.1%} | {reason} | {example} |"
                for reason, rows, example in found.rejections
            ),
            f"| {total:,} | {total / found.rows:.1%} | of all {found.rows:,} rows | |",
        ]
        metadata["rejected"] = dg.MetadataValue.md("\n".join(lines))
    return metadata


def _plots(run: StepRun, table: Table) -> Metadata:
    """The plots of `dbt_like_sql/analyses/plots/` that are about this table."""
    parameters = {table.by: run.part} if table.by else {}
    return {
        name.replace("_", " "): dg.MetadataValue.md(
            plot(run.warehouse.read(query.text, parameters), query.comment)
        )
        for name, query in queries_in("plots").items()
        if query.table == table.name
    }


def _rows_shown(run: StepRun, table: Table) -> Metadata:
    """The rows of `dbt_like_sql/analyses/shown/` that are about this table, as Markdown."""
    parameters = {table.by: run.part} if table.by else {}
    shown: Metadata = {}
    for name, query in queries_in("shown").items():
        if query.table == table.name:
            rows = run.warehouse.read(query.text, parameters)
            if rows.height:
                shown[name.replace("_", " ")] = dg.MetadataValue.md(f"{markdown(rows)}\n\n{query.comment}")
    return shown


def markdown(rows: pl.DataFrame) -> str:
    """Rows as a Markdown table; whatever is in a cell is text."""
    lines = [
        f"| {' | '.join(rows.columns)} |",
        f"|{'|'.join('---' for _ in rows.columns)}|",
        *(f"| {' | '.join(_as_text(cell) for cell in row)} |" for row in rows.iter_rows()),
    ]
    return "\n".join(lines)


def _as_text(cell: object) -> str:
    """A cell that Markdown does not read as anything but text."""
    escaped = re.sub(r"([\\`*_\[\]|~])", r"\\\1", html.escape(printable(str(cell)), quote=False))
    return " ".join(escaped.split())


def _spent(run: StepRun, table: Table) -> Metadata:
    """What the model was asked for this part of a table, and what that cost."""
    figures = run.warehouse.read(
        """select count(*) as calls, coalesce(sum(from_journal::int), 0) as "calls from the journal",
        coalesce(sum(prompt_tokens), 0)::bigint as "prompt tokens",
        coalesce(sum(cached_tokens), 0)::bigint as "cached prompt tokens",
        coalesce(sum(reply_tokens), 0)::bigint as "reply tokens", sum(cost) as cost
        from ops.llm_calls where part = $part and table_name = $table_name and replaced is not true""",
        {"part": run.part, "table_name": table.name},
    ).row(0, named=True)
    if not figures["calls"]:
        return {}
    return {
        f"model/{name}": dg.MetadataValue.float(value) if name == "cost" else dg.MetadataValue.int(int(value))
        for name, value in figures.items()
        if value is not None
    }
