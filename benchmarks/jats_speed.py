"""How many papers a second our JATS reader and `pubmed_parser` read: `python -m benchmarks.jats_speed`.

Both read the same files for the same fields: metadata, abstract, paragraphs with the references they cite,
bibliography, captions. `pubmed_parser` runs in an environment of its own, `.venv-bench-jats`, which this
script makes with the Python it runs under. Rounds alternate between the two, and CPU time is counted, so that
other work on the machine disturbs both alike. The table goes to the screen and, with facts about the machine,
to `benchmarks/results/jats_speed.json`.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.machine import machine

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv-bench-jats"
RESULT = ROOT / "benchmarks" / "results" / "jats_speed.json"
RIVAL = "pubmed_parser==0.5.1"
TOOLS = ("aimsciqa", "pubmed_parser")

# Run by each environment's own Python: reads every file once and says how long that took.
ROUND = {
    "aimsciqa": """
from aimsciqa_assets.reading.jats.reader import parse_jats

def read(path):
    with open(path, "rb") as file:
        parse_jats(file.read())
""",
    "pubmed_parser": """
import pubmed_parser

def read(path):
    pubmed_parser.parse_pubmed_xml(path)
    pubmed_parser.parse_pubmed_paragraph(path, all_paragraph=True)
    pubmed_parser.parse_pubmed_references(path)
    pubmed_parser.parse_pubmed_caption(path)
""",
}
HARNESS = """
import json, sys, time

paths = sys.stdin.read().splitlines()
for path in paths[:10]:
    try:
        read(path)
    except Exception:
        pass
failures = {}
started = time.process_time()
for path in paths:
    try:
        read(path)
    except Exception as error:
        failures[path.rpartition("/")[2]] = type(error).__name__
print(json.dumps({"seconds": time.process_time() - started, "failures": failures}))
"""


def main() -> None:
    """Run the rounds, print the table, write the result."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpora" / "sample")
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    paths = sorted(map(str, chosen.corpus.glob("*.xml")))
    if not paths:
        sys.exit(f"no XML files in {chosen.corpus}")
    pythons = {"aimsciqa": sys.executable, "pubmed_parser": str(rival_python())}
    rounds: dict[str, list[dict[str, Any]]] = {tool: [] for tool in TOOLS}
    for _ in range(chosen.rounds):
        for tool in TOOLS:
            rounds[tool].append(one_round(pythons[tool], ROUND[tool], paths))
    result = summary(rounds, paths)
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print_table(result)


def rival_python() -> Path:
    """The Python of the rival's environment, made on first use."""
    python = ENVIRONMENT / "bin" / "python"
    installed = ENVIRONMENT / ".installed"
    if not installed.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", RIVAL], check=True)
        installed.touch()
    return python


def one_round(python: str, reader: str, paths: list[str]) -> dict[str, Any]:
    """One process that reads all files once."""
    done = subprocess.run(
        [python, "-c", reader + HARNESS], input="\n".join(paths), capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout.splitlines()[-1]))


def summary(rounds: dict[str, list[dict[str, Any]]], paths: list[str]) -> dict[str, Any]:
    """Papers per CPU second of each tool (median and all rounds), failures, the ratio, and the machine."""
    rates = {tool: [len(paths) / one["seconds"] for one in rounds[tool]] for tool in TOOLS}
    return {
        "files": len(paths),
        "megabytes": round(sum(Path(path).stat().st_size for path in paths) / 1e6, 1),
        "tools": {
            tool: {
                "papers_per_second": round(statistics.median(rates[tool]), 1),
                "rounds": [round(rate, 1) for rate in rates[tool]],
                "failures": rounds[tool][0]["failures"],
            }
            for tool in TOOLS
        },
        "ratio": round(
            statistics.median(
                ours / theirs for ours, theirs in zip(rates["aimsciqa"], rates["pubmed_parser"], strict=True)
            ),
            2,
        ),
        "rival": RIVAL,
        "machine": machine(),
    }


def print_table(result: dict[str, Any]) -> None:
    """One line per tool, then the ratio."""
    print(f"{result['files']} files, {result['megabytes']} MB; CPU time, median of the rounds")
    print(f"{'':16}{'papers/s':>10}{'failures':>10}")
    for tool, figures in result["tools"].items():
        print(f"{tool:16}{figures['papers_per_second']:>10}{len(figures['failures']):>10}")
    print(f"ratio {result['ratio']}")


if __name__ == "__main__":
    main()
