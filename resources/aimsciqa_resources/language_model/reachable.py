"""Whether a server is up, found out within seconds and before anything else is done.

A server is down if no connection to it comes about in time. One that accepts a connection and does not answer
in time is slow to answer, perhaps because it works on much: that is a warning, and the run goes on.
"""

import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import httpx2

from aimsciqa_resources.bounded_http import BoundedClient
from aimsciqa_resources.language_model.offers import Offer, read_offer
from aimsciqa_resources.printable import printable

_MOST_BYTES = 2 * 2**20
# For everything: looking the names up, connecting, and waiting for the answers. Servers are asked at once.
_SECONDS = 4.0
_CONNECTED = "connection.connect_tcp.complete"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a server: it is `down`, or else it accepts connections but does not answer."""

    reason: str
    down: bool = True


def faults_of(addresses: Iterable[str]) -> dict[str, Fault]:
    """What is wrong with servers (addresses up to /v1), found within five seconds; only those with a fault.

    Whatever a server answers, it is up: what it complains of is told when it is asked. No key is sent.
    """
    seen = seen_at(addresses)
    return {address: one for address, one in seen.items() if isinstance(one, Fault)}


def seen_at(addresses: Iterable[str]) -> Mapping[str, Fault | Offer]:
    """What each server serves, or what is wrong with it; as `faults_of`."""
    visits = [_Visit(address) for address in dict.fromkeys(addresses)]
    threads = [threading.Thread(target=visit.pay, daemon=True) for visit in visits]
    for thread in threads:
        thread.start()
    ends = time.monotonic() + _SECONDS
    for thread in threads:
        thread.join(max(0.0, ends - time.monotonic()))
    return {visit.address: visit.fault() or visit.offer for visit in visits}


class _Visit:
    """One question to a server, from a thread of its own: the time may be over before it ends."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._connected = self._ended = False
        self._refused = ""
        self.offer = Offer()

    def pay(self) -> None:
        """Connect, and ask for the list of models."""
        try:
            with BoundedClient(_MOST_BYTES, _SECONDS) as client:
                answer = client.get(
                    f"{self.address.rstrip('/')}/models", timeout=_SECONDS, extensions={"trace": self._note}
                )
            self.offer = read_offer(answer.text)
        except httpx2.TimeoutException:
            return
        except httpx2.ConnectError as error:
            self._refused = printable(str(error) or type(error).__name__)
        except (httpx2.HTTPError, OSError, ValueError, LookupError, TypeError, RecursionError):
            pass
        self._ended = True

    def fault(self) -> Fault | None:
        """What is known by now."""
        if self._refused:
            return Fault(self._refused)
        if self._ended:
            return None
        if self._connected:
            return Fault(f"it accepts connections, and did not answer within {_SECONDS:g} s", down=False)
        return Fault(f"no connection within {_SECONDS:g} s")

    def _note(self, event: str, _told: object) -> None:
        self._connected = self._connected or event == _CONNECTED
