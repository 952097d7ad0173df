"""Locks in the catalogue of a lake: Postgres advisory locks, which all workers see.

A lock belongs to a connection of its own, and Postgres frees it when that connection ends, however its
process died.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from aimsciqa_resources.warehouse.errors import CatalogueError

PATIENCE_SECONDS: Final = 5
FORBIDDEN: Final = "permission denied"
_SESSION: Final = """
set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3;
set client_connection_check_interval = '2s'
"""


@contextmanager
def catalogue(conninfo: str) -> Iterator[psycopg.Connection]:
    """A connection to the catalogue; raises `CatalogueError` when there is none within five seconds."""
    try:
        opened = psycopg.connect(
            conninfo, autocommit=True, connect_timeout=PATIENCE_SECONDS, application_name="aimsciqa"
        )
    except psycopg.OperationalError as error:
        raise CatalogueError(unreachable(conninfo, error)) from None
    with opened as connection:
        try:
            yield connection
        except psycopg.errors.InsufficientPrivilege as error:
            raise CatalogueError(forbidden(conninfo, error)) from None


@contextmanager
def advisory_lock(conninfo: str, name: str) -> Iterator[psycopg.Connection]:
    """Wait until nobody else holds the lock of this name; gives the connection that holds it now.

    Raises `CatalogueError`.
    """
    with catalogue(conninfo) as connection:
        try:
            connection.execute(_SESSION)
            connection.execute("select pg_advisory_lock(%s)", [key_of(name)])
        except psycopg.OperationalError as error:
            raise CatalogueError(unreachable(conninfo, error)) from None
        yield connection


def place_of(conninfo: str) -> str:
    """Which database it is, without what may be secret."""
    known = conninfo_to_dict(conninfo)
    host, port, database = (known.get(name) or "" for name in ("host", "port", "dbname"))
    return f"postgres:{host or 'localhost'}{f':{port}' if port else ''}/{database}"


def unreachable(conninfo: str, error: Exception | str) -> str:
    """What is told when the catalogue does not answer."""
    said = (str(error).strip() or "no answer").splitlines()[0].split("failed: ")[-1]
    return (
        f"The catalogue {place_of(conninfo)} cannot be reached: {said}\nSee that Postgres runs there, takes "
        "connections from this machine and knows the user; AIMSCIQA_WAREHOUSE names it (docs/clusters.md)."
    )


def forbidden(conninfo: str, error: Exception | str) -> str:
    """What is told when the catalogue lets this user do too little."""
    said = next(line for line in str(error).splitlines() if FORBIDDEN in line)
    return (
        f"The catalogue {place_of(conninfo)} refuses this user: {said[said.index(FORBIDDEN) :]}\nLet the "
        "user that AIMSCIQA_WAREHOUSE names own the database, or `grant all on schema public` and on `all "
        "tables in schema public` to it."
    )


def key_of(name: str) -> int:
    """The number that Postgres knows a lock by."""
    return int.from_bytes(blake2b(f"aimsciqa {name}".encode(), digest_size=8).digest(), signed=True)
