# ruff: noqa: T201 (a command that reports)
"""Reads mutated files as the product does, and says what came of them.

`python -m tests.fuzz jats 0 10000` or `pdf 0 2000`; one seed again: `jats 1234 1235`. `--keep DIR` writes the
files there. The last line is JSON. Ends with 1 when something went wrong, and names the seeds.
"""

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl

from aimsciqa_assets.corpus import parsing
from aimsciqa_assets.corpus.intake.folder import papers_in
from aimsciqa_assets.corpus.kept_papers import KeptPapers
from aimsciqa_assets.platform.frames import Frames
from aimsciqa_assets.reading.jats.reader import parse_jats
from aimsciqa_assets.tables import TABLES
from tests.fuzz import measuring
from tests.fuzz.jats_mutants import jats_mutant
from tests.fuzz.pdf_mutants import pdf_mutant, typeset

ROOT = Path(__file__).parents[2]
CHUNK = 500
SECONDS = 10.0
MEGABYTES = 1000

_NOTHING_SAID = dict.fromkeys(
    ("duplicate_of", "retired", "pmcid", "licence", "retracted", "given_id", "shard", "place", "paper_id")
)

Mutant = Callable[[int, Sequence[bytes]], tuple[str, bytes]]


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("format", choices=("jats", "pdf"))
    arguments.add_argument("first", type=int)
    arguments.add_argument("last", type=int)
    arguments.add_argument("--keep", type=Path)
    given = arguments.parse_args()
    mutant: Mutant = jats_mutant if given.format == "jats" else pdf_mutant
    papers = jats_papers() if given.format == "jats" else pdf_papers()
    if given.keep:
        for seed in range(given.first, given.last):
            what, data = mutant(seed, papers)
            (given.keep / f"{given.format}-{seed}-{what}").write_bytes(data)
    sys.exit(report(given.format, range(given.first, given.last), mutant, papers))


def jats_papers() -> list[bytes]:
    """The demo papers eight times, as they are quick to read, and the real ones where ../shared is there."""
    demo = sorted((ROOT / "examples" / "demo_corpus").glob("*.xml"))
    real = sorted((ROOT.parent / "shared" / "corpora").glob("*/*.xml"))
    return [path.read_bytes() for path in (*demo * 8, *real)]


def pdf_papers() -> list[bytes]:
    """Demo papers, typeset."""
    demo = sorted((ROOT / "examples" / "demo_corpus").glob("*.xml"))[:20]
    papers = []
    for seed, path in enumerate(demo):
        paper = parse_jats(path.read_bytes())
        texts = [paragraph.text for section in paper.sections for paragraph in section.paragraphs]
        papers.append(typeset(paper.title, texts, seed))
    return papers


def report(kind: str, seeds: range, mutant: Mutant, papers: Sequence[bytes]) -> int:
    """Read the files of all seeds; print counts, the slowest and the largest, and every problem."""
    outcomes: Counter[str] = Counter()
    problems: list[str] = []
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as notes:
        os.environ[measuring.NOTES] = notes
        parsing.file_rows = measuring.measured_rows
        for first in range(seeds.start, seeds.stop, CHUNK):
            chunk = range(first, min(first + CHUNK, seeds.stop))
            frames = read(kind, chunk, mutant, papers)
            problems += problems_with(kind, chunk, frames)
            problems += problems_of_ingest(kind, chunk[:25], mutant, papers, frames)
            outcomes["paper"] += frames["corpus.papers"].height
            outcomes.update(frames["corpus.rejected_files"]["rejection_reason"].to_list())
            for row in frames["corpus.rejected_files"].iter_rows(named=True):
                if row["rejection_reason"].startswith("reader_"):
                    print(f"  {row['file_name']}: {row['rejection_reason']}: {row['detail']}")
        measured = [
            json.loads(line) for path in Path(notes).iterdir() for line in path.read_text().splitlines()
        ]
    measured.sort(key=lambda note: -note["seconds"])
    for note in measured[:10]:
        print(f"  {note}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1000
    slowest = measured[0]["seconds"] if measured else 0.0
    if slowest > SECONDS:
        problems.append(f"{measured[0]['file_name']} took {slowest} s")
    if peak > MEGABYTES:
        problems.append(f"a process held {peak} MB")
    for problem in problems:
        print(f"WRONG: {problem}")
    summary = {"outcomes": dict(outcomes.most_common()), "slowest": slowest, "peak_mb": peak}
    print(json.dumps({**summary, "wall": round(time.monotonic() - start), "problems": len(problems)}))
    return 1 if problems else 0


def read(
    kind: str,
    seeds: range,
    mutant: Mutant,
    papers: Sequence[bytes],
    kept: Callable[[str], str] = lambda _file_id: "",
) -> Frames:
    """The tables of a batch that holds these mutants."""
    files = [
        {"file_id": f"{seed:064}", "file_name": f"{kind} {seed}", "batch": "b", **_NOTHING_SAID}
        for seed in seeds
    ]
    return parsing.parse_batch(
        files, lambda file_id, limit: mutant(int(file_id), papers)[1][:limit], kept=kept
    )


def problems_with(kind: str, seeds: range, frames: Frames) -> list[str]:
    """What is not as the tables declare it, and files that are not exactly one paper or one rejected file."""
    problems: list[str] = []
    for name, frame in frames.items():
        for column in TABLES[name].columns:
            values = frame[column.name]
            if not column.null and values.null_count():
                problems.append(f"{name}.{column.name} has nulls")
            if column.values and not set(values.unique()) <= {*column.values, None}:
                problems.append(f"{name}.{column.name} has other values: {values.unique().to_list()[:5]}")
    rejected = frames["corpus.rejected_files"]
    rows = Counter([*frames["corpus.papers"]["file_name"], *rejected["file_name"]])
    names = [f"{kind} {seed}" for seed in seeds]
    problems += [f"{name}: {rows[name]} rows" for name in names if rows[name] != 1]
    problems += [f"{name} was never given" for name in rows.keys() - set(names)]
    crashed = rejected.filter(pl.col("rejection_reason") == "reader_crashed")
    return problems + [f"{row['file_name']}: {row['detail']}" for row in crashed.iter_rows(named=True)]


def problems_of_ingest(
    kind: str, seeds: range, mutant: Mutant, papers: Sequence[bytes], frames: Frames
) -> list[str]:
    """Files of which the ingest says something else than the tables, or keeps another paper."""
    files = [{"file_id": f"{seed:064}", "file_name": f"{kind} {seed}"} for seed in seeds]
    ids = dict(frames["corpus.papers"].select("content_hash", "paper_id").iter_rows())
    with tempfile.TemporaryDirectory() as folder:
        kept = KeptPapers(Path(folder))
        found = list(papers_in(files, lambda file_id, limit: mutant(int(file_id), papers)[1][:limit], kept))
        again = read(kind, seeds, mutant, papers, kept.get)
    problems = [
        f"{file['file_name']}: the ingest finds {paper_id}, the tables have {ids.get(file['file_id'])}"
        for file, paper in zip(files, found, strict=True)
        if (paper_id := paper["paper_id"] if isinstance(paper, dict) else None) != ids.get(file["file_id"])
    ]
    read_anew = read(kind, seeds, mutant, papers)
    return problems + [
        f"{kind} {seeds}: {table} is another one of kept papers"
        for table in again
        if not again[table].equals(read_anew[table])
    ]


if __name__ == "__main__":
    main()
