"""A lake whose rows lie on S3: a server of S3 on this machine."""

import os
import socket
import subprocess
import sys
import time
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import polars as pl
import pytest
from aimsciqa_resources.warehouse import CatalogueError, QueryError, Warehouse, Write

pytestmark = pytest.mark.slow
_STARTING_SECONDS = 120
DDL = "create table if not exists s.t (batch varchar not null, n integer not null)"
KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "word", "AWS_REGION": "us-east-1"}


@pytest.fixture(scope="module")
def s3(tmp_path_factory):
    """The address of a server with the bucket `rows`."""
    pytest.importorskip("moto", reason="needs a server of S3: make test-cluster")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("s3") / "log"
    with log.open("w") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
            stdout=output,
            stderr=output,
            env={**os.environ, **KEYS},
        )
    address = f"http://127.0.0.1:{port}"
    give_up = time.monotonic() + _STARTING_SECONDS
    while time.monotonic() < give_up:
        try:
            urlopen(Request(f"{address}/rows", method="PUT"), timeout=30).close()
            break
        except HTTPError:
            raise
        except (URLError, OSError):
            time.sleep(0.2)
    yield address
    server.terminate()
    server.wait()


@pytest.fixture
def on_s3(s3, catalogue, tmp_path, monkeypatch) -> Warehouse:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", s3)
    return Warehouse(f"ducklake:postgres:{catalogue}", "s3://rows/lake", str(tmp_path))


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
        on_s3.ask("from 's3://rows/lake/s/t/*/*.parquet'")
    on_s3.publish(tmp_path / "inspect.duckdb")
    assert Warehouse(str(tmp_path / "inspect.duckdb")).read("select count(*) from s.t").item() == 2


def test_a_bucket_that_is_not_there_is_told(on_s3):
    other = Warehouse(on_s3.database, "s3://nobody/lake", on_s3.folder)
    with pytest.raises(CatalogueError, match=r"s3://nobody/lake/ cannot be read or written"):
        other.replace([write("a", 1)])
