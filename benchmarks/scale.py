"""The paper's size on this machine, in one command: `python -m benchmarks.scale` (half an hour).

Section similarity beside the bare matrix product and scikit-learn, the whole pipeline after model and
encoder at growing sizes and with 100 papers more, and the encoder beside plain sentence-transformers; each in
a process of its own. A table of what is asked and what was measured is printed, and written with all figures
to `benchmarks/results/scale.json`. `--small` takes three minutes, so that a regression is seen; it writes
nothing, and small corpora give worse ratios.
"""

import argparse
import json
import subprocess
import sys
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks.environments import ROOT
from benchmarks.machine import machine

RESULT = ROOT / "benchmarks" / "results" / "scale.json"
FULL = {
    "section_similarity": [],
    "paper_scale": [],
    "encoding": [],
}
SMALL = {
    "section_similarity": ["--papers", "1500", "--naive-pairs", "30"],
    "paper_scale": ["--sizes", "100", "200", "--added", "10", "--nights", "1"],
    "encoding": ["--corpus", str(ROOT / "examples" / "demo_corpus"), "--questions", "400", "--rounds", "3"],
}

_SHARE_SHOWN = 0.01


class Line(NamedTuple):
    """A figure, and what it should be at least (`>=`) or at most (`<=`)."""

    name: str
    measured: float
    sign: str
    asked: float

    @property
    def holds(self) -> bool:
        """Whether it is what it should be."""
        return self.measured >= self.asked if self.sign == ">=" else self.measured <= self.asked


def main() -> None:
    """Measure, print and write; exits with 1 when a figure of the full size is not what is asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--small", action="store_true", help="small corpora, three minutes")
    small = parser.parse_args().small
    figures = {name: measured(name, options) for name, options in (SMALL if small else FULL).items()}
    lines = lines_of(figures)
    show_steps(figures["paper_scale"]["runs"])
    if small:
        show(lines, "asked at full size")
        return
    show(lines, "asked")
    told = [line._asdict() | {"holds": line.holds} for line in lines]
    RESULT.write_text(json.dumps({"table": told} | figures | {"machine": machine()}, indent=2) + "\n")
    sys.exit(not all(line.holds for line in lines))


def measured(benchmark: str, options: list[str]) -> dict[str, Any]:
    """What a benchmark prints; exits when it fails."""
    print(f"{benchmark} ...", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", f"benchmarks.{benchmark}", *options]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed: {done.stdout}")
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def lines_of(figures: dict[str, Any]) -> list[Line]:
    """The table."""
    sections, encoding = figures["section_similarity"], figures["encoding"]
    scale = figures["paper_scale"]
    largest = scale["runs"][-1]
    return [
        Line(
            "section similarity, candidates: seconds / bare product",
            sections["candidates"]["ratio"],
            "<=",
            1.4,
        ),
        Line(
            "section similarity, all pairs: seconds / bare product", sections["all_pairs"]["ratio"], "<=", 1.4
        ),
        Line(
            "section similarity: peak memory, GB", sections["peak_memory_with_all_pairs_mb"] / 1000, "<=", 4
        ),
        Line(
            "section similarity: times faster than scikit-learn", sections["naive"]["times_faster"], ">=", 100
        ),
        Line(f"pipeline, {largest['papers']} papers: minutes", largest["seconds"] / 60, "<=", 30),
        Line("pipeline: peak memory, GB", largest["peak_memory_mb"] / 1000, "<=", 8),
        Line("pipeline: growth exponent", scale["growth_exponent"], "<=", 2),
        Line(
            f"{largest['added_papers']} papers more: share of the run, %",
            100 * largest["added_share_of_the_whole_run"],
            "<=",
            3,
        ),
        Line("`aimsciqa status`: seconds", largest["status_seconds"], "<=", 1),
        Line("encoder: questions per second / plain", encoding["ratio"], ">=", 1.5),
    ]


def show_steps(runs: list[dict[str, Any]]) -> None:
    """Print where the pipeline's time goes, a column for each corpus; the rest is Dagster's and ingest's."""
    largest = runs[-1]["seconds_by_step"]
    table = Table("seconds", *(f"{run['papers']:,} papers" for run in runs))
    shown = [step for step, seconds in largest.items() if seconds >= _SHARE_SHOWN * runs[-1]["seconds"]]
    for step in shown:
        table.add_row(step, *(f"{run['seconds_by_step'].get(step, 0):.1f}" for run in runs))
    others = [
        sum(seconds for step, seconds in run["seconds_by_step"].items() if step not in shown) for run in runs
    ]
    table.add_row("other steps", *(f"{seconds:.1f}" for seconds in others))
    table.add_row("all, with ingest", *(f"{run['seconds']:.1f}" for run in runs))
    Console(width=100).print(table)


def show(lines: list[Line], asked: str) -> None:
    """Print the table."""
    table = Table("figure", "measured", asked)
    for line in lines:
        table.add_row(line.name, f"{line.measured:.4g}", f"{line.sign} {line.asked:g}")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
