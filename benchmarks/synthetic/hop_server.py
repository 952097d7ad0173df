"""The model of made-up syntheses behind the loopback server, with the slots and delays of a real engine.

`python -m benchmarks.synthetic.hop_server --slots 256 --latency 0.5 2`: prints its URL, then, when it is told
to end (SIGTERM), how busy it was as one JSON line.
"""

import argparse
import asyncio
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.synthetic.hops import Hops
from tests.model_server import ModelServer, Seen
from tests.model_server.__main__ import until_told


@dataclass
class BusyServer(ModelServer):
    """Keeps no request once it was answered, and measures how long its slots were taken."""

    shortest: float = 0.5
    longest: float = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.latency = self._drawn
        self.busy_seconds = 0.0

    def _drawn(self, number: int) -> float:
        seconds = random.Random(number).uniform(self.shortest, self.longest)
        self.busy_seconds += seconds
        return seconds

    def good_reply(self, seen: Seen) -> dict[str, object]:
        reply = super().good_reply(seen)
        seen.body, seen.headers = {"messages": []}, {}
        return reply

    def figures(self) -> dict[str, float]:
        """Requests, and for how many seconds all slots together were taken."""
        return {"requests": len(self.seen), "busy_seconds": round(self.busy_seconds, 1)}


def serve(description: str | None, answer: Callable[[Mapping[str, Any]], str]) -> None:
    """Serve the replies of `answer` as the command line says until SIGTERM, then tell."""
    options = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--slots", type=int, required=True)
    options.add_argument("--latency", type=float, nargs=2, required=True, help="seconds, from and to")
    chosen = options.parse_args()
    shortest, longest = chosen.latency
    server = BusyServer(answer=answer, slots=chosen.slots, shortest=shortest, longest=longest)
    with server:
        asyncio.run(until_told(server))
        print(json.dumps(server.figures()), flush=True)


if __name__ == "__main__":
    serve(__doc__, Hops())
