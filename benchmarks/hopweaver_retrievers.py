"""Which retriever finds documents that HopWeaver can use: `python -m benchmarks.hopweaver_retrievers HOME`.

HOME holds documents and the bridge entities that a model named, each with its query. A query is served when
one of its candidates mentions the entity: any other is passed over, or in vain. `--queries` names a file of
queries with the ids of documents that serve them (`query`, `pos`); of these is told how many have one among
their candidates. Every retriever is tried with every set of weights (`hopweaver.lambdas`), and by relevance
alone. Figures go to the screen and to `benchmarks/results/hopweaver_retrievers.json`.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.hopweaver.documents import Document, mentions
from aimsciqa_assets.hopweaver.reading import searching_among, usable_documents
from aimsciqa_assets.hopweaver.searching import Searching
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.retrieval.diversity import WEIGHTS, Weights
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.settings.hopweaver import HopWeaverSettings

RESULT = Path(__file__).parent / "results" / "hopweaver_retrievers.json"
FUSIONS = ("rrf", "default", "interleave", "dense_first", "bm25_first")
EVERY_SET = {"relevance alone": Weights(1, 0, 0), **WEIGHTS}


@dataclass(frozen=True, slots=True)
class Sought:
    """A query, the document that it starts from, and those that would serve it."""

    query: str
    source: str | None
    serving: frozenset[str]


def bridges(run: StepRun, documents: Mapping[str, Document]) -> list[Sought]:
    """The queries of the home; other documents that mention the entity serve them."""
    found = run.read("hopweaver.bridges", "query is not null and entity is not null")
    return [
        Sought(
            row["query"],
            row["paper_id"],
            frozenset(
                name
                for name, document in documents.items()
                if name != row["paper_id"] and mentions(document.text, row["entity"])
            ),
        )
        for row in found.iter_rows(named=True)
    ]


def labelled(file: Path, documents: Mapping[str, Document]) -> list[Sought]:
    """The queries of a file, of which a document that serves is there."""
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    by_id = {name.rpartition(":")[2]: name for name in documents}
    sought = [
        Sought(row["query"], None, frozenset(by_id[one] for one in row["pos"] if one in by_id))
        for row in rows
    ]
    return [one for one in sought if one.serving]


def served(search: Searching, sought: Sequence[Sought], top_k: int) -> int:
    """How many of the queries have a document that serves among their candidates."""
    count = 0
    for one in sought:
        if one.source is None:
            found = [selected.document_id for selected in search(one.query, None, top_k)]
        else:
            found = [hit.document_id for hit in search.candidates(one.query, one.source, "", top_k)]
        count += not one.serving.isdisjoint(found)
    return count


def searches(run: StepRun, documents: Mapping[str, Document]) -> Iterator[tuple[str, str, Searching]]:
    """Every search: the name of the retriever, that of the weights, and the search itself."""
    encoder = run.encoder.name
    named = [("bm25", "rrf"), ("", "rrf"), *((f"{encoder}+bm25", fusion) for fusion in FUSIONS)]
    for retriever, fusion in named:
        chosen = HopWeaverSettings(
            **run.settings.hopweaver.model_dump() | {"retriever": retriever, "fusion": fusion}
        )
        settings = {name: getattr(run.settings, name) for name in Settings.model_fields}
        search = searching_among(
            replace(run, settings=Settings(**settings | {"hopweaver": chosen})), documents
        )
        name = f"{retriever}, {fusion}" if "+" in retriever else retriever or encoder
        for weights, value in EVERY_SET.items():
            yield name, weights, replace(search, weights=value)


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path)
    parser.add_argument("--queries", type=Path)
    options = parser.parse_args()
    pipeline = Pipeline.at(Home(options.home), "demo", Console(quiet=True), asking=False)
    run = StepRun.of(STEPS["hopweaver.attempts"], "batch-0001", pipeline.resources)
    documents = usable_documents(run)
    sets = {"bridges": bridges(run, documents)}
    if options.queries:
        sets["labelled"] = labelled(options.queries, documents)
    top_k = run.settings.hopweaver.top_k
    rows: list[dict[str, Any]] = []
    for name, weights, search in searches(run, documents):
        found = {of: served(search, sought, top_k) for of, sought in sets.items()}
        rows.append({"retriever": name, "weights": weights, **found})
        print(rows[-1], flush=True)
    facts = {
        "documents": len(documents),
        "queries": {name: len(sought) for name, sought in sets.items()},
        "can be served": {name: sum(bool(one.serving) for one in sought) for name, sought in sets.items()},
        "candidates": top_k,
    }
    print(facts)
    RESULT.write_text(json.dumps(facts | {"rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
