"""Empty tables for the tests of SQL."""

import pytest

from tests.report_warehouse import empty_warehouse


@pytest.fixture(scope="module")
def database():
    with empty_warehouse() as database:
        yield database


@pytest.fixture
def connection(database):
    """A connection to empty tables; what a test writes is undone."""
    database.begin()
    yield database
    database.rollback()
