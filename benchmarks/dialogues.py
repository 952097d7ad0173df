"""Dialogues beside plain requests: 1,000 dialogues of three turns, and 3,000 requests of the same lengths.

Both go through our client with its journal on disk, 64 in flight, from a process each, at the same time and
each to a server of its own: so whatever else the machine does slows both. What counts is the share of the
throughput of plain requests that dialogues reach: at least 85 %.

Figures go to the screen and to `benchmarks/results/dialogues.json`.
"""

import json
import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from aimsciqa_resources.language_model import Dialogue, Message, ModelReply, ModelRequest, converse, once
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.settings import ModelSettings

from benchmarks.environments import ROOT, model_server
from benchmarks.machine import machine
from benchmarks.workload import cpu_seconds, prompts

RESULT = ROOT / "benchmarks" / "results" / "dialogues.json"
DIALOGUES, TURNS, IN_FLIGHT, ROUNDS = 1000, 3, 64, 6
SERVER = ("--constant", "--latency-ms", "50")
WAYS = ("plain", "dialogues")
LEAST = 0.85


def main() -> int:
    """Measure, print and write; 1 where dialogues are too slow."""
    rounds = []
    with model_server(*SERVER) as one, model_server(*SERVER) as other:
        for number in range(ROUNDS):
            # In turns, should one server be the quicker one.
            urls = (one, other) if number % 2 else (other, one)
            rounds.append(side_by_side(dict(zip(WAYS, urls, strict=True))))
            print(rounds[-1], flush=True)
    count = DIALOGUES * TURNS
    shares = [one["plain"]["seconds"] / one["dialogues"]["seconds"] for one in rounds]
    result = {
        "dialogues": DIALOGUES,
        "turns": TURNS,
        "in_flight": IN_FLIGHT,
        "requests_per_second": {
            way: round(count / statistics.median(one[way]["seconds"] for one in rounds)) for way in WAYS
        },
        "cpu_ms_per_request": {
            way: round(statistics.median(one[way]["cpu_seconds"] for one in rounds) / count * 1e3, 2)
            for way in WAYS
        },
        "share_of_plain": round(statistics.median(shares), 3),
        "share_in_each_round": [round(share, 3) for share in shares],
        "machine": machine(),
    }
    print(json.dumps(result, indent=2))
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    return 0 if result["share_of_plain"] >= LEAST else 1


def side_by_side(urls: dict[str, str]) -> dict[str, dict[str, float]]:
    """What each way took, in a process of its own, when both began at once."""
    spawn = multiprocessing.get_context("spawn")
    start, results = spawn.Barrier(len(urls)), spawn.Queue()
    processes = [spawn.Process(target=measure, args=(way, url, start, results)) for way, url in urls.items()]
    for process in processes:
        process.start()
    figures = dict(results.get(timeout=300) for _ in processes)
    for process in processes:
        process.join()
    return figures


def measure(way: str, url: str, start: Any, results: Any) -> None:
    """The inside of such a process."""
    asked(url, map(once, requests(64)))
    dialogues = {
        "plain": lambda: map(once, requests(DIALOGUES * TURNS)),
        "dialogues": lambda: map(three_turns, requests(DIALOGUES)),
    }[way]()
    start.wait()
    results.put((way, asked(url, dialogues)))


def asked(url: str, dialogues: Iterable[Dialogue[ModelReply]]) -> dict[str, float]:
    """The seconds that the dialogues took, on the clock and of the processor."""
    settings = ModelSettings(
        backend="server", name="m", base_url=url, in_flight=IN_FLIGHT, most_in_flight=IN_FLIGHT
    )
    with tempfile.TemporaryDirectory() as folder:
        model = LanguageModels(Path(folder) / "journal.sqlite").open(settings)
        began, cpu_began = time.perf_counter(), cpu_seconds()
        texts = [reply.text for reply in converse(model, dialogues)]
        assert all(texts)
        return {
            "seconds": round(time.perf_counter() - began, 3),
            "cpu_seconds": round(cpu_seconds() - cpu_began, 3),
        }


def requests(count: int) -> list[ModelRequest]:
    """So many requests, each with a text of its own."""
    return [
        ModelRequest("benchmark", str(number), {}, tuple(Message(**message) for message in chat))
        for number, chat in enumerate(prompts(count))
    ]


def three_turns(request: ModelRequest) -> Dialogue[ModelReply]:
    """Three requests of the same length; the second and the third say how the reply before them begins."""
    reply = yield request
    for turn in range(2, TURNS + 1):
        system, user = request.messages
        said = f"Turn {turn}, after {(reply.text or '')[:20]}: {user.text}"
        reply = yield ModelRequest("benchmark", request.key, {}, (system, Message("user", said)))
    return reply


if __name__ == "__main__":
    sys.exit(main())
