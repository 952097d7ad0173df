"""Row ids: a hash of what defines the row, never a counter, so that a rerun gives the same ids."""

from hashlib import blake2b

_SEPARATOR = "\x1f"


def row_id(*parts: str | int) -> str:
    """16 hex digits that depend on every part and on their order.

    64 bits: at a million rows the chance of any collision is about 3e-8, and the key checks would see it.
    """
    joined = _SEPARATOR.join(str(part) for part in parts)
    return blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
