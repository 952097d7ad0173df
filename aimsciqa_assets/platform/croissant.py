"""Data sets described in Croissant 1.0, the metadata format of MLCommons."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pyarrow as pa

from aimsciqa.files import json_text

PARQUET: Final = "application/x-parquet"
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_TYPES = {
    pa.string(): "sc:Text",
    pa.large_string(): "sc:Text",
    pa.int32(): "sc:Integer",
    pa.int64(): "sc:Integer",
    pa.float64(): "sc:Float",
    pa.bool_(): "sc:Boolean",
}


def described(
    about: Mapping[str, Any], files: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]
) -> str:
    """`croissant.json`; `about` has name, description, license, citeAs and version."""
    whole = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        **about,
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "url": "./",
        "distribution": files,
        "recordSet": rows,
    }
    return json_text(whole, indent=1) + "\n"


def described_file(path: str, sha256: str, form: str = PARQUET) -> dict[str, Any]:
    """A file of the data set; `form` is its media type."""
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "encodingFormat": form,
        "sha256": sha256,
    }


def described_rows(name: str, schema: pa.Schema, path: str) -> dict[str, Any]:
    """The rows of a Parquet file under a name, with all columns but lists of structs."""
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [field for column in schema for field in _fields(name, path, column)],
    }


def _fields(record_set: str, path: str, column: pa.Field) -> Iterator[dict[str, Any]]:
    """A column as a field; one with parts as a field for each of them: `source/core_qa/question`."""
    for parts, kind in _leaves(column):
        repeated = pa.types.is_list(kind)
        source: dict[str, Any] = {"fileObject": {"@id": path}, "extract": {"column": column.name}}
        if len(parts) > 1:
            source["transform"] = {"jsonPath": ".".join(("$", *parts[1:]))}
        yield {
            "@type": "cr:Field",
            "@id": "/".join((record_set, *parts)),
            "name": "/".join(parts),
            "dataType": _TYPES[kind.value_type if repeated else kind],
            "source": source,
        } | ({"repeated": True} if repeated else {})


def _leaves(column: pa.Field) -> Iterator[tuple[tuple[str, ...], pa.DataType]]:
    if pa.types.is_struct(column.type):
        for part in column.type:
            yield from (((column.name, *parts), kind) for parts, kind in _leaves(part))
    elif not (pa.types.is_list(column.type) and pa.types.is_struct(column.type.value_type)):
        # Lists of structs (the citing sentences, the documents) are not described here.
        yield (column.name,), column.type
