"""A lake whose rows lie on S3: a server of S3 on this machine."""

import polars as pl
import pytest
from aimsciqa_resources.warehouse import CatalogueError, QueryError, Warehouse, Write

pytestmark = pytest.mark.slow
DDL = "create table if not exists s.t (batch varchar not null, n integer not null)"


def write(batch: str, *numbers: int) -> Write:
    rows = pl.DataFrame(
        {"batch": [batch] * len(numbers), "n": list(numbers)}, schema_overrides={"n": pl.Int32}
    )
    return Write("s.t", DDL, rows, {"batch": batch})


def test_rows_are_written_read_and_asked_for(on_s3, tmp_path):
    on_s3.replace([write("a", 1, 2), write("b", 3)])
    on_s3.replace([write("a", 9)])
    assert on_s3.read("select batch, n from s.t order by all").rows() == [("a", 9), ("b", 3)]
    assert on_s3.ask("select sum(n) from s.t").rows() == [(12,)]
    with pytest.raises(QueryError):
        on_s3.ask(f"from '{on_s3.data}/s/t/*/*.parquet'")
    on_s3.publish(tmp_path / "inspect.duckdb")
    assert Warehouse(str(tmp_path / "inspect.duckdb")).read("select count(*) from s.t").item() == 2


def test_a_bucket_that_is_not_there_is_told(on_s3):
    other = Warehouse(on_s3.database, "s3://nobody/lake", on_s3.folder)
    with pytest.raises(CatalogueError, match=r"s3://nobody/lake/ cannot be read or written"):
        other.replace([write("a", 1)])
