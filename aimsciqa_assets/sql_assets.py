"""Assets and asset checks made of the SQL files in `dbt_like_sql/`.

A file holds one SELECT and opens with comments: for a table what a row is, for a check which table it
checks (`-- checks: schema.table`) and what it demands. A setting is a parameter, `$section__setting`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import dagster as dg
from aimsciqa_resources.settings import Settings
from aimsciqa_resources.warehouse import Warehouse, tables_in

from aimsciqa_assets.asset_builders import Declaration, Step, step_asset
from aimsciqa_assets.frames import Frames, as_declared
from aimsciqa_assets.tables import TABLES

_PARAMETER = re.compile(r"\$([a-z_]+?)__([a-z_]+)")
_CHECKS = re.compile(r"-- checks: (\S+)\n")


@dataclass(frozen=True, slots=True)
class Query:
    """One SQL file: its name, its SELECT, and what its opening comment says."""

    name: str
    text: str

    @property
    def comment(self) -> str:
        """The opening comment as a sentence or two."""
        lines = []
        for line in self.text.splitlines():
            if not line.startswith("--"):
                break
            lines.append(line.removeprefix("--").strip())
        return " ".join(line for line in lines if line and not line.startswith("checks:"))

    @property
    def checked_table(self) -> str:
        """The table that a check is about."""
        match = _CHECKS.search(self.text)
        if match is None or match[1] not in TABLES:
            raise ValueError(f"{self.name}: needs a line `-- checks: schema.table` that names a table")
        return match[1]

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections of `Settings` that its parameters come from."""
        return tuple(sorted({section for section, _ in _PARAMETER.findall(self.text)}))

    def parameters(self, settings: Settings) -> Mapping[str, Any]:
        """Values of its parameters."""
        return {
            f"{section}__{name}": getattr(getattr(settings, section), name)
            for section, name in _PARAMETER.findall(self.text)
        }


def sql_folder() -> Path:
    """`dbt_like_sql/`, beside the package in a checkout, inside it when installed from a wheel."""
    installed = Path(__file__).parent / "dbt_like_sql"
    return installed if installed.is_dir() else Path(__file__).parents[1] / "dbt_like_sql"


@cache
def query_of(name: str) -> Query:
    """The query of a table (`schema.table`) or a check (`tests.name`)."""
    path = sql_folder().joinpath(*name.split(".")).with_suffix(".sql")
    return Query(name, path.read_text(encoding="utf-8"))


def sql_asset(table: str) -> dg.AssetsDefinition:
    """An asset that writes what its SELECT gives."""
    query = query_of(table)

    def compute(step: Step) -> Frames:
        rows = step.warehouse.read(query.text, query.parameters(step.settings))
        return {table: as_declared(table, rows)}

    compute.__name__ = table.replace(".", "_")
    compute.__doc__ = f"{query.comment}\n\n```sql\n{query.text}```"
    return step_asset(
        Declaration(
            writes=(table,),
            reads=tuple(tables_in(query.text)),
            settings=query.sections,
            code=query_version(query),
        )
    )(compute)


def query_version(query: Query) -> str:
    """Changes with the SQL."""
    return blake2b(query.text.encode(), digest_size=6).hexdigest()


def sql_checks() -> dg.AssetChecksDefinition:
    """The checks of `dbt_like_sql/tests/`, in one step."""
    names = sorted(path.stem for path in (sql_folder() / "tests").glob("*.sql"))
    queries = {name: query_of(f"tests.{name}") for name in names}

    @dg.multi_asset_check(
        name="sql_checks",
        specs=[
            dg.AssetCheckSpec(
                name,
                asset=TABLES[query.checked_table].asset_key,
                description=f"{query.comment}\n\n```sql\n{query.text}```",
            )
            for name, query in queries.items()
        ],
        can_subset=True,
    )
    def checks(
        context: dg.AssetCheckExecutionContext, warehouse: Warehouse, settings: Settings
    ) -> Iterator[dg.AssetCheckResult]:
        for key in sorted(context.selected_asset_check_keys, key=lambda key: key.name):
            query = queries[key.name]
            offending = warehouse.read(query.text, query.parameters(settings))
            examples = "\n".join(f"- {row}" for row in offending.head(5).iter_rows(named=True))
            yield dg.AssetCheckResult(
                check_name=key.name,
                asset_key=key.asset_key,
                passed=offending.is_empty(),
                metadata={
                    "offending rows": offending.height,
                    "examples": dg.MetadataValue.md(examples or "none"),
                },
            )

    return checks
