"""What a corpus costs, by the fitted laws, with assumptions and prices that a file may replace."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from benchmarks.million.growth import Fit, Quantities
from benchmarks.million.points import (
    DIMENSION,
    FAR,
    LEVELS,
    NEAR,
    OWN,
    PAIRS,
    RELATIONS,
    RELATIONS_OF_A_PAPER,
    STEPS,
    STORED,
    VECTORS,
    more_parts,
    most_questions,
    parts_of,
    reached,
)

CORES = 2
"""Of the machine that the seconds of the steps were measured on: while a step runs, all are paid."""
IN_POSTGRES = "catalogue and journal"

_GB, _TB, _HOUR = 1e9, 1e12, 3600.0
_A_DAY = 24.0


@dataclass(frozen=True, slots=True)
class Prices:
    """In `currency`, as of `date`: list prices, without discounts and taxes."""

    currency: str = "USD"
    date: str = "2025-06"
    s3_gb_month: float = 0.023
    s3_1000_gets: float = 0.0004
    s3_1000_puts: float = 0.005
    core_hour: float = 0.045
    gpu_hour: float = 3.00
    postgres_hour: float = 0.50
    postgres_gb_month: float = 0.115


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What is not measured here: how a corpus is run, and how quick models, S3 and workers are.

    `times_candidates` says how many times as many papers share a keyword as in the made-up corpus: twice as
    many in the sample. Tokens per second are those of Qwen2.5-7B on a GPU with 80 GB (vLLM, bfloat16), texts
    per second those of an encoder like MedEmbed-large. `triplets_of_a_paper` are what such a model writes: 50
    kept pairs (section 4.2 of the paper) and those that are filtered. `journal_bytes` is a reply with its
    prompt's hash (benchmarks.single_hop_stage). `read_bytes_per_second` is what a small machine in a cloud
    keeps up.
    """

    papers_per_batch: float = 500
    similarity_memory_mib: float = 1_024
    times_candidates: float = 2
    dimension: float = DIMENSION
    months_of_storage: float = 1
    characters_of_a_token: float = 4
    triplets_of_a_paper: float = 60
    texts_of_a_triplet: float = 4
    prompt_tokens_per_second: float = 25_000
    reply_tokens_per_second: float = 4_000
    texts_per_second: float = 3_000
    journal_bytes: float = 1_343
    cores_of_a_worker: float = 2
    seconds_of_a_get: float = 0.03
    gets_at_once: float = 8
    read_bytes_per_second: float = 100e6
    seconds_of_a_publication: float = 0.3
    written_bytes_per_second: float = 200e6


@dataclass(frozen=True, slots=True)
class Cost:
    """What so many papers take and cost; hours are those of all workers together."""

    papers: int
    batches: int
    stored_gb: Mapping[str, float]
    read_tb: float
    gets: float
    puts: float
    files: float
    parts: float
    candidate_pairs: float
    section_pairs: float
    requests: float
    prompt_tokens: float
    reply_tokens: float
    core_hours: float
    postgres_hours: float
    waiting_hours: float
    memory_gb: float
    publication_hours: float
    gpu_hours: float
    workers_for_a_day: int
    gpus_for_a_day: int
    price: Mapping[str, float]

    @property
    def total(self) -> float:
        """The sum of all prices."""
        return sum(self.price.values())


def of_file(path: Path | None) -> tuple[Prices, Assumptions]:
    """Prices and assumptions, those of a JSON file in the place of ours. Raises `ValueError` for others."""
    given = json.loads(path.read_text()) if path else {}
    known = {field.name for kind in (Prices, Assumptions) for field in fields(kind)}
    if unknown := sorted(given.keys() - known):
        raise ValueError(f"{path} holds {', '.join(unknown)}; known are {', '.join(sorted(known))}.")
    return Prices(**_of(Prices, given)), Assumptions(**_of(Assumptions, given))


def _of(kind: type[Prices] | type[Assumptions], given: Mapping[str, Any]) -> dict[str, Any]:
    """What belongs to one of the two."""
    return {field.name: given[field.name] for field in fields(kind) if field.name in given}


def cost_of(papers: int, fits: Mapping[str, Fit], prices: Prices, assumed: Assumptions) -> Cost:
    """The cost of a corpus by the laws of `points.py`, all fitted."""
    drivers = _drivers(papers, fits, assumed)
    found = {name: fit.at(drivers) for name, fit in fits.items()}
    longer = assumed.dimension / DIMENSION
    calls = _calls(papers, found, assumed)
    stored = _stored_gb(found, calls["requests"] * assumed.journal_bytes, longer)
    gets = sum(found[f"GETs: {step}"] for step in STEPS)
    read = sum(found[f"bytes read: {step}"] * _share(step, longer) for step in STEPS)
    read += found["publications"] * found["bytes of the records"]
    core_hours = _core_hours(fits, drivers, assumed, longer)
    waiting = gets * assumed.seconds_of_a_get / assumed.gets_at_once + read / assumed.read_bytes_per_second
    lake = sum(size for name, size in stored.items() if name in STORED)
    publishing = _publication_hours(found["publications"], lake, assumed)
    gpu_hours = _gpu_hours(papers, calls, assumed)
    hours_of_workers = core_hours / assumed.cores_of_a_worker + waiting / _HOUR
    return Cost(
        papers=papers,
        batches=int(drivers["batches"]),
        stored_gb=stored,
        read_tb=read / _TB,
        gets=gets,
        puts=found["PUTs"],
        files=found["files"],
        parts=drivers["parts"],
        candidate_pairs=found["candidates"] * assumed.times_candidates,
        section_pairs=drivers["pairs"],
        **calls,
        core_hours=core_hours,
        postgres_hours=found["seconds of Postgres"] / _HOUR,
        waiting_hours=waiting / _HOUR,
        memory_gb=(found["bytes of memory"] + assumed.similarity_memory_mib * 2**20) / _GB,
        publication_hours=publishing,
        gpu_hours=gpu_hours,
        workers_for_a_day=workers_for_a_day(hours_of_workers, publishing),
        gpus_for_a_day=math.ceil(gpu_hours / _A_DAY),
        price={
            "storage": assumed.months_of_storage
            * sum(
                size * (prices.postgres_gb_month if name == IN_POSTGRES else prices.s3_gb_month)
                for name, size in stored.items()
            ),
            "requests": gets / 1000 * prices.s3_1000_gets + found["PUTs"] / 1000 * prices.s3_1000_puts,
            "cores": hours_of_workers * assumed.cores_of_a_worker * prices.core_hour,
            "GPUs": gpu_hours * prices.gpu_hour,
            "Postgres": max(_A_DAY, publishing) * prices.postgres_hour,
        },
    )


def _drivers(papers: int, fits: Mapping[str, Fit], assumed: Assumptions) -> dict[str, float]:
    """What the quantities of so many papers grow with."""
    batches = math.ceil(papers / assumed.papers_per_batch)
    drivers: dict[str, float] = {
        "papers": papers,
        "batches": batches,
        "relations": papers * RELATIONS_OF_A_PAPER,
    }
    pairs, candidates, vectors = (
        fits[name].at(drivers)
        for name in ("rows of relations.section_pairs", "candidates", "rows of relations.embeddings")
    )
    share = min(1.0, candidates * assumed.times_candidates / papers**2)
    drivers["pairs"] = pairs * assumed.times_candidates
    drivers["candidates of a batch"] = share * papers * papers / batches
    drivers["parts"] = parts_of(
        papers,
        batches,
        vectors / LEVELS / papers,
        share,
        most_questions(assumed.similarity_memory_mib, assumed.dimension),
    )
    return drivers | {
        **reached(papers, batches, share),
        "files of pairs": batches,
        "parts by the rule": drivers["parts"],
        **more_parts(papers, batches, drivers["parts"]),
    }


def workers_for_a_day(hours: float, publishing: float) -> int:
    """How many workers do these hours within a day, of which one after the other publishes; 0: none can."""
    left = _A_DAY - publishing
    return math.ceil(hours / left) if left > 0 else 0


def _calls(papers: int, found: Quantities, assumed: Assumptions) -> dict[str, float]:
    """Requests and tokens: prompts as they were measured, replies as long as a model's."""
    of_triplet = found["reply characters"] / found["triplets"]
    prompts = found["prompt characters"] + found["multi-hop prompt characters"]
    replies = of_triplet * assumed.triplets_of_a_paper * papers + found["multi-hop reply characters"]
    return {
        "requests": found["requests"] + found["multi-hop requests"],
        "prompt_tokens": prompts / assumed.characters_of_a_token,
        "reply_tokens": replies / assumed.characters_of_a_token,
    }


def _stored_gb(found: Quantities, journal: float, longer: float) -> dict[str, float]:
    """By part; that of Postgres is the catalogue and a journal of so many bytes."""
    lake = {name: found[f"stored: {name}"] / _GB for name in STORED}
    lake[VECTORS] *= longer
    return {
        **lake,
        "ingested files": found["bytes of files"] / _GB,
        IN_POSTGRES: (found["bytes of the catalogue"] + journal) / _GB,
    }


def _core_hours(fits: Mapping[str, Fit], drivers: Quantities, assumed: Assumptions, longer: float) -> float:
    """Those of the steps as on a file, and what batches cost on a lake, however few papers are in them.

    Each step reads the records of all others; here it reads those of the finished run.
    """
    empty = {**drivers, "papers": 0.0}
    compared = fits[f"seconds: {PAIRS}"].at(drivers) * longer * assumed.times_candidates
    others = sum(fits[f"seconds: {steps}"].at(drivers) for steps in (NEAR, FAR, OWN))
    on_the_lake = fits["CPU seconds"].at(empty)
    records = fits["publications"].at(drivers) * fits["CPU seconds of the records"].at(drivers)
    return ((compared + others) * CORES + on_the_lake + records) / _HOUR


def _publication_hours(publications: float, written_gb: float, assumed: Assumptions) -> float:
    """How long the lock of all that writes is held."""
    writing = written_gb * _GB / assumed.written_bytes_per_second
    return (publications * assumed.seconds_of_a_publication + writing) / _HOUR


def _gpu_hours(papers: int, calls: Quantities, assumed: Assumptions) -> float:
    """Those of the generator and of the encoder."""
    encoded = papers * assumed.triplets_of_a_paper * assumed.texts_of_a_triplet
    return (
        calls["prompt_tokens"] / assumed.prompt_tokens_per_second
        + calls["reply_tokens"] / assumed.reply_tokens_per_second
        + encoded / assumed.texts_per_second
    ) / _HOUR


def _share(step: str, longer: float) -> float:
    """How much more is fetched with longer vectors: nearly all that relations fetch are vectors."""
    return longer if step in (PAIRS, RELATIONS) else 1.0


def as_json(cost: Cost) -> dict[str, object]:
    """The cost with its sum, in numbers that people read."""
    told = asdict(cost) | {"total": cost.total}
    return {name: _rounded(value) for name, value in told.items()}


def _rounded(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _rounded(one) for name, one in value.items()}
    if isinstance(value, float):
        return float(f"{value:.4g}")
    return value
