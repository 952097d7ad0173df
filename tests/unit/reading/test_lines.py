"""Lines of files: which there are, by what they are known, and what cannot be read."""

import gzip
import random
from hashlib import sha256

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aimsciqa_assets.reading.lines import UnreadableLinesError, lines_of

TEXT = b'{"id": 1}\n{"id": 2}\n'


def zstandard(data: bytes) -> bytes:
    return pa.Codec("zstd").compress(data, asbytes=True)


@pytest.fixture
def read(tmp_path):
    def read(data: bytes, most: int = 1000):
        (tmp_path / "file").write_bytes(data)
        return list(lines_of(tmp_path / "file", most))

    return read


def test_a_line_is_known_by_its_bytes_without_line_ends_marks_and_white_space(read):
    first, second = read(b'\xef\xbb\xbf{"id": 1}\r\n\r\n   \n  {"id": 2}  ')
    assert (first.number, first.data, first.size) == (1, b'{"id": 1}', 9)
    assert (second.number, second.data) == (4, b'{"id": 2}')
    assert first.line_id == sha256(b'{"id": 1}').hexdigest()


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(TEXT),
        gzip.compress(TEXT[:10]) + gzip.compress(TEXT[10:]),
        zstandard(TEXT),
        zstandard(TEXT[:10]) + zstandard(TEXT[10:]),
        TEXT.replace(b"\n", b"\r\n"),
    ],
)
def test_compressed_files_and_other_line_ends_give_the_same_lines(read, data):
    assert read(data) == read(TEXT)


@pytest.mark.parametrize(("kind", "compress"), [("gzip", gzip.compress), ("Zstandard", zstandard)])
def test_a_compressed_file_that_is_cut_or_damaged_is_told(read, kind, compress):
    whole = compress(b"".join(b'{"id": %d}\n' % random.Random(i).randrange(10**9) for i in range(9000)))
    for data in (whole[:-9], whole[:5000] + bytes(100) + whole[5100:]):
        with pytest.raises(UnreadableLinesError, match=f"no whole {kind} file"):
            read(data)


def test_a_line_that_is_too_long_is_named_by_its_length_and_the_next_ones_are_read(read):
    long = b"a" * 3_000_000
    before, cut, after = read(b"1\n" + long + b"\n2\n", most=100)
    assert (before.data, after.data, after.number) == (b"1", b"2", 3)
    assert (cut.data, cut.size, cut.number) == (b"", 3_000_000, 2)
    (whole,) = read(long, most=3_000_000)
    assert whole.data == long
    assert whole.line_id != cut.line_id


def test_a_line_as_long_as_the_limit_is_read(read):
    assert [line.data for line in read(b"1234\n12345\n123", most=4)] == [b"1234", b"", b"123"]


@given(
    st.lists(st.binary(max_size=30).map(lambda data: data.replace(b"\n", b"")), max_size=20),
    st.integers(5, 40),
)
def test_no_line_gets_lost(tmp_path_factory, lines, most):
    file = tmp_path_factory.mktemp("lines") / "a.jsonl"
    file.write_bytes(b"\n".join(lines))
    if file.read_bytes()[:2] == b"\x1f\x8b" or file.read_bytes()[:4] == b"\x28\xb5\x2f\xfd":
        return
    numbers = [line.number for line in lines_of(file, most)]
    blank = {
        number
        for number, line in enumerate(lines, 1)
        if len(line) < most and not line.strip(b" \t\r").removeprefix(b"\xef\xbb\xbf").strip(b" \t\r")
    }
    sure = {number for number in range(1, len(lines) + 1) if len(lines[number - 1]) < most}
    assert sorted(set(numbers) & sure) == sorted(sure - blank)
    assert len(numbers) == len(set(numbers))
