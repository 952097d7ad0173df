"""What a corpus of any size costs on a lake, on paper: `python -m benchmarks.million_papers`.

The model is fitted to small measured points and compared with larger ones; it exits with 1 where one of them
is off by more than its law allows. Then it is fitted to all points, and tells storage, reads, requests, hours
and money for 10,000 to a million papers. Prices and assumptions are those of `million/costs.py`, or of a JSON
file: `--prices FILE` with some of their names.

Points are read from `benchmarks/results/`: of made-up papers on a file (`scale.json`) and on a lake, of the
keywords of a million papers, of the records of 2,000 batches, and of real papers (`million_points.json`).
`--measure` measures those of the second file anew, in the environment of the cluster, in about an hour.
Figures go to `benchmarks/results/million_papers.json`.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.environments import ROOT
from benchmarks.machine import machine
from benchmarks.million.costs import Assumptions, Cost, Prices, as_json, cost_of, of_file
from benchmarks.million.growth import Check, Fit, Law, Point, checked, fits_of
from benchmarks.million.points import (
    CALLS,
    CANDIDATES,
    FILE,
    LAKE,
    MEMORY,
    PARTS,
    RECORDS,
    call_point,
    candidates_point,
    divided,
    file_points,
    keywords_point,
    lake_point,
    records_point,
)

RESULTS = ROOT / "benchmarks" / "results"
POINTS, SCALE, RESULT = (RESULTS / f"{name}.json" for name in ("million_points", "scale", "million_papers"))
SIZES = (10_000, 100_000, 1_000_000)
BATCHES = (125, 250, 500, 1_000, 2_000)
"""Papers of a batch that are compared at the largest size."""
MEASURED = (
    *((60, 20, 1), (60, 10, 1), (60, 5, 1), (120, 20, 128), (120, 40, 128), (160, 40, 1)),
    *((120, 5, 1), (480, 160, 1), (600, 300, 128)),
)
"""Made-up papers on a lake, papers of a batch, and MiB of questions that it is compared with at a time."""
OF_KEYWORDS = {2_000: (2_000,), 4_000: (4_000,), 1_000_000: (125, 250, 500)}
"""Papers whose keywords alone are looked at, with papers of a batch."""
RECORDED = (250, 500, 1_000, 2_000)
"""Batches whose records alone are read."""
REAL = (25, 50, 100, 147)
_CHANGED = (
    *("fetched, TB", "GETs; PUTs, millions", "files of the lake", "parts of all batches", "core hours"),
    *("hours of waiting for S3", "hours of publication, one after another", "workers for a day; GPUs"),
    "memory of candidates and questions, GB",
)
# Larger points are predicted: those with more papers, or with more batches.
_SMALL_KEYWORDS = 4_000
_FEW_PARTS = 2
_SMALL_LAKE, _SMALL_FILE, _SMALL_REAL, _SMALL_RECORDS = (160, 12), (4_000,), (50,), 1_000


def main() -> None:
    """Check, print and write; exits with 1 when a prediction is off by more than its law allows."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--measure", action="store_true", help="measure the points anew, and write them")
    parser.add_argument("--prices", type=Path, help="a JSON file with prices and assumptions by name")
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpora" / "sample")
    options = parser.parse_args()
    try:
        prices, assumed = of_file(options.prices)
    except ValueError as error:
        sys.exit(str(error))
    if options.measure:
        POINTS.write_text(json.dumps(measured(options.corpus), indent=1) + "\n")
    points = points_of(json.loads(POINTS.read_text()), json.loads(SCALE.read_text()))
    checks = [check for laws, small, large in points for check in checked(laws, small, large)]
    fits = {
        name: fit for laws, small, large in points for name, fit in fits_of(laws, [*small, *large]).items()
    }
    costs = [cost_of(papers, fits, prices, assumed) for papers in SIZES]
    show_checks(checks)
    show(costs, prices)
    show_batches(batches_of(fits, prices, assumed))
    if options.prices is None:
        RESULT.write_text(json.dumps(told(checks, fits, costs, prices, assumed), indent=1) + "\n")
    sys.exit(not all(check.holds for check in checks))


def measured(corpus: Path) -> dict[str, Any]:
    """The points, each of a lake in a process of its own."""
    from benchmarks.million.calls import calls_about

    if not corpus.is_dir():
        sys.exit(f"There is no folder {corpus}; give one with --corpus.")
    real = [calls_about(corpus, papers) for papers in REAL]
    keywords = [
        point
        for papers, per_batch in OF_KEYWORDS.items()
        for point in printed_by("keywords", "--papers", papers, "--per-batch", *per_batch)
    ]
    records = printed_by("ledger", "--batches", *RECORDED)
    lake = [
        point
        for papers, per_batch, memory in MEASURED
        for point in printed_by(
            "measuring", "--papers", papers, "--per-batch", per_batch, "--memory-mib", memory
        )
    ]
    return {"lake": lake, "keywords": keywords, "records": records, "real": real, "machine": machine()}


def printed_by(module: str, *options: str | int) -> list[dict[str, Any]]:
    """The lines of JSON that a module of `benchmarks.million` prints; exits when it fails."""
    command = [sys.executable, "-m", f"benchmarks.million.{module}", *map(str, options)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed")
    print(" ".join(command[2:]), "is measured", file=sys.stderr, flush=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def points_of(
    points: Mapping[str, Any], scale: Mapping[str, Any]
) -> list[tuple[Sequence[Law], list[Point], list[Point]]]:
    """The laws, and to each the small points and the larger ones."""
    *keywords, largest = map(keywords_point, points["keywords"])
    lake = list(map(lake_point, points["lake"]))
    small, full = divided(keywords, _SMALL_KEYWORDS)
    return [
        (LAKE, *divided(lake, *_SMALL_LAKE)),
        (CANDIDATES, small, [candidates_point(scale), *full, largest]),
        (PARTS, [], [point for point in [*lake, *full, largest] if _in_several_parts(point)]),
        (MEMORY, full, [largest]),
        (FILE, *divided(file_points(scale), *_SMALL_FILE)),
        (RECORDS, *divided([*map(records_point, points["records"])], 0, _SMALL_RECORDS)),
        (CALLS, *divided([call_point(one) for one in points["real"]], *_SMALL_REAL)),
    ]


def _in_several_parts(point: Point) -> bool:
    """Whether a batch has so many parts that one more or less is not much."""
    return point.drivers["parts by the rule"] > _FEW_PARTS * point.drivers["batches"]


def batches_of(fits: Mapping[str, Fit], prices: Prices, assumed: Assumptions) -> dict[int, Cost]:
    """The cost of the largest size by the papers of a batch."""
    chosen = {size: Assumptions(**(asdict(assumed) | {"papers_per_batch": size})) for size in BATCHES}
    return {size: cost_of(SIZES[-1], fits, prices, one) for size, one in chosen.items()}


def show_checks(checks: Sequence[Check]) -> None:
    """Print what the small points predict beside what was measured."""
    table = Table("predicted from small points", "papers", "predicted", "measured", "off by", "allowed")
    for check in checks:
        table.add_row(
            check.quantity,
            f"{check.papers:,} in {check.batches}" if check.batches else f"{check.papers:,}",
            f"{check.predicted:,.4g}",
            f"{check.measured:,.4g}",
            f"{'' if check.holds else 'TOO FAR: '}{check.error:+.0%}",
            f"{check.tolerance:.0%}",
        )
    Console(width=120).print(table)


def show(costs: Sequence[Cost], prices: Prices) -> None:
    """Print the costs, a column for each size."""
    table = Table("papers", *(f"{cost.papers:,}" for cost in costs))
    for name, row in lines_of(costs).items():
        table.add_row(name, *row)
    for part in costs[0].price:
        table.add_row(f"{prices.currency}: {part}", *(f"{cost.price[part]:,.0f}" for cost in costs))
    table.add_row(f"{prices.currency}, all (as of {prices.date})", *(f"{cost.total:,.0f}" for cost in costs))
    Console(width=120).print(table)


def lines_of(costs: Sequence[Cost]) -> dict[str, list[str]]:
    """What the table of costs tells beside money, by the name of the row."""
    stored = {
        f"stored, GB: {part}": [f"{cost.stored_gb[part]:,.1f}" for cost in costs]
        for part in costs[0].stored_gb
    }
    return {
        "batches": [f"{cost.batches:,}" for cost in costs],
        **stored,
        "files of the lake": [f"{cost.files:,.0f}" for cost in costs],
        "parts of all batches": [f"{cost.parts:,.0f}" for cost in costs],
        "fetched, TB": [f"{cost.read_tb:,.2f}" for cost in costs],
        "GETs; PUTs, millions": [f"{cost.gets / 1e6:,.2f}; {cost.puts / 1e6:,.2f}" for cost in costs],
        "pairs of papers compared, millions": [f"{cost.candidate_pairs / 1e6:,.1f}" for cost in costs],
        "section pairs, millions": [f"{cost.section_pairs / 1e6:,.2f}" for cost in costs],
        "requests to a model, millions": [f"{cost.requests / 1e6:,.2f}" for cost in costs],
        "tokens sent; received, billions": [
            f"{cost.prompt_tokens / 1e9:,.2f}; {cost.reply_tokens / 1e9:,.2f}" for cost in costs
        ],
        "core hours": [f"{cost.core_hours:,.1f}" for cost in costs],
        "core hours of Postgres": [f"{cost.postgres_hours:,.1f}" for cost in costs],
        "memory of candidates and questions, GB": [f"{cost.memory_gb:,.1f}" for cost in costs],
        "hours of waiting for S3": [f"{cost.waiting_hours:,.1f}" for cost in costs],
        "hours of publication, one after another": [f"{cost.publication_hours:,.1f}" for cost in costs],
        "GPU hours": [f"{cost.gpu_hours:,.0f}" for cost in costs],
        "workers for a day; GPUs": [
            f"{cost.workers_for_a_day or 'none can'}; {cost.gpus_for_a_day}" for cost in costs
        ],
    }


def show_batches(costs: Mapping[int, Cost]) -> None:
    """Print what the papers of a batch change at the largest size."""
    table = Table(f"{SIZES[-1]:,} papers, of a batch", *(f"{size:,}" for size in costs))
    lines = lines_of(list(costs.values()))
    for name in _CHANGED:
        table.add_row(name, *lines[name])
    Console(width=120).print(table)


def told(
    checks: Sequence[Check],
    fits: Mapping[str, Fit],
    costs: Sequence[Cost],
    prices: Prices,
    assumed: Assumptions,
) -> dict[str, Any]:
    """All of it for the file of results."""
    return {
        "costs": [as_json(cost) for cost in costs],
        "by_papers_of_a_batch": {
            size: as_json(cost) for size, cost in batches_of(fits, prices, assumed).items()
        },
        "checks": [
            asdict(check) | {"error": round(check.error, 3), "holds": check.holds} for check in checks
        ],
        "laws": {
            name: dict(zip(fit.law.drivers, (float(f"{one:.4g}") for one in fit.coefficients), strict=True))
            for name, fit in fits.items()
        },
        "prices": asdict(prices),
        "assumptions": asdict(assumed),
        "machine": machine(),
    }


if __name__ == "__main__":
    main()
