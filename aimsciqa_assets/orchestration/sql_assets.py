"""Assets and asset checks made of the SQL files in `dbt_like_sql/`."""

from collections.abc import Callable, Collection, Iterator

import dagster as dg
import polars as pl
from aimsciqa_resources.warehouse import Warehouse, tables_in
from aimsciqa_resources.warehouse_resource import WarehouseResource

from aimsciqa_assets.orchestration.asset_builders import step_asset
from aimsciqa_assets.orchestration.presentation import ADVICE, check_description
from aimsciqa_assets.platform.frames import Frames, as_declared
from aimsciqa_assets.platform.queries import Query, queries_in, query_of
from aimsciqa_assets.platform.steps import Step, StepRun
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables import TABLES


def sql_asset(
    table: str,
    across: tuple[str, ...] = (),
    across_if: Callable[[Settings], bool] = lambda _settings: True,
) -> dg.AssetsDefinition:
    """An asset that writes the rows of its SELECT.

    The tables `across` count among its inputs only `across_if` the settings say so.
    """
    query = query_of(table)

    def compute(run: StepRun) -> Frames:
        rows = run.warehouse.read(query.text, query.parameters(run.settings))
        return {table: as_declared(table, rows)}

    compute.__name__ = table.replace(".", "_")
    compute.__doc__ = f"{query.comment}\n\n```sql\n{query.statement}\n```"
    return step_asset(
        Step(
            writes=(table,),
            reads=tuple(name for name in tables_in(query.text) if name not in across),
            across=across,
            across_if=across_if,
            settings=query.sections,
            code=query.version,
            language="sql",
        )
    )(compute)


def sql_checks() -> dg.AssetChecksDefinition:
    """The checks of `dbt_like_sql/tests/`, in one step."""
    queries = queries_in("tests")

    @dg.multi_asset_check(
        name="sql_checks",
        specs=[
            dg.AssetCheckSpec(
                name,
                asset=TABLES[query.table].asset_key,
                description=check_description(query.comment, query.advice, query.statement),
            )
            for name, query in queries.items()
        ],
        can_subset=True,
    )
    def checks(
        context: dg.AssetCheckExecutionContext, warehouse: WarehouseResource, settings: Settings
    ) -> Iterator[dg.AssetCheckResult]:
        yield from check_results({key.name for key in context.selected_asset_check_keys}, warehouse, settings)

    return checks


def check_results(
    names: Collection[str], warehouse: Warehouse, settings: Settings
) -> Iterator[dg.AssetCheckResult]:
    """The results of some checks of `dbt_like_sql/tests/` on the warehouse as it is now."""
    queries = {name: query for name, query in queries_in("tests").items() if name in names}
    with warehouse.one_state(brief=True):
        found = {
            name: warehouse.read(query.text, query.parameters(settings)) for name, query in queries.items()
        }
    for name, offending in found.items():
        yield _check_result(name, queries[name], offending)


def _check_result(name: str, query: Query, offending: pl.DataFrame) -> dg.AssetCheckResult:
    """The result of a check, which passes if no row offends."""
    metadata: dict[str, dg.MetadataValue] = {"offending rows": dg.MetadataValue.int(offending.height)}
    if offending.height:
        examples = "\n".join(f"- {row}" for row in offending.head(5).iter_rows(named=True))
        metadata |= {
            "examples": dg.MetadataValue.md(examples),
            ADVICE: dg.MetadataValue.md(query.advice),
        }
    return dg.AssetCheckResult(
        check_name=name,
        asset_key=TABLES[query.table].asset_key,
        passed=offending.is_empty(),
        metadata=metadata,
    )
