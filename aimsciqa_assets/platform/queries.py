"""The SQL files of `dbt_like_sql/`, and what their opening comments say.

`models/` holds the tables that SQL derives, `tests/` the checks, `analyses/` what the command line, the
report and the release ask of the tables. A file holds one SELECT and opens with a comment: for a table what a
row is, for a check what it demands, for a plot its caption. A check names its table
(`-- checks: schema.table`) and ends its comment with what to do (`-- if it fails: ...`). A plot names its
table (`-- plots: schema.table`). A setting is a parameter, `$section__setting`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aimsciqa_assets.tables import TABLES

if TYPE_CHECKING:
    from aimsciqa_assets.settings import Settings

_PARAMETER = re.compile(r"\$([a-z_]+?)__([a-z_]+)")
_ABOUT = re.compile(r"(?:checks|plots): (\S+)")
_ADVICE = "if it fails: "


@dataclass(frozen=True, slots=True)
class Query:
    """One SQL file: its name, its text, and what its opening comment says."""

    name: str
    text: str

    @property
    def comment(self) -> str:
        """The opening comment as a sentence or two, without the table and the advice."""
        return self._said.partition(_ADVICE)[0].strip()

    @property
    def advice(self) -> str:
        """What to do when a check fails. Raises `ValueError` where the file does not say."""
        _, found, advice = self._said.partition(_ADVICE)
        if not found:
            raise ValueError(f"{self.name}: needs a line `-- {_ADVICE}...` that says what to do")
        return advice

    @property
    def statement(self) -> str:
        """The SELECT without the opening comment."""
        return "\n".join(self.text.splitlines()[len(self._opening) :])

    @property
    def table(self) -> str:
        """The table that a check or a plot is about. Raises `ValueError` where the file names none."""
        about = _ABOUT.fullmatch(self._opening[0]) if self._opening else None
        if about is None or about[1] not in TABLES:
            raise ValueError(
                f"{self.name}: must open with `-- checks: schema.table` or `-- plots: schema.table`"
            )
        return about[1]

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections of `Settings` that its parameters come from."""
        return tuple(sorted({section for section, _ in _PARAMETER.findall(self.text)}))

    def parameters(self, settings: "Settings") -> Mapping[str, Any]:
        """Values of its parameters."""
        return {
            f"{section}__{name}": getattr(getattr(settings, section), name)
            for section, name in _PARAMETER.findall(self.text)
        }

    @property
    def version(self) -> str:
        """Changes with the SQL."""
        return blake2b(self.text.encode(), digest_size=6).hexdigest()

    @property
    def _opening(self) -> list[str]:
        lines = []
        for line in self.text.splitlines():
            if not line.startswith("--"):
                break
            lines.append(line.removeprefix("--").strip())
        return lines

    @property
    def _said(self) -> str:
        return " ".join(line for line in self._opening if line and not _ABOUT.fullmatch(line))


def sql_folder() -> Path:
    """`dbt_like_sql/`, beside the package in a checkout, inside it when installed from a wheel."""
    package = Path(__file__).parents[1]
    installed = package / "dbt_like_sql"
    return installed if installed.is_dir() else package.parent / "dbt_like_sql"


@cache
def query_of(name: str) -> Query:
    """The query of a table (`schema.table`), a check (`tests.name`) or an analysis (`plots.name`)."""
    path = _kind_of(name).joinpath(*name.split(".")).with_suffix(".sql")
    return Query(name, path.read_text(encoding="utf-8"))


@cache
def queries_in(folder: str) -> dict[str, Query]:
    """All queries of a folder by name: `tests`, or a folder of analyses such as `plots`."""
    names = sorted(path.stem for path in (_kind_of(folder) / folder).glob("*.sql"))
    return {name: query_of(f"{folder}.{name}") for name in names}


def _kind_of(name: str) -> Path:
    """The folder of models, of tests or of analyses, whichever holds a query."""
    if name in TABLES:
        return sql_folder() / "models"
    return sql_folder() if name.split(".", maxsplit=1)[0] == "tests" else sql_folder() / "analyses"
