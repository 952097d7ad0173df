"""What servers say when they are asked for their models: whether they are up, what they serve, the time."""

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime

import httpx2

from aimsciqa_resources.bounded_http import BoundedClient
from aimsciqa_resources.language_model.reachable import Fault, faults_of
from aimsciqa_resources.printable import printable

_MOST_BYTES = 2 * 2**20
_SECONDS = 4.0
_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered. `status` is 0 where no answer came, and `fault` then says why.

    `models` is None where the server gives no list of models. `skew_seconds` is how far its clock is ahead of
    ours, None where it tells no time; servers tell whole seconds.
    """

    fault: Fault | None = None
    status: int = 0
    models: frozenset[str] | None = None
    skew_seconds: float | None = None


def answers_of(servers: Mapping[str, str]) -> dict[str, Answer]:
    """The answers of servers (address up to /v1, with the key or ""), within ten seconds.

    A key is sent to its own server only.
    """
    faults = faults_of(servers)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        asked = {
            address: pool.submit(_answer, address, key)
            for address, key in servers.items()
            if address not in faults
        }
        return {
            address: asked[address].result() if address in asked else Answer(faults[address])
            for address in servers
        }


def _answer(address: str, key: str) -> Answer:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        with BoundedClient(_MOST_BYTES, _SECONDS) as client:
            began = time.time()
            answer = client.get(f"{address.rstrip('/')}/models", timeout=_SECONDS, headers=headers)
            now = (began + time.time()) / 2
    except (httpx2.HTTPError, OSError, ValueError) as error:
        # The text of an error may quote what was sent.
        return Answer(Fault(printable(type(error).__name__), down=False))
    told = _date(answer.headers.get("date", ""))
    skew = told.timestamp() - now if told else None
    return Answer(None, answer.status_code, _models(answer), skew)


def _models(answer: httpx2.Response) -> frozenset[str] | None:
    if not answer.is_success:
        return None
    try:
        return frozenset(printable(str(one["id"])) for one in answer.json()["data"])
    except (ValueError, LookupError, TypeError):
        return None


def _date(header: str) -> datetime | None:
    try:
        return parsedate_to_datetime(header)
    except ValueError:
        return None
