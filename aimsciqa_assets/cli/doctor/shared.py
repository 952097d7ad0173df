"""Check of the place that workers share. It puts a small object there, and removes it."""

import os
import socket
from collections.abc import Iterator
from datetime import UTC, datetime

from aimsciqa_resources.settings_file import general
from aimsciqa_resources.shared_place import SharedPlace, SharedPlaceError, shared_place

from aimsciqa_assets.cli.doctor.findings import Examined, Finding, ok, problem, warning

# A server tells whole seconds, and an answer takes a moment.
_OFF, _FAR_OFF = 30.0, 300.0
_SAID = b"from aimsciqa doctor; it may be removed"


def shared_place_works(examined: Examined) -> Iterator[Finding]:
    """The shared place takes an object and gives it back, and its clock is that of this machine.

    Raises `SharedPlaceError`.
    """
    named = general("AIMSCIQA_SHARED", examined.environment)
    if not named:
        if examined.warehouse.is_lake:
            yield warning(
                "the tables lie in a lake, and everything else in this home",
                "Other workers need the ingested files, too: set AIMSCIQA_SHARED (docs/clusters.md).",
            )
        else:
            yield ok("none: everything lies in this home")
        return
    place = shared_place(named)
    yield from _tried(place, f"doctor/{socket.gethostname()}-{os.getpid()}", examined)


def _tried(place: SharedPlace, key: str, examined: Examined) -> Iterator[Finding]:
    place.put(key, _SAID)
    there, read = place.look(key), place.read(key)
    if there is None or read != _SAID:
        yield problem(
            f"{place.name} does not give back what was put there",
            "A place must show an object as soon as it is put. Take another server or file system.",
        )
        return
    skew = (there.changed - datetime.fromtimestamp(examined.now(), UTC)).total_seconds()
    if abs(skew) > _OFF:
        side = "behind" if skew > 0 else "ahead of"
        report = problem if abs(skew) > _FAR_OFF else warning
        yield report(
            f"this clock is {abs(skew):,.0f} s {side} that of {place.name}",
            "Set the clock of this machine, or of the server (`timedatectl set-ntp true`): a server of S3 "
            "refuses requests that are a quarter of an hour off.",
        )
    try:
        place.remove(key)
    except SharedPlaceError as error:
        said, _, advice = str(error).partition("\n")
        yield warning(f"nothing can be removed: {said}", f"`aimsciqa maintain` must remove there. {advice}")
    else:
        if abs(skew) <= _OFF:
            yield ok(f"{place.name} can be read and written, and its clock agrees")
