"""How requests to a model server are handled: `python -m benchmarks.model_requests [SECTION ...]`.

A model server on the loopback, in a process of its own, answers after 50 ms unless a section says otherwise.

- `throughput`: requests per second and CPU per request at 64 in flight, our client with its journal on disk
  beside `openai.AsyncOpenAI` and other projects' clients, in alternating rounds.
- `heavy_tail`: log-normal latency (mean 400 ms, sigma 1), 1,000 requests, 50 in flight; wall time over that
  of the ideal list schedule, in which a place is never empty.
- `faults`: one permanent 400 among 100; 25 % of 500s; 10 % of 429s with Retry-After 1; wall time over the
  ideal, in which every attempt is repeated as soon as it may be.

Figures go to the screen and to `benchmarks/results/model_requests.json`.
"""

import argparse
import heapq
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from aimsciqa_resources.language_model import Message, ModelReply, ModelRequest
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.settings import ModelSettings

from benchmarks.environments import OURS, RIVALS, ROOT, Client, UnavailableError, model_server
from benchmarks.machine import machine
from benchmarks.workload import prompts
from tests.model_server import Plan, Seen, Status, log_normal, share

RESULT = ROOT / "benchmarks" / "results" / "model_requests.json"
LATENCY = 0.05
SEED = 1


def main() -> None:
    """Measure the sections that were asked for, print and write them."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("sections", nargs="*", choices=[[], *SECTIONS], help="all of them by default")
    chosen = options.parse_args()
    result = json.loads(RESULT.read_text()) if RESULT.exists() else {}
    for name in chosen.sections or SECTIONS:
        print(f"--- {name}", flush=True)
        result[name] = SECTIONS[name]()
        result["machine"] = machine()
        RESULT.write_text(json.dumps(result, indent=2) + "\n")


def throughput() -> dict[str, Any]:
    """Our client and the others, the same prompts, the same server."""
    requests, in_flight, rounds = 500, 64, 5
    taken: dict[str, list[dict[str, Any]]] = {}
    left_out: dict[str, str] = {}
    clients: list[Client] = []
    for client in (OURS, *RIVALS):
        try:
            client.install()
            clients.append(client)
        except UnavailableError as reason:
            left_out[client.name] = str(reason)
    with model_server("--constant", "--latency-ms", str(LATENCY * 1000)) as url:
        for _ in range(rounds):
            for client in list(clients):
                try:
                    taken.setdefault(client.name, []).append(client.figures(url, requests, in_flight))
                except UnavailableError as reason:
                    left_out[client.name] = str(reason)
                    clients.remove(client)
    plain = [one["seconds"] for one in taken["openai"]]
    figures = {}
    print(f"{'client':12}{'req/s':>8}{'CPU ms/req':>12}{'replies':>9}{'times plain openai':>20}")
    for client in clients:
        rows = taken[client.name]
        ratios = [other / one["seconds"] for one, other in zip(rows, plain, strict=True)]
        figures[client.name] = {
            "version": client.requirements[0] if client.requirements else "this one",
            "requests_per_second": round(requests / statistics.median(one["seconds"] for one in rows)),
            "cpu_ms_per_request": round(
                statistics.median(one["cpu_seconds"] for one in rows) / requests * 1e3, 2
            ),
            "replies": min(one["replies"] for one in rows),
            "times_plain_openai": round(statistics.median(ratios), 2),
            "rounds": [round(requests / one["seconds"]) for one in rows],
        }
        one = figures[client.name]
        print(
            f"{client.name:12}{one['requests_per_second']:>8}{one['cpu_ms_per_request']:>12}"
            f"{one['replies']:>9}{one['times_plain_openai']:>20}"
        )
    for name, reason in left_out.items():
        print(f"{name:12} left out: {reason}")
    return {"requests": requests, "in_flight": in_flight, "clients": figures, "left_out": left_out}


def heavy_tail() -> dict[str, Any]:
    """One slow reply holds up nobody else."""
    count, in_flight = 1000, 50
    latency = log_normal(0.4, 1.0, SEED)
    with model_server("--constant", "--plan", f"log-normal:0.4:1.0:{SEED}") as url:
        wall, replies = asked(url, count, in_flight)
    ideal = list_schedule([latency(number) for number in range(count)], in_flight)
    return printed({"replies": answered(replies), **compared(wall, ideal)})


def faults() -> dict[str, Any]:
    """What goes wrong costs no reply and little time."""
    with model_server("--constant", "--latency-ms", "50", "--plan", "always:400:Paragraph 77:") as url:
        _, replies = asked(url, 100, 16)
    failed = [reply for reply in replies if reply.failure]
    print("one permanent 400 among 100")
    one_400 = printed(
        {
            "replies": answered(replies),
            "reasons": [reply.failure for reply in failed],
            "attempts": [max(call.attempts for call in reply.calls) for reply in failed],
        }
    )
    print("25 % of 500s, 1,000 requests, 16 in flight")
    with model_server("--constant", "--latency-ms", "50", "--plan", f"status:500:0.25:{SEED}") as url:
        wall, replies = asked(url, 1000, 16)
    ideal = ideal_with_faults(1000, 16, share(0.25, SEED, Status(500)), 0.0)
    servers = printed({"replies": answered(replies), **compared(wall, ideal)})
    print("10 % of 429s with Retry-After 1, 1,000 requests, 16 in flight")
    plan = f"status:429:0.1:{SEED}:Retry-After=1"
    with model_server("--constant", "--latency-ms", "50", "--plan", plan) as url:
        wall, replies = asked(url, 1000, 16)
    ideal = ideal_with_faults(1000, 16, share(0.1, SEED, Status(429)), 1.0)
    limits = printed({"replies": answered(replies), **compared(wall, ideal)})
    return {"one_permanent_400": one_400, "a_quarter_500s": servers, "a_tenth_429s": limits}


def asked(url: str, count: int, in_flight: int) -> tuple[float, list[ModelReply]]:
    """Seconds from the first request to the last reply, and the replies."""
    settings = ModelSettings(
        backend="server", name="m", base_url=url, in_flight=in_flight, most_in_flight=in_flight
    )
    requests = [
        ModelRequest("benchmark", str(number), {}, tuple(Message(**message) for message in chat))
        for number, chat in enumerate(prompts(count))
    ]
    with tempfile.TemporaryDirectory() as folder:
        model = LanguageModels(Path(folder) / "journal.sqlite").open(settings)
        began = time.perf_counter()
        replies = list(model.replies(requests))
        return time.perf_counter() - began, replies


def list_schedule(seconds: Sequence[float], places: int) -> float:
    """When the last one ends if each starts, in their order, as soon as a place is free."""
    ends = [0.0] * places
    for duration in seconds:
        heapq.heapreplace(ends, ends[0] + duration)
    return max(ends)


def ideal_with_faults(count: int, places: int, plan: Plan, wait: float) -> float:
    """The same where `plan` fails attempts; each is repeated, before new ones, `wait` after its failure."""
    free = [0.0] * places
    due: list[tuple[float, int]] = []
    new = iter(range(count))
    chats = prompts(count)

    def fails(number: int) -> bool:
        return plan(Seen(0, 0.0, {}, {"messages": chats[number]})) is not None

    last = 0.0
    upcoming = next(new, None)
    while due or upcoming is not None:
        now = heapq.heappop(free)
        if due and (due[0][0] <= now or upcoming is None):
            at, number = heapq.heappop(due)
            now = max(now, at)
        else:
            assert upcoming is not None
            number, upcoming = upcoming, next(new, None)
        end = now + LATENCY
        last = max(last, end)
        heapq.heappush(free, end)
        if fails(number):
            heapq.heappush(due, (end + wait, number))
    return last


def answered(replies: Sequence[ModelReply]) -> int:
    """How many have a text."""
    return sum(reply.text is not None for reply in replies)


def compared(wall: float, ideal: float) -> dict[str, float]:
    """The wall time and how it stands to the ideal one."""
    return {"seconds": round(wall, 2), "ideal_seconds": round(ideal, 2), "ratio": round(wall / ideal, 3)}


def printed(figures: dict[str, Any]) -> dict[str, Any]:
    """The figures, on the screen too."""
    print("  " + ", ".join(f"{name} {value}" for name, value in figures.items()), flush=True)
    return figures


SECTIONS: dict[str, Callable[[], dict[str, Any]]] = {
    "throughput": throughput,
    "heavy_tail": heavy_tail,
    "faults": faults,
}

if __name__ == "__main__":
    main()
