"""Whether a server is up, found out within seconds and before anything else is done."""

import threading
import time
from collections.abc import Iterable

import httpx2

from aimsciqa_resources.bounded_http import BoundedClient
from aimsciqa_resources.printable import printable

_MOST_BYTES = 2 * 2**20
_SECONDS = 3.0
# A name that cannot be looked up may take longer than a connection is given.
_SECONDS_FOR_ALL = 4.0
_NO_CONNECTION = (httpx2.ConnectError, httpx2.ConnectTimeout)


def unreachable(addresses: Iterable[str]) -> dict[str, str]:
    """Which of these servers (addresses up to /v1) cannot be connected to, and why; within five seconds.

    Whatever a server answers, it is up: its faults are told when it is asked. No key is sent.
    """
    asked = list(dict.fromkeys(addresses))
    found: dict[str, str | None] = {}
    threads = [threading.Thread(target=_ask, args=(address, found), daemon=True) for address in asked]
    for thread in threads:
        thread.start()
    ends = time.monotonic() + _SECONDS_FOR_ALL
    for thread in threads:
        thread.join(max(0.0, ends - time.monotonic()))
    faults = {address: found.get(address, "no connection in time") for address in asked}
    return {address: fault for address, fault in faults.items() if fault is not None}


def _ask(address: str, found: dict[str, str | None]) -> None:
    """Note what is wrong with the connection to a server; None where there is one."""
    fault = None
    try:
        with BoundedClient(_MOST_BYTES, _SECONDS) as client:
            client.get(f"{address.rstrip('/')}/models", timeout=_SECONDS)
    except _NO_CONNECTION as error:
        fault = printable(str(error) or type(error).__name__)
    except (httpx2.HTTPError, OSError, ValueError):
        pass
    found[address] = fault
