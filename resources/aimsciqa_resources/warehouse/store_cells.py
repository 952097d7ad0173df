"""Reads texts of a published paper store: some by table, column and key, or every one of a column."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path

import duckdb

from aimsciqa_resources.warehouse.errors import no_paper_store
from aimsciqa_resources.warehouse.opening import Config, quoted

Named = tuple[str, str, str]
"""Table, column and key of a cell."""


class StoreCells:
    """A published paper store, open for reading. It may be used from several threads at once."""

    def __init__(self, papers: Path) -> None:
        """Raises `WarehouseBrokenError` when the file is no database."""
        config: Config = {"memory_limit": "512MB", "temp_directory": "", "python_enable_replacements": False}
        self._connection = duckdb.connect(config=config)
        try:
            self._connection.execute(f"attach '{quoted(str(papers))}' as papers (read_only)")
        except duckdb.Error as error:
            self._connection.close()
            raise no_paper_store(papers, error) from None

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def texts(self, cells: Iterable[Named], keys: Mapping[str, str]) -> dict[Named, str]:
        """The texts of those cells that are there; `keys` are the columns that identify rows, by table."""
        found: dict[Named, str] = {}
        with self._connection.cursor() as cursor:
            for (table, column), some in groupby(sorted(set(cells)), key=lambda one: one[:2]):
                key = keys[table]
                rows = cursor.execute(
                    f'select "{key}"::varchar, "{column}" from papers."{table}" '
                    f'where "{key}" in (select unnest($keys)::uuid)',
                    {"keys": [one[2] for one in some]},
                ).fetchall()
                found |= {(table, column, primary_key): text for primary_key, text in rows}
        return found

    def every(
        self, table: str, column: str, key: str, paper: str, page: str
    ) -> list[tuple[str, str, int, str]]:
        """Key, paper, number of the page and text of each cell of a column that is not empty.

        `key` and `paper` are the columns with the ids of row and paper; `page` is that with the number of the
        page or its id, "" where the table has neither: then the number is -1.
        """
        numbers = {"": "-1", "page_number": "cells.page_number"}
        number = numbers.get(page, "coalesce(pages.page_number, -1)")
        joined = f'left join papers.pages as pages on cells."{page}" = pages.page_id'
        on_page = "" if page in numbers else joined
        with self._connection.cursor() as cursor:
            return cursor.execute(
                f'select cells."{key}"::varchar, cells."{paper}"::varchar, {number}, cells."{column}" '
                f'from papers."{table}" as cells {on_page} where trim(cells."{column}") <> \'\''
            ).fetchall()
