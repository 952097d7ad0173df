"""Records of files of both kinds, plain and compressed, and files that are damaged."""

import gzip
import json

import pyarrow as pa
import pytest

from aimsciqa_assets.baseline_sets import objects
from aimsciqa_assets.baseline_sets.objects import records_of
from aimsciqa_assets.reading.lines import UnreadableLinesError

VALUES = [{"a": "ü" * 50, "b": [1, {"c": None}]}, {"a": "]"}, {"a": '"[,'}]
MOST = 10_000


def read(path, data: bytes, most: int = MOST) -> list[tuple[int, object]]:
    path.write_bytes(data)
    return [(record.number, record.problem or record.value) for record in records_of(path, most)]


@pytest.mark.parametrize("block", [1, 7, 2**20])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lambda data: pa.compress(data, "zstd", asbytes=True)])
def test_a_list_is_read_object_by_object(tmp_path, monkeypatch, block, pack):
    monkeypatch.setattr(objects, "_BLOCK", block)
    numbered = list(enumerate(VALUES, start=1))
    for indent in (None, 2):
        text = json.dumps(VALUES, indent=indent, ensure_ascii=False)
        data = pack(text.encode())
        if block > 1 or data == text.encode():
            assert read(tmp_path / "a.json", data) == numbered
    assert read(tmp_path / "a.json", b"[]") == []


def test_lines(tmp_path):
    lines = b'{"a": 1}\n\n{"a": \n{"a": "' + b"x" * 90 + b'"}\n{"a": 2}'
    assert read(tmp_path / "a.jsonl", lines, most=60) == [
        (1, {"a": 1}),
        (3, "no JSON: Expecting value at character 6"),
        (4, "the line has 99 bytes, more than 60"),
        (5, {"a": 2}),
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'[{"a": 1}, {"a"', "record 2 is no JSON"),
        (b'[{"a": 1}', "it ends before its list does: fetch it again"),
        (b'[{"a": 1} {"a": 2}]', "there is '{' where its list needs ','"),
        (b'[{"a": "\xff"}]', "it is not UTF-8"),
        (gzip.compress(json.dumps(VALUES * 999).encode())[:-20], "it is damaged"),
    ],
)
def test_a_list_that_is_damaged(tmp_path, data, message):
    with pytest.raises(UnreadableLinesError, match=message):
        read(tmp_path / "a.json", data)


def test_a_record_that_is_too_long_ends_a_list(tmp_path, monkeypatch):
    monkeypatch.setattr(objects, "_BLOCK", 16)
    with pytest.raises(UnreadableLinesError, match="record 1 is no JSON"):
        read(tmp_path / "a.json", json.dumps([{"a": "x" * 900}]).encode(), most=100)
