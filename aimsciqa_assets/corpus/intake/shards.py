"""Shards: a file of documents as the file store keeps it, some hundred lines to a compressed part.

One file in the store for each document would be millions. Where a shard ends is decided by the lines
themselves: a file in which a few lines have changed has nearly all shards of the old one.
"""

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO

from aimsciqa_assets.reading.lines import Line

_MOST_LINES = 1000
_MOST_BYTES = 8 * 2**20
_ENDS_ONE_IN = 512
_LEVEL = 3


def sharded(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """The lines in shards: a thousand lines, 8 MiB or one longer line at most."""
    shard, size = list[Line](), 0
    for line in lines:
        if shard and size + len(line.data) > _MOST_BYTES:
            yield shard
            shard, size = [], 0
        shard.append(line)
        size += len(line.data)
        if len(shard) == _MOST_LINES or int(line.line_id[:8], 16) % _ENDS_ONE_IN == 0:
            yield shard
            shard, size = [], 0
    if shard:
        yield shard


def packed(shard: Sequence[Line]) -> bytes:
    """The bytes of a shard as they are stored: its lines, compressed by Zstandard."""
    import pyarrow as pa

    packed: bytes = pa.Codec("zstd", _LEVEL).compress(b"\n".join(line.data for line in shard), asbytes=True)
    return packed


def unpacked(stored: bytes) -> list[bytes]:
    """The lines of a stored shard; a line that was too long is empty."""
    import pyarrow as pa

    lines: bytes = pa.CompressedInputStream(BytesIO(stored), "zstd").read()
    return lines.split(b"\n")
