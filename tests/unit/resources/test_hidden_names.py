"""A query of a person names tables, and nothing behind them: no file, and no schema that is hidden."""

import duckdb
import pytest
from aimsciqa_resources.untrusted_sql.names import must_name_only_known
from aimsciqa_resources.untrusted_sql.statements import ForbiddenStatementError, only_reading


def look_at(query: str) -> None:
    with duckdb.connect() as connection:
        for statement in only_reading(query, analyze=True):
            must_name_only_known(connection, statement, analyze=True, hidden="__behind_")


@pytest.mark.parametrize(
    "query",
    [
        "from '/rows/s/t/a.parquet'",
        "from 'a.parquet'",
        "from __behind_lake.files",
        'select (select count(*) from "__BEHIND_lake".public.files)',
        "describe __behind_lake.files",
        "summarize __behind_lake.files",
        "explain analyze from __behind_lake.files",
        "with f as (from __behind_lake.files) from f",
        "select 1 where exists (from read_parquet('a.parquet'))",
    ],
)
def test_what_lies_behind_the_tables_is_refused(query):
    with pytest.raises(ForbiddenStatementError, match=r"may (not )?be read"):
        look_at(query)


@pytest.mark.parametrize(
    "query",
    ["from s.t", "describe s.t", "explain analyze select count(*) from s.t", "select 'a.parquet/__behind_'"],
)
def test_tables_are_read(query):
    look_at(query)
