"""The warehouse: one DuckDB file, many processes, short atomic writes.

DuckDB lets one process write or several read. Every connection therefore waits its turn at a lock file, and
nobody keeps the database open while a model works. A partition is replaced in one transaction, together
with the record of what determined it, so that a killed run leaves either the old rows or the new ones.

`database` is the warehouse, `opening` its connections, `replacing` what is written, `queries` what is read.
`bounded` holds tables of any size, those of Parquet files included. `checked_copy` makes the copy for people.
`earlier` alters the tables of earlier versions.
"""

from aimsciqa_resources.warehouse.bounded import BoundedTables, select_from_csv, tables_of_files
from aimsciqa_resources.warehouse.database import Warehouse
from aimsciqa_resources.warehouse.earlier import Declared, Form
from aimsciqa_resources.warehouse.errors import (
    EarlierTableError,
    QueryError,
    VectorLengthError,
    WarehouseBrokenError,
    WarehouseBusyError,
    WarehouseMissingError,
)
from aimsciqa_resources.warehouse.queries import tables_in
from aimsciqa_resources.warehouse.replacing import Write, WriteFile, WriteMany

__all__ = [
    "BoundedTables",
    "Declared",
    "EarlierTableError",
    "Form",
    "QueryError",
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
