"""The SQL files of `dbt_like_sql/`, and what their opening comments say.

`models/` holds the tables that SQL derives, `tests/` the checks, `analyses/` what the command line, the
report and the release ask of the tables. A file holds one SELECT and opens with a comment: for a table what a
row is, for a check what it demands, for a plot its caption. A check names its table
(`-- checks: schema.table`) and ends its comment with what to do (`-- if it fails: ...`). A plot names its
table (`-- plots: schema.table`), and so do rows that the web UI shows (`-- shows: schema.table`). A setting
is a parameter, `$section__setting`.

`items/` holds what each system says of its items (`docs/items.md`). A query that reads `item_questions`,
`item_documents` or another part (`items/parts.py`) gets the SELECTs of all systems as common table
expressions.

`shared/` holds what several queries build on. A query that reads `shared_name` gets the SELECT of
`shared/name.sql` in the same way. Shared queries may read the items, but no other shared query.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aimsciqa_assets.items import FORMS, ItemForm
from aimsciqa_assets.items.parts import PARTS, select_of
from aimsciqa_assets.tables import TABLES

if TYPE_CHECKING:
    from aimsciqa_assets.settings import Settings

_PARAMETER = re.compile(r"\$([a-z_]+?)__([a-z_]+)")
_ABOUT = re.compile(r"(?:checks|plots|shows): (\S+)")
_ADVICE = "if it fails: "
_PART = re.compile(rf"\bitem_({'|'.join(PARTS)})\b")


@dataclass(frozen=True, slots=True)
class Query:
    """One SQL file: its name, how it is written, and what its opening comment says."""

    name: str
    written: str

    @property
    def text(self) -> str:
        """What is asked: with the items of all systems, and with shared queries, where it reads them."""
        return _with_what_it_reads(self.written)

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
        return "\n".join(self.written.splitlines()[len(self._opening) :])

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
        for line in self.written.splitlines():
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
    """The query of a table (`schema.table`), a check (`tests.name`), an analysis (`plots.name`), of what a
    system says of its items (`items.form.part`), or a shared one (`shared.name`).
    """
    path = _kind_of(name).joinpath(*name.split(".")).with_suffix(".sql")
    return Query(name, path.read_text(encoding="utf-8"))


@cache
def queries_in(folder: str) -> dict[str, Query]:
    """All queries of a folder by name: `tests`, or a folder of analyses such as `plots`."""
    names = sorted(path.stem for path in (_kind_of(folder) / folder).glob("*.sql"))
    return {name: query_of(f"{folder}.{name}") for name in names}


def _kind_of(name: str) -> Path:
    """The folder above the one that a query's name begins with."""
    if name in TABLES:
        return sql_folder() / "models"
    of_its_own = name.split(".", maxsplit=1)[0] in ("tests", "items", "shared")
    return sql_folder() if of_its_own else sql_folder() / "analyses"


def form_query(form: ItemForm, part: str) -> Query | None:
    """What a system says of its items: `questions`, `documents`, ...; None where it says nothing."""
    folder = form.folder or sql_folder() / "items" / form.name
    path = folder / f"{part}.sql"
    return Query(f"items.{form.name}.{part}", path.read_text(encoding="utf-8")) if path.exists() else None


def _with_what_it_reads(written: str) -> str:
    """A query with the items and the shared queries that it reads as common table expressions, behind its
    opening comment.
    """
    comment = re.match(r"(?:--.*\n)*", written)
    opening = comment[0] if comment else ""
    statement = written.removeprefix(opening)
    shared = {
        name: query.statement
        for name, query in queries_in("shared").items()
        if re.search(rf"\bshared_{name}\b", statement)
    }
    parts = dict.fromkeys(_PART.findall("\n".join((statement, *shared.values()))))
    if not parts and not shared:
        return written
    # Not materialized: whoever reads some items shall not wait for all.
    read = [f"item_{part} as not materialized (\n{_select_of_all(part)}\n)" for part in parts]
    read += [f"shared_{name} as (\n{select}\n)" for name, select in shared.items()]
    expressions = ",\n".join(read)
    if statement.startswith("with "):
        return f"{opening}with {expressions},\n\n{statement.removeprefix('with ')}"
    return f"{opening}with {expressions}\n\n{statement}"


def _select_of_all(part: str) -> str:
    """The rows of a part of the form, of all systems."""
    given = {form.name: form_query(form, part) for form in FORMS.values()}
    return select_of(part, {name: query.written for name, query in given.items() if query})
