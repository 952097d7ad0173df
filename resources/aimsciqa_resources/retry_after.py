"""How long a server asks to be left alone."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_LONGEST_WAIT = 3600.0


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that the server asks to wait: `retry-after-ms`, or `Retry-After` as seconds or a date."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) / unit
        except ValueError:
            try:
                then = parsedate_to_datetime(value)
            except (ValueError, OverflowError):
                continue
            then = then if then.tzinfo else then.replace(tzinfo=UTC)
            seconds = (then - (now or datetime.now(tz=UTC))).total_seconds()
        if not math.isnan(seconds):
            return min(max(seconds, 0.0), _LONGEST_WAIT)
    return None
