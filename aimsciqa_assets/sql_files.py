"""The SQL files in `dbt_like_sql/`: where they lie, and what their opening comments say.

A file holds one SELECT and opens with comments: for a table what a row is, for a check which table it
checks (`-- checks: schema.table`) and what it demands. A setting is a parameter, `$section__setting`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from aimsciqa_resources.settings import Settings

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


def query_version(query: Query) -> str:
    """Changes with the SQL."""
    return blake2b(query.text.encode(), digest_size=6).hexdigest()
