"""Vocabulary, neighbourhoods and groups of many papers: `python -m benchmarks.findings_scale`.

Writes made-up findings into a fresh warehouse, 25 for each of 8,211 papers in batches of 500, with vectors of
384 dimensions. Then the steps of Findings between reading and drafting run, and a scripted model names
measures at once. A paper has a topic; each of 30 measures of a topic is spelled in six ways, and a topic has
40 papers. A quarter of the papers runs in a process of its own before all of them, so the growth shows as an
exponent: 1 is linear. Recall is that of the index of terms against all comparisons, over 1,000 terms.
Figures go to the screen; those of all papers go to `benchmarks/results/findings_scale.json`.
"""

import argparse
import json
import math
import multiprocessing
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import dagster as dg
import numpy as np
import numpy.typing as npt
import polars as pl
from aimsciqa_resources.language_model import ModelReply, ModelRequest
from aimsciqa_resources.language_model.opening import OneModel
from rich.console import Console

from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.frames import Frames, frame_of
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.platform.writing import create_tables, write_rows
from aimsciqa_assets.retrieval.neighbours import nearest
from aimsciqa_assets.settings import Settings
from benchmarks.environments import ROOT
from benchmarks.machine import machine, peak_memory_mb

Vectors = npt.NDArray[np.float32]

RESULT: Final = ROOT / "benchmarks" / "results" / "findings_scale.json"
PAPERS, FINDINGS_OF_PAPER, PAPERS_OF_BATCH = 8_211, 25, 500
PAPERS_OF_TOPIC, MEASURES_OF_TOPIC, SPELLINGS, DIMENSION = 40, 30, 6, 384
STAGES: Final = {
    "quantities": "findings.quantities",
    "vocabulary": "findings.measures",
    "neighbourhoods": "findings.neighbourhoods",
    "groups": "findings.groups",
}
ON: Final = {
    "AIMSCIQA_SYSTEMS": "findings",
    "AIMSCIQA_MODEL_BACKEND": "server",
    "AIMSCIQA_MODEL_NAME": "naming",
    "AIMSCIQA_MODEL_BASE_URL": "http://localhost:9/v1",
}
COUNTED: Final = """
select
    (select count(*) from findings.findings) as findings,
    (select count(*) from findings.term_vectors) as terms,
    (select count(*) from findings.measures) as measures,
    (select count(distinct neighbourhood_id) from findings.neighbourhoods) as neighbourhoods,
    (select count(*) from findings.groups) as groups
"""


class NamingModel:
    """Gives all terms of a cluster the name of the first one."""

    name = "naming"
    revision = "1"
    sampling = ""

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        """Yield a reply for each request."""
        for request in requests:
            terms = request.variables["terms"]
            name = {
                "existing": 1 if request.variables["existing"] else 0,
                "name": terms[0].split(". ", 1)[1].split(" [")[0],
                "definition": "",
                "unit": "mg",
                "members": [{"term": number} for number in range(1, len(terms) + 1)],
            }
            yield ModelReply(request.key, json.dumps({"names": [name]}))


def main() -> None:
    """Measure a quarter of the papers and all of them, print and write."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--papers", type=int, default=PAPERS)
    papers = options.parse_args().papers
    quarter, whole = (in_a_process_of_its_own(count) for count in (papers // 4, papers))
    growth = math.log(whole["seconds"] / quarter["seconds"]) / math.log(whole["papers"] / quarter["papers"])
    result = {"quarter": quarter, "all": whole, "exponent": round(growth, 3), "machine": machine()}
    text = json.dumps(result, indent=2)
    if papers == PAPERS:
        RESULT.write_text(text + "\n")
    print(text)


def in_a_process_of_its_own(papers: int) -> dict[str, Any]:
    """Return what `measured` says of so many papers."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(measured, (papers,))


def measured(papers: int) -> dict[str, Any]:
    """Return seconds of each stage, rows, the peak of memory, and the recall of the index of terms."""
    with tempfile.TemporaryDirectory() as folder:
        pipeline = pipeline_at(Path(folder))
        batches = written(pipeline, papers)
        seconds = {stage: made(pipeline, table, batches) for stage, table in STAGES.items()}
        counts = pipeline.warehouse.read(COUNTED).row(0, named=True)
        peak = peak_memory_mb()
        recall = recall_of_terms(pipeline)
    return {
        "papers": papers,
        "batches": len(batches),
        **counts,
        "seconds_of_stage": seconds,
        "seconds": round(sum(seconds.values()), 1),
        "peak_memory_mb": peak,
        "recall_of_terms": recall,
    }


def pipeline_at(folder: Path) -> Pipeline:
    """Return a pipeline in a fresh home, with Findings on and a model that names at once."""
    home, settings = Home(folder), Settings.preset_of("demo", ON)
    resources = build_resources(home, settings, language_models=OneModel(NamingModel()))
    create_tables(resources["warehouse"])
    return Pipeline(home, resources, dg.DagsterInstance.ephemeral(), Console(quiet=True))


def written(pipeline: Pipeline, papers: int) -> list[str]:
    """Write made-up readings of papers; return the batches."""
    draws = np.random.default_rng(1)
    batches = list[str]()
    for start in range(0, papers, PAPERS_OF_BATCH):
        batch = f"batch-{len(batches) + 1:04d}"
        batches.append(batch)
        numbers = range(start, min(start + PAPERS_OF_BATCH, papers))
        write_rows(pipeline.warehouse, readings(numbers, batch, draws, papers), batch, [])
    return batches


def readings(numbers: range, batch: str, draws: np.random.Generator, papers: int) -> Frames:
    """Return the rows of a batch: cards, findings, and the vectors of both."""
    cards, findings, terms = list[dict[str, Any]](), list[dict[str, Any]](), dict[str, Vectors]()
    topics = max(1, papers // PAPERS_OF_TOPIC)
    card_vectors = list[Vectors]()
    for number in numbers:
        topic = number % topics
        cards.append(card_row(number, batch))
        card_vectors.append(near(vector_of("topic", topic), 0.7, draws))
        for place, measure in enumerate(draws.permutation(MEASURES_OF_TOPIC)[:FINDINGS_OF_PAPER].tolist()):
            term = f"measure {measure} of topic {topic}, spelling {draws.integers(SPELLINGS)}"
            if term not in terms:
                centre = vector_of("topic", topic) + vector_of("measure", topic, measure)
                terms[term] = near(centre, 0.4, draws)
            findings.append(finding_row(number, place + 1, batch, term, float(draws.integers(1, 1_000))))
    encoded = {"batch": batch, "encoder": "made up", "encoder_revision": "1"}
    return {
        "findings.papers": frame_of("findings.papers", cards),
        "findings.findings": frame_of("findings.findings", findings),
        "findings.card_vectors": frame_of(
            "findings.card_vectors",
            [
                {"paper_id": card["paper_id"], "vector": vector.tolist(), **encoded}
                for card, vector in zip(cards, card_vectors, strict=True)
            ],
        ),
        "findings.term_vectors": frame_of(
            "findings.term_vectors",
            [{"measure": term, "vector": vector.tolist(), **encoded} for term, vector in terms.items()],
        ),
    }


def vector_of(*parts: object) -> Vectors:
    """Return the vector of a topic or a measure, the same whenever it is asked for."""
    seed = [abs(hash(part)) if isinstance(part, int) else sum(map(ord, str(part))) for part in parts]
    return unit(np.random.default_rng(seed).normal(size=DIMENSION))


def near(vector: Vectors, distance: float, draws: np.random.Generator) -> Vectors:
    """Return a vector of unit length about so far from another."""
    return unit(unit(vector) + distance * unit(draws.normal(size=DIMENSION)))


def unit(vector: npt.NDArray[Any]) -> Vectors:
    """Return a vector with unit length."""
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def card_row(number: int, batch: str) -> dict[str, Any]:
    """Return the card of a made-up paper."""
    return {
        "paper_id": f"made-up:{number}",
        "batch": batch,
        "design": "field trial",
        "population": "millet",
        "place": f"village {number % 3_000}",
        "period": "2019",
        "sample_size": "30 plots",
        "instruments": [{"instrument": f"assay {number % 700}", "cut_off": ""}],
        "materials": [f"line {number % 900}", "millet"],
        "description": f"trial {number}",
        "findings": FINDINGS_OF_PAPER,
        "parts": 1,
        "status": "kept",
        "rejection_reason": None,
        "model": "made up",
        "model_revision": "1",
        "prompt_version": "1",
    }


def finding_row(number: int, place: int, batch: str, measure: str, value: float) -> dict[str, Any]:
    """Return a finding of a made-up paper."""
    statement = f"{measure.capitalize()} was {value:g} mg on assay {number % 700}."
    return {
        "finding_id": f"{number}-{place}",
        "batch": batch,
        "paper_id": f"made-up:{number}",
        "number": place,
        "statement": statement,
        "measure": measure,
        "exposure": f"line {number % 900}" if place % 5 == 0 else "",
        "comparator": "",
        "direction": "",
        "value": value,
        "value_text": f"{value:g}",
        "unit": "mg",
        "low": None,
        "high": None,
        "spread": "",
        "numerator": None,
        "denominator": None,
        "conditions": [{"condition": "population", "stated": f"line {number % 900}"}],
        "cited": "",
        "repeats": None,
        "contradicts": None,
        "paragraph_id": f"{number}-text",
        "evidence": statement,
        "evidence_start": 0,
        "evidence_end": len(statement),
        "status": "kept",
        "rejection_reason": None,
        "flags": [],
    }


def made(pipeline: Pipeline, table: str, batches: list[str]) -> float:
    """Make a table of all batches, in their order; return the seconds."""
    step = STEPS[table]
    began = time.perf_counter()
    for part in batches if step.by else [""]:
        assert step.compute is not None
        rows = step.compute(StepRun.of(step, part, pipeline.resources))
        write_rows(pipeline.warehouse, rows, part, [])
    return round(time.perf_counter() - began, 1)


def recall_of_terms(pipeline: Pipeline) -> float:
    """Return the share of the ten nearest terms that the index finds, over at most 1,000 terms."""
    rows = pipeline.warehouse.read("select distinct on (measure) measure, vector from findings.term_vectors")
    vectors = rows.sort("measure")["vector"].cast(pl.Array(pl.Float32, DIMENSION)).to_numpy()
    queries = vectors[:: max(1, len(vectors) // 1_000)]
    exact, _ = nearest(queries, vectors, 10, exact=len(vectors))
    by_index, _ = nearest(queries, vectors, 10, exact=0)
    shared = [len(set(left) & set(right)) for left, right in zip(exact, by_index, strict=True)]
    return round(float(np.mean(shared)) / exact.shape[1], 4)


if __name__ == "__main__":
    main()
