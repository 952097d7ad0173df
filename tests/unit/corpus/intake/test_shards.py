"""How a file of documents is divided for the store."""

from hashlib import sha256

from aimsciqa_assets.corpus.intake.shards import packed, sharded, unpacked
from aimsciqa_assets.reading.lines import Line


def line(number: int, data: bytes | None = None) -> Line:
    data = b"document %d" % number if data is None else data
    return Line(number, data, len(data), sha256(b"%d" % number).hexdigest())


def test_a_shard_comes_back_as_it_was():
    assert unpacked(packed([line(1), line(2, b""), line(3)])) == [b"document 1", b"", b"document 3"]


def test_shards_hold_all_lines_in_order_and_are_not_too_large():
    lines = [line(number) for number in range(5000)]
    shards = list(sharded(lines))
    assert [one for shard in shards for one in shard] == lines
    assert max(map(len, shards)) <= 1000
    assert 5 <= len(shards) <= 20


def test_long_lines_end_a_shard_early():
    lines = [line(number, bytes(3 * 2**20)) for number in range(1, 6)] + [line(6, bytes(9 * 2**20)), line(7)]
    assert [[one.number for one in shard] for shard in sharded(lines)] == [[1, 2], [3, 4], [5], [6], [7]]


def test_a_line_that_is_added_leaves_nearly_all_shards_as_they_were():
    lines = [line(number) for number in range(20_000)]
    before = {packed(shard) for shard in sharded(lines)}
    after = {packed(shard) for shard in sharded([*lines[:9000], line(99_999), *lines[9000:]])}
    assert len(before) > 30
    assert len(after - before) <= 4
