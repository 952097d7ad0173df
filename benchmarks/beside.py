"""Two ways of sending requests measured at once, each in a process and with a server of its own."""

import argparse
import json
import multiprocessing
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

from benchmarks.machine import machine, peak_memory_mb
from benchmarks.workload import cpu_seconds

LEAST = 0.85
"""The throughput that is asked for, as a share of that of plain requests."""
_LONGEST_SECONDS = 7200

Way = Callable[[str], tuple[Any, ...]]
"""For the URL of a server, what prepares the work, and its arguments."""


def options_of(
    description: str | None, counted: str, full: int, latency: tuple[float, float]
) -> argparse.ArgumentParser:
    """The options that such benchmarks share: how much of what is counted, latency and the file of results.

    `full` is the number whose figures are kept.
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(f"--{counted}", type=int, default=full)
    parser.add_argument("--latency", type=float, nargs=2, default=latency, help="seconds, from and to")
    kept = f"default: the file of results for {full:,}, none for others"
    parser.add_argument("--output", type=Path, help=kept)
    return parser


def run_beside(
    work: Mapping[str, Way], server: Callable[[dict[str, Any]], AbstractContextManager[str]], slots: int
) -> dict[str, dict[str, Any]]:
    """What each of two ways took, in a process and with a server of its own, when both began at once.

    `work` gives for the URL of a server what prepares a way, and its arguments.
    """
    spawn = multiprocessing.get_context("spawn")
    start, results = spawn.Barrier(len(work)), spawn.Queue()
    told: dict[str, dict[str, Any]] = {way: {} for way in work}
    with ExitStack() as servers:
        urls = {way: servers.enter_context(server(told[way])) for way in work}
        processes = [
            spawn.Process(target=measured, args=(way, start, results, *prepared(urls[way])))
            for way, prepared in work.items()
        ]
        for process in processes:
            process.start()
        figures = dict(results.get(timeout=_LONGEST_SECONDS) for _ in processes)
        for process in processes:
            process.join()
    for way, of_way in figures.items():
        requests = of_way.setdefault("requests", told[way]["requests"])
        of_way |= {
            "requests_per_second": round(requests / of_way["seconds"], 1),
            "slots_busy": round(told[way]["busy_seconds"] / (slots * of_way["seconds"]), 3),
            "cpu_ms_a_request": round(1000 * of_way["cpu_seconds"] / requests, 2),
        }
    return {way: figures[way] for way in work}


def measured(way: str, start: Any, results: Any, prepared: Callable[..., Any], *arguments: Any) -> None:
    """The inside of such a process: prepare, wait for the other one, work."""
    with prepared(*arguments) as work:
        start.wait()
        began, cpu_began = time.perf_counter(), cpu_seconds()
        said = work()
        seconds, cpu = time.perf_counter() - began, cpu_seconds() - cpu_began
    said |= {
        "seconds": round(seconds, 2),
        "cpu_seconds": round(cpu, 2),
        "peak_memory_mb": peak_memory_mb(),
    }
    results.put((way, said))


def tell(facts: dict[str, Any], sides: dict[str, dict[str, Any]], output: Path | None) -> int:
    """Print what the way beside the plain one took, and write it; 1 where it is too slow."""
    (measured_way,) = sides.keys() - {"plain"}
    share = sides[measured_way]["requests_per_second"] / sides["plain"]["requests_per_second"]
    text = json.dumps(facts | {"share_of_plain": round(share, 3)} | sides | {"machine": machine()}, indent=2)
    if output:
        output.write_text(text + "\n")
    print(text)
    return 0 if share >= LEAST else 1
