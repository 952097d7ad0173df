"""The measured points as drivers and quantities, and by which laws the quantities grow.

Beside papers and batches some quantities grow with `parts`: a batch is compared with the corpus in parts that
fit into `compute.similarity_memory_mib`. Each part after the first (`more parts`) reads the questions of the
batch again, and those of the batch at which the part before it ended (`papers read again`).
Files of a batch are read where one of its papers is a candidate: of large batches all are (`batches reached`,
`papers reached`), of five papers half.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.million.growth import Law, Point

COUNTED, MEASURED, TIMED = 0.1, 0.15, 0.35
"""How far predictions may be off: of what is counted, of bytes, and of seconds on a machine with others."""

VECTORS, TEXTS, PAIRS, RELATIONS = "vectors", "texts", "section pairs", "relations and items"
BOOKKEEPING, OTHERS = "bookkeeping", "other steps, planning and checks"
NEAR, FAR, OWN = "relations and clusters", "steps that scan the corpus", "steps of a batch alone"
STEPS = (PAIRS, RELATIONS, OTHERS)
STORED = (VECTORS, TEXTS, PAIRS, RELATIONS, BOOKKEEPING)

DIMENSION = 384
"""Numbers of a vector at the measured points."""
RELATIONS_OF_A_PAPER = 3.0
"""A source gives so many (`relations.relations_per_source`) where it finds them: not in a small corpus."""

LEVELS = 3
"""Vectors of a kept pair."""
PAPERS_OF_A_BATCH = 500
"""At the points of the file."""

CALLS = (
    *(
        Law(name, ("papers",), MEASURED)
        for name in ("requests", "prompt characters", "reply characters", "triplets", "bytes of files")
    ),
    Law("candidates of real papers", ("papers x papers",), MEASURED),
)
"""Of real papers (the sample)."""

FILE = (
    Law("rows of corpus.paragraphs", ("papers",), COUNTED),
    Law("rows of single_hop.qa_pairs", ("papers",), COUNTED),
    Law("rows of relations.section_pairs", ("papers x papers",), COUNTED),
    Law("rows of relations.candidate_relations", ("papers",), COUNTED, (RELATIONS_OF_A_PAPER,)),
    Law("rows of relations.clusters", ("relations",), COUNTED),
    Law("rows of multi_hop.items", ("relations",), COUNTED),
    Law("bytes of the database", ("papers",), MEASURED),
    Law(f"seconds: {PAIRS}", ("papers", "papers x papers"), TIMED),
    Law(f"seconds: {NEAR}", ("papers", "papers x papers"), TIMED),
    Law(f"seconds: {FAR}", ("papers", "papers x batches"), TIMED),
    Law(f"seconds: {OWN}", ("papers",), TIMED),
)
"""Of made-up papers on a DuckDB file, in batches of 500 (benchmarks.scale)."""

_GETS = {
    PAIRS: ("once", "batches", "batches reached", "more parts"),
    RELATIONS: ("once", "batches", "batches x files of pairs"),
}
_READ = {
    PAIRS: ("batches", "papers", "papers reached", "papers read again"),
    RELATIONS: ("batches", "papers", "papers x files of pairs"),
}

LAKE = (
    Law("rows of relations.embeddings", ("papers",), COUNTED),
    Law("files", ("once", "batches"), COUNTED),
    Law("publications", ("once", "batches"), COUNTED),
    Law("PUTs", ("once", "batches"), COUNTED),
    Law("bytes of the catalogue", ("once", "batches"), MEASURED),
    Law("seconds of Postgres", ("once", "batches", "batches x batches"), TIMED),
    Law("multi-hop requests", ("relations",), COUNTED),
    Law("multi-hop prompt characters", ("relations",), COUNTED),
    Law("multi-hop reply characters", ("relations",), COUNTED),
    Law(f"stored: {VECTORS}", ("papers",), MEASURED),
    Law(f"stored: {TEXTS}", ("papers", "batches"), MEASURED),
    Law(f"stored: {PAIRS}", ("pairs", "files of pairs"), MEASURED),
    Law(f"stored: {RELATIONS}", ("relations", "files of pairs"), MEASURED),
    Law(f"stored: {BOOKKEEPING}", ("once", "batches", "batches x batches"), MEASURED),
    *(
        Law(f"GETs: {step}", _GETS.get(step, ("once", "batches", "batches x batches")), MEASURED)
        for step in STEPS
    ),
    *(
        Law(f"bytes read: {step}", _READ.get(step, ("batches", "papers", "papers x batches")), MEASURED)
        for step in STEPS
    ),
    Law("CPU seconds", ("once", "batches", "papers", "papers x batches"), TIMED),
)
"""Of made-up papers on a lake with its rows on S3."""

RECORDS = (
    Law("bytes of the records", ("batches", "batches x batches"), MEASURED),
    Law("CPU seconds of the records", ("batches", "batches x batches"), TIMED),
)
"""Of the records of a run, which each step reads: a row for each table and batch, some with all batches."""

CANDIDATES = (Law("candidates", ("papers x papers",), MEASURED),)
"""Of made-up papers, by their keywords."""

PARTS = (Law("parts", ("parts by the rule",), MEASURED, (1.0,)),)
"""Of all batches: by the rule, not fitted."""

MEMORY = (Law("bytes of memory", ("papers", "candidates of a batch"), MEASURED),)
"""Of the candidates of one batch in a corpus of full size."""

_SECONDS = {
    PAIRS: ("scored_section_pairs",),
    NEAR: ("candidate_relations", "clusters"),
    FAR: ("qa_pairs", "retrieval_questions", "items"),
    OWN: ("parsed_papers", "extractions", "encoded_pairs"),
}
_STORED = {
    "relations.embeddings": VECTORS,
    "relations.section_pairs": PAIRS,
    "corpus": TEXTS,
    "single_hop": TEXTS,
    "citation_guided": TEXTS,
    "relations": RELATIONS,
    "multi_hop": RELATIONS,
}
_STEPS = {
    "relations.section_pairs": PAIRS,
    "relations": RELATIONS,
    "multi_hop": RELATIONS,
}


def call_point(told: Mapping[str, Any]) -> Point:
    """A point of `calls.calls_about`."""
    return Point(
        {"papers": told["papers"]},
        {
            "requests": told["requests"],
            "prompt characters": told["prompt_characters"],
            "reply characters": told["reply_characters"],
            "triplets": told["triplets"],
            "bytes of files": told["file_bytes"],
            "candidates of real papers": told["candidates"],
        },
    )


def file_points(scale: Mapping[str, Any]) -> list[Point]:
    """The points of `benchmarks/results/scale.json`, from few papers to many."""
    return list(map(_file_point, scale["paper_scale"]["runs"]))


def candidates_point(scale: Mapping[str, Any]) -> Point:
    """How many candidates the largest corpus of `scale.json` has."""
    told = scale["section_similarity"]
    return Point({"papers": told["papers"]}, {"candidates": told["candidate_pairs"]})


def keywords_point(told: Mapping[str, Any]) -> Point:
    """A point of `keywords.found`: its sources are as those of any other batch."""
    of_all = told["candidates"] / told["sources"] * told["papers"]
    papers, batches = told["papers"], told["papers"] / told["sources"]
    drivers = {
        "papers": papers,
        "batches": batches,
        "candidates of a batch": told["candidates"],
        "parts by the rule": parts_of(
            papers, batches, told["questions"] / papers, of_all / papers**2, told["questions_at_once"]
        ),
    }
    quantities = {
        "candidates": of_all,
        "parts": told["parts"] * batches,
        "bytes of memory": told["peak_memory_mb"] * 1e6,
    }
    return Point(drivers, quantities)


def records_point(told: Mapping[str, Any]) -> Point:
    """A point of `ledger.read`: what a step of one more batch reads."""
    spent = told["by_step"]
    quantities = {"bytes of the records": spent["read"], "CPU seconds of the records": spent["cpu"]}
    return Point({"papers": 0, "batches": told["batches"]}, quantities)


def _file_point(run: Mapping[str, Any]) -> Point:
    seconds, rows = run["seconds_by_step"], run["rows"]
    quantities = {f"rows of {table}": count for table, count in rows.items()} | {
        "bytes of the database": run["database_mib"] * 2**20,
        **{f"seconds: {name}": sum(seconds[step] for step in steps) for name, steps in _SECONDS.items()},
    }
    drivers = {
        "papers": run["papers"],
        "batches": math.ceil(run["papers"] / PAPERS_OF_A_BATCH),
        "relations": rows["relations.candidate_relations"],
        "pairs": rows["relations.section_pairs"],
    }
    return Point(drivers, quantities)


def parts_of(papers: float, batches: float, questions: float, share: float, most: float) -> float:
    """In how many parts all batches are compared, by the rule of `section_pairs.parts_in_memory`.

    `questions` are those of a paper, `share` is that of the corpus which is a candidate of a source, `most`
    is how many questions of targets a part has.
    """
    sources = papers / batches
    targets = (papers - sources) * (1 - (1 - share) ** sources)
    return float(batches * max(1, math.ceil(targets * questions / most)))


def more_parts(papers: float, batches: float, parts: float) -> dict[str, float]:
    """How many parts batches have beside their first ones, and how many papers are read again for them."""
    more = parts - batches
    return {"more parts": more, "papers read again": more * papers / batches}


def reached(papers: float, batches: float, share: float) -> dict[str, float]:
    """How many batches all batches read for their candidates, and how many papers these hold."""
    of_batch = papers / batches
    found = batches * (1 + (batches - 1) * (1 - (1 - share) ** (of_batch * of_batch)))
    return {"batches reached": found, "papers reached": found * of_batch}


def most_questions(memory_mib: float, dimension: float) -> float:
    """How many vectors `compute.similarity_memory_mib` has room for."""
    return memory_mib * 2**20 / (4 * dimension)


def lake_point(told: Mapping[str, Any]) -> Point:
    """A point of `measuring.point`."""
    tables: Mapping[str, Mapping[str, int]] = told["tables"]
    papers, batches, parts = told["papers"], told["batches"], told["parts"]
    vectors = tables["relations.embeddings"]["rows"]
    drivers = {
        "papers": papers,
        "batches": batches,
        **more_parts(papers, batches, parts),
        "files of pairs": tables["relations.section_pairs"]["files"],
        **reached(papers, batches, told["candidates"] / papers**2),
        "parts by the rule": parts_of(
            papers,
            batches,
            vectors / LEVELS / papers,
            told["candidates"] / papers**2,
            most_questions(told["memory_mib"], DIMENSION),
        ),
        "relations": tables["relations.candidate_relations"]["rows"],
        "pairs": tables["relations.section_pairs"]["rows"],
    }
    quantities: dict[str, float] = {
        "files": sum(table["files"] for table in tables.values()),
        "publications": told["publications"],
        "bytes of the catalogue": told["catalogue"],
        "seconds of Postgres": told["postgres_cpu"],
        "PUTs": sum(step["puts"] for step in told["steps"].values()),
        "multi-hop requests": told["calls"]["multi_hop"]["requests"],
        "multi-hop prompt characters": told["calls"]["multi_hop"]["prompt_characters"],
        "multi-hop reply characters": told["calls"]["multi_hop"]["reply_characters"],
        "parts": parts,
        "rows of relations.embeddings": vectors,
    }
    return Point(drivers, quantities | _of_tables(tables) | _of_steps(told["steps"]))


def _of_tables(tables: Mapping[str, Mapping[str, int]]) -> dict[str, float]:
    stored: defaultdict[str, float] = defaultdict(float)
    for table, held in tables.items():
        stored[f"stored: {_group(table, _STORED, BOOKKEEPING)}"] += held["bytes"]
    return dict(stored)


def _of_steps(steps: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    spent: defaultdict[str, float] = defaultdict(float)
    for step, took in steps.items():
        group = _group(step, _STEPS, OTHERS)
        spent[f"GETs: {group}"] += took["gets"]
        spent[f"bytes read: {group}"] += took["read"]
        spent["CPU seconds"] += took["cpu"]
    return dict(spent)


def _group(table: str, groups: Mapping[str, str], other: str) -> str:
    """The group of a table, else that of its schema."""
    return groups.get(table) or groups.get(table.partition(".")[0], other)


def divided(
    points: Sequence[Point], papers: float, batches: float = math.inf
) -> tuple[list[Point], list[Point]]:
    """The points with up to so many papers in up to so many batches, and the larger ones."""
    small = [
        point
        for point in points
        if point.drivers["papers"] <= papers and point.drivers.get("batches", 0) <= batches
    ]
    return small, [point for point in points if point not in small]
