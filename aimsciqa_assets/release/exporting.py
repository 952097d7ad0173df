"""Exports the data of a release from the warehouse, and reads it row by row, so that memory does not grow.

The queries of `dbt_like_sql/analyses/export/` give the parts of items in the order of the items' keys, and so
does `details.sql` of a form. This module merges them.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Never

import pyarrow.parquet as pq
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.items import FORMS, form_of, kinds
from aimsciqa_assets.platform.queries import Query, form_query, queries_in, query_of
from aimsciqa_assets.release.layout import Row
from aimsciqa_assets.tables.benchmark import GATES

_ROWS_AT_ONCE = 1000
# In slices, because the memory for a sort or join of all rows would grow with the corpus.
_SLICES = {
    ("items", "evidence", "cluster_members", "gates"): ("export.slices.by_item", 10_000),
    ("single_hop", "papers", "paragraphs"): ("export.slices.by_paper", 20_000),
}
_BEHIND_ALL = "\U0010ffff"
_DETAILS = "details_"


class ReleaseError(ValueError):
    """A release that cannot be written, because its tables do not fit together."""


class Export:
    """The results of the export queries in a folder: a file for each slice of the items or papers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def of(cls, warehouse: Warehouse, folder: Path) -> "Export":
        """Export from a warehouse; all queries see the same state of it."""
        with warehouse.exporting(folder) as tables:
            slices: dict[str, list[dict[str, str]]] = {}
            for names, (slicing, rows) in _SLICES.items():
                firsts = [first for (first,) in tables.read(query_of(slicing).text, {"rows": rows})]
                slices |= dict.fromkeys(names, slices_from(firsts))
            for name, query in export_queries().items():
                of_items = name.startswith(_DETAILS)
                for number, bounds in enumerate(slices.get("items" if of_items else name, [{}])):
                    tables.export(query.text, bounds, folder / f"{name}-{number:06}.parquet")
        return cls(folder)

    def rows(self, name: str, columns: list[str] | None = None) -> Iterator[Row]:
        """The rows of a query, with all columns or with these."""
        for file in sorted(self._folder.glob(f"{name}-*.parquet")):
            yield from rows_of(file, columns)

    def forms(self) -> list[str]:
        """The forms whose items are released, in their order; where there is no item, the first form."""
        variants = {row["variant"] for row in self.rows("items", ["variant"])}
        there = {form_of(variant).name for variant in variants}
        return [name for name in FORMS if name in there] or list(FORMS)[:1]

    def items(self) -> Iterator[tuple[Row, dict[str, str]]]:
        """The items in the general shape with the name of their `form`, and the paragraphs of their evidence.

        If the form of an item publishes more, that is under `details`. Raises `ReleaseError`.
        """
        evidence, members, gates = (
            Following(self.rows(name)) for name in ("evidence", "cluster_members", "gates")
        )
        details = {
            name: Following(self.rows(_DETAILS + name))
            for name, form in FORMS.items()
            if form_query(form, "details")
        }
        form_names = {variant: form_of(variant).name for variant in kinds()}
        for item in self.rows("items"):
            key = item.pop("key")
            rows = evidence.take(key)
            quotes: dict[str, list[Row]] = {}
            for row in rows:
                if row["quote"]["evidence"] is None or row["text"] is None:
                    _raise_for(item, f"{row['role']}_{row['quote']['name']} quote or its paragraph", "quotes")
                quotes.setdefault(row["role"], []).append(row["quote"])
            for document in item["documents"]:
                document["quotes"] = quotes.get(document["role"], [])
            item["facts"] = sorted(_fact(of_role[0]) for of_role in quotes.values())
            item["pool"] = next((row["papers"] for row in members.take(key)), [])
            verdicts = {row["gate"]: row["verdict"] for row in gates.take(key)}
            item["gates"] = {gate: verdicts.get(gate) for gate in GATES}
            item["form"] = form = form_names[item["variant"]]
            if form in details:
                found = details[form].take(key)
                if not found:
                    _raise_for(item, "details", "tables that these come from")
                item["details"] = found[0]
            yield item, {row["quote"]["paragraph_id"]: row["text"] for row in rows}
        for following in (evidence, members, gates, *details.values()):
            following.check_end()


def export_queries() -> dict[str, Query]:
    """The queries of a release by name, those for the details of each form among them."""
    details = {f"{_DETAILS}{name}": form_query(form, "details") for name, form in FORMS.items()}
    return queries_in("export") | {name: query for name, query in details.items() if query}


def _fact(quote: Row) -> str:
    """What names a quote; items that share one are not independent of each other."""
    return quote["qa_id"] or f"{quote['paragraph_id']}:{quote['evidence_start']}"


def _raise_for(item: Row, what: str, of: str) -> Never:
    raise ReleaseError(
        f"item {item['item_id']} lacks its {what}: the items are older than the {of}. Run `aimsciqa run`."
    )


class Following:
    """Rows grouped by their `key`, to be taken by keys that come in the same order."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._groups = groupby(rows, key=itemgetter("key"))
        self._next = next(self._groups, None)

    def take(self, key: str) -> list[Row]:
        """The rows of a key; none when it has none."""
        if self._next is None or self._next[0] != key:
            return []
        rows = list(self._next[1])
        self._next = next(self._groups, None)
        return rows

    def check_end(self) -> None:
        """Raise `ReleaseError` when rows are left: their keys were not asked for, or not in this order."""
        if self._next is not None:
            raise ReleaseError(f"rows of {self._next[0]} belong to no released item, or are not in order")


def slices_from(firsts: Sequence[str]) -> list[dict[str, str]]:
    """The bounds of slices that begin with `firsts`, in order, as parameters of queries.

    The first slice begins before everything, and is the only one where `firsts` is empty.
    """
    return [{"first": first, "before": end} for first, end in pairwise(["", *firsts[1:], _BEHIND_ALL])]


def rows_of(parquet: Path, columns: list[str] | None = None) -> Iterator[Row]:
    """The rows of a Parquet file, one after the other."""
    with pq.ParquetFile(parquet, pre_buffer=False) as file:
        # Long rows were written in small groups, because few of them fit into memory.
        of_a_group = file.metadata.row_group(0).num_rows if file.num_row_groups else _ROWS_AT_ONCE
        for batch in file.iter_batches(min(_ROWS_AT_ONCE, of_a_group), columns=columns):
            yield from batch.to_pylist()
