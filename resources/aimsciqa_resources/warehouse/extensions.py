"""DuckDB's extensions for lakes, loaded from wheels, so that no machine needs the network for them."""

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import duckdb

from aimsciqa_resources.warehouse.errors import INSTALL, ClusterSetUpError
from aimsciqa_resources.warehouse.opening import Config, quoted

OF_CATALOGUE: Final = ("postgres_scanner", "ducklake")
OF_S3: Final = ("httpfs",)
_OFFLINE: Config = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}


def lake_engine(config: Config, *, s3: bool) -> duckdb.DuckDBPyConnection:
    """A DuckDB that can open lakes, their data on S3 too. Raises `ClusterSetUpError`."""
    files = _files(OF_CATALOGUE + (OF_S3 if s3 else ()))
    engine = duckdb.connect(config=_OFFLINE | {"python_enable_replacements": False} | config)
    engine.execute("set enable_progress_bar = false")
    for file in files:
        engine.execute(f"load '{quoted(str(file))}'")
    return engine


def _files(names: Iterable[str]) -> list[Path]:
    return [_file(f"duckdb_extension_{name}", name) for name in names]


def _file(package: str, name: str) -> Path:
    found = find_spec(package)
    if found is None or found.origin is None:
        raise ClusterSetUpError(
            f"A lake needs {package.replace('_', '-')}, which is not installed: {INSTALL}"
        )
    folder = Path(found.origin).parent / "extensions"
    file = folder / f"v{duckdb.__version__}" / f"{name}.duckdb_extension"
    if not file.is_file():
        of = ", ".join(sorted(path.name.removeprefix("v") for path in folder.glob("v*"))) or "no version"
        raise ClusterSetUpError(
            f"{package.replace('_', '-')} is for DuckDB {of}, not for {duckdb.__version__}: {INSTALL}"
        )
    return file
