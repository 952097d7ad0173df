"""What vLLM servers tell of themselves at `/metrics`: their queues, and how their caches are used."""

import re
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import httpx2

from aimsciqa_resources.bounded_http import BoundedClient
from aimsciqa_resources.printable import printable

_LINE = re.compile(r"^vllm:(\w+?)(?:_total)?(?:\{[^}]*\})?\s+([0-9.eE+-]+)", re.MULTILINE)
_MOST_BYTES = 2 * 2**20
_SECONDS = 4.0


@dataclass(frozen=True, slots=True)
class ServerMetrics:
    """Requests that a server works on, and those in its queue.

    `cache_used` is the share of its KV cache that is in use, `prefix_hits` the share of all prompt tokens
    since its start that stood in the prefix cache; None where the server does not tell.
    """

    running: int
    waiting: int
    cache_used: float | None = None
    prefix_hits: float | None = None

    @property
    def shown(self) -> str:
        """The numbers, for people."""
        told = [f"{self.running:,} running", f"{self.waiting:,} waiting"]
        if self.cache_used is not None:
            told.append(f"KV cache {self.cache_used:.0%} full")
        if self.prefix_hits is not None:
            told.append(f"{self.prefix_hits:.0%} of prompt tokens from the prefix cache")
        return ", ".join(told)


def read_metrics(text: str) -> ServerMetrics | None:
    """The numbers in an answer of `/metrics`; None where it tells of no queue.

    Raises `ValueError` and `OverflowError` for numbers that are none.

    A server writes a line for each of its engines (data parallelism): requests and tokens are added up, the
    share of the cache is the mean.
    """
    found: defaultdict[str, list[float]] = defaultdict(list)
    for name, value in _LINE.findall(text):
        found[name].append(float(value))
    running, waiting = found["num_requests_running"], found["num_requests_waiting"]
    if not (running and waiting):
        return None
    used = found["kv_cache_usage_perc"] or found["gpu_cache_usage_perc"]  # the name of earlier versions
    looked_up = sum(found["prefix_cache_queries"])
    return ServerMetrics(
        int(sum(running)),
        int(sum(waiting)),
        sum(used) / len(used) if used else None,
        sum(found["prefix_cache_hits"]) / looked_up if looked_up else None,
    )


def metrics_address(address: str) -> str:
    """Where a server (its address up to /v1) has its metrics."""
    return f"{address.removesuffix('/v1')}/metrics"


def metrics_of(addresses: Iterable[str]) -> dict[str, ServerMetrics | str]:
    """What each server tells within some seconds, or why it tells nothing. All are asked at once."""
    asked = list(dict.fromkeys(addresses))
    with ThreadPoolExecutor(max(1, len(asked))) as threads:
        return dict(zip(asked, threads.map(_told_by, asked), strict=True))


def _told_by(address: str) -> ServerMetrics | str:
    try:
        with BoundedClient(_MOST_BYTES, _SECONDS) as client:
            answer = client.get(metrics_address(address), timeout=_SECONDS)
            found = read_metrics(answer.text) if answer.is_success else None
    except (httpx2.HTTPError, OSError) as error:
        return f"cannot be reached ({printable(str(error) or type(error).__name__)})"
    except (ValueError, OverflowError):
        found = None
    return found or "tells nothing of its queue: it has no /metrics of vLLM"
