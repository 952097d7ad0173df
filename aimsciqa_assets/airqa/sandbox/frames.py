"""The rows of a result as pandas frames, with the values that AirQA's authors' agents see.

They take rows from `DataFrame.iterrows` and make a frame of them again. So integers beside floats become
floats when all columns are numbers, NULL in a column of texts is None, and a list is a numpy array.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from aimsciqa_resources.untrusted_sql.cells import Column

# DuckDB gives columns with NULLs as types of pandas that know them.
_WITH_NULLS = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}


def rows_of(columns: Sequence[Column]) -> list[list[Any]]:
    """The values of each row, in the order of the columns."""
    frame = pd.concat([_series(column) for column in columns], axis=1)
    return [list(row) for row in frame.to_numpy()]


def frame_of(rows: Sequence[Sequence[Any]], names: Sequence[str]) -> pd.DataFrame:
    """Rows as a frame, each column with the type of its values; texts stay Python's."""
    columns = []
    for place in range(len(names)):
        values = np.empty(len(rows), dtype=object)
        values[:] = [row[place] for row in rows]
        column = pd.Series(values, dtype=object)
        has_text = any(isinstance(value, str) for value in values)
        columns.append(column if has_text else column.infer_objects())
    frame = pd.concat(columns, axis=1)
    frame.columns = pd.Index(names, dtype=object)
    return frame


def with_text_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame in which every cell of a column of objects is the text that Python prints for it."""
    changed = frame.copy()
    for place in range(frame.shape[1]):
        if pd.api.types.is_object_dtype(frame.dtypes.iloc[place]):
            texts = [str(value).encode("utf-8", "ignore").decode() for value in frame.iloc[:, place]]
            changed.isetitem(place, np.array(texts, dtype=object))
    return changed


def with_json_dates(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame whose dates are milliseconds since 1970, and durations milliseconds."""
    changed = frame.copy()
    for place, kind in enumerate(frame.dtypes):
        if kind.kind in "mM":
            column = frame.iloc[:, place]
            counted = column.to_numpy().astype(f"{kind.kind}8[ms]").astype("int64")
            missing = column.isna().to_numpy()
            changed.isetitem(place, pd.arrays.IntegerArray(counted, missing))
    return changed


def _series(column: Column) -> "pd.Series[Any]":
    kind, sent = column["dtype"], column["values"]
    if kind == "bool" and None in sent:
        return pd.Series(sent, dtype="boolean")
    if kind in _WITH_NULLS and None in sent:
        return pd.Series(sent, dtype=kind.replace("int", "Int").replace("uI", "UI"))
    if kind[0] in "biuf":
        return pd.Series(np.array([np.nan if one is None else one for one in sent], dtype=kind))
    if kind.startswith(("datetime64", "timedelta64")):
        return pd.Series(np.array([_NEVER if one is None else one for one in sent]).astype(kind))
    values = np.empty(len(sent), dtype=object)
    values[:] = [_value(one) for one in sent]
    return pd.Series(values, dtype=object)


_NEVER = np.iinfo(np.int64).min  # what numpy writes for a date that is missing


def _value(sent: Any) -> Any:
    if not isinstance(sent, Mapping):
        return sent
    if "text" in sent:
        return sent["text"]
    values = [_value(one) for one in sent["array"]]
    if sent["dtype"] == "object":
        array: Any = np.empty(len(values), dtype=object)
        array[:] = values
    else:
        array = np.array([0 if one is None else one for one in values], dtype=sent["dtype"])
    return np.ma.array(array, mask=sent["mask"]) if "mask" in sent else array
