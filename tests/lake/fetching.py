"""What a lake fetches from S3, as its DuckDB logs it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from aimsciqa_resources.warehouse import Warehouse

_REQUESTS = """
select request.url, request.headers['Range'] from duckdb_logs_parsed('HTTP') where request.type = 'GET'
"""
_FILE = re.compile(r"/(\w+)/(\w+)/((?:\w+=[^/]+/)*)[^/]+\.parquet$")


class Fetched(NamedTuple):
    """A piece of a file of a table: its table, its partition (`batch=x/level=y`), and how many bytes."""

    table: str
    partition: str
    bytes: int


@contextmanager
def fetched_from(lake: Warehouse) -> Iterator[list[Fetched]]:
    """What is fetched inside, by a DuckDB that has nothing in its cache; it is in the list at the end."""
    from aimsciqa_resources.warehouse.lake import _engine

    _engine.cache_clear()
    with lake.reading() as connection:
        connection.execute("call enable_logging('HTTP')")
    found: list[Fetched] = []
    yield found
    with lake.reading() as connection:
        requests = connection.execute(_REQUESTS).fetchall()
    found += [_fetched(url.replace("%3D", "="), span) for url, span in requests]


def _fetched(url: str, span: str) -> Fetched:
    at = _FILE.search(url)
    first, last = re.fullmatch(r"bytes=(\d+)-(\d+)", span).groups()
    return Fetched(f"{at[1]}.{at[2]}", at[3].rstrip("/"), int(last) - int(first) + 1)
