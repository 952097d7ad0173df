"""The warehouse: a DuckDB file or a lake, many processes, short atomic writes.

A partition is replaced in one transaction, together with the record of what determined it, so that a killed
run leaves either the old rows or the new ones.

`database` is the warehouse, `replacing` what is written, `queries` what is read. `places` says what
differs between the places of its tables: `duckdb_file` is one file for one machine, opened by `opening`,
and `checked_copy` makes its copy for people; `lake` is DuckLake for several machines, `advisory_locks` its
locks, `lake_tables` all that DuckLake lacks, `lake_files` its compaction, `extensions` and `s3` its access.
`copying` moves tables between places. `bounded` holds tables of any size, those of Parquet files included.
`earlier` alters the tables of earlier versions, and `schema_versions` refuses those of later ones.
"""

from aimsciqa_resources.warehouse.bounded import BoundedTables, select_from_csv, tables_of_files
from aimsciqa_resources.warehouse.database import Warehouse
from aimsciqa_resources.warehouse.errors import (
    CatalogueError,
    ClusterSetUpError,
    CopyError,
    EarlierTableError,
    NewerTablesError,
    QueryError,
    VectorLengthError,
    WarehouseBrokenError,
    WarehouseBusyError,
    WarehouseMissingError,
)
from aimsciqa_resources.warehouse.queries import tables_in
from aimsciqa_resources.warehouse.replacing import Write, WriteFile, WriteMany
from aimsciqa_resources.warehouse.schema_versions import Declared, Form, Schema

__all__ = [
    "BoundedTables",
    "CatalogueError",
    "ClusterSetUpError",
    "CopyError",
    "Declared",
    "EarlierTableError",
    "Form",
    "NewerTablesError",
    "QueryError",
    "Schema",
    "VectorLengthError",
    "Warehouse",
    "WarehouseBrokenError",
    "WarehouseBusyError",
    "WarehouseMissingError",
    "Write",
    "WriteFile",
    "WriteMany",
    "select_from_csv",
    "tables_in",
    "tables_of_files",
]
