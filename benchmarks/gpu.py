"""What runs on a GPU where there is one, beside the processor: `python -m benchmarks.gpu` (a few minutes).

Section similarity at the paper's size, the packaged encoder in both precisions, a few steps of training a
reranker and of EXTRACTOR's training, and what `aimsciqa doctor` says. All of it in one process, part after
part; `benchmarks/results/gpu.json` is written after each. A part that fails is told, and the others go on.
Where torch sees no GPU, the same is done on the processor twice and nothing is written.
"""

import argparse
import json
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from aimsciqa_resources.encoder import PACKAGED, CrossEncoderModel, SentenceEncoder, packaged_folder

from aimsciqa_assets.aim_sciqa.relations.blocks import PaperPairs
from aimsciqa_assets.aim_sciqa.relations.question_index import QuestionIndex
from aimsciqa_assets.aim_sciqa.relations.similarity import compare, has_gpu
from aimsciqa_assets.retrieval.reranker_training import RECIPES, Group, positive_ranks, train
from benchmarks.environments import ROOT
from benchmarks.machine import machine
from benchmarks.section_similarity import (
    DIMENSION,
    HOW,
    compile_all,
    every_pair,
    pairs_of_candidates,
    timed,
    work_of,
)
from benchmarks.synthetic.questions import questions_and_keywords
from benchmarks.synthetic.shape import PAPERS

RESULT = ROOT / "benchmarks" / "results" / "gpu.json"
CORPUS = ROOT.parent / "shared" / "corpora" / "sample"
_TIMES = 4
_MILLIONS = 3
PARTS = ("similarity", "encoding", "reranker", "extractor", "doctor")


def main() -> None:
    """Measure, print and write; exits with 1 when a part failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--papers", type=int, nargs="+", default=[PAPERS])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--texts", type=Path, help="a text in each line; else questions about a corpus")
    parser.add_argument("--corpus", type=Path, default=CORPUS)
    parser.add_argument("--steps", type=int, default=20, help="steps of each training")
    parser.add_argument("--small", action="store_true", help="a small language model")
    parser.add_argument("--result", type=Path, default=RESULT)
    chosen = parser.parse_args()
    ways: dict[str, Callable[[], Any]] = {
        "similarity": lambda: [similarity(papers, chosen.rounds) for papers in chosen.papers],
        "encoding": lambda: encoding(_texts(chosen.texts, chosen.corpus), chosen.rounds),
        "reranker": lambda: reranker(_texts(chosen.texts, chosen.corpus), chosen.steps),
        "extractor": lambda: extractor(chosen.steps, small=chosen.small),
        "doctor": doctor,
    }
    figures: dict[str, Any] = {"machine": machine() | card()}
    failed = []
    for part in chosen.parts:
        print(f"{part} ...", file=sys.stderr, flush=True)
        try:
            figures[part], seconds = timed(ways[part])
        except Exception:  # the other parts are worth having
            traceback.print_exc()
            failed.append(part)
            continue
        print(json.dumps({part: figures[part], "seconds": round(seconds)}, indent=1), flush=True)
        if has_gpu():
            chosen.result.write_text(json.dumps(figures, indent=2) + "\n")
    sys.exit(f"Failed: {', '.join(failed)}" if failed else 0)


def card() -> dict[str, Any]:
    """The GPU and the packages that use it."""
    import sentence_transformers
    import torch
    import transformers

    told = {
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "sentence_transformers": sentence_transformers.__version__,
    }
    if not has_gpu():
        return told
    properties = torch.cuda.get_device_properties(0)
    return told | {
        "gpu": properties.name,
        "gpu_memory_gb": round(properties.total_memory / 1e9, 1),
        "gpus": torch.cuda.device_count(),
    }


def similarity(papers: int, rounds: int) -> dict[str, Any]:
    """Section similarity in a made-up corpus: of candidates by keywords, and of every paper with every other.

    Of the latter the first three million are measured. A corpus larger than the paper's is measured once.
    """
    compile_all()
    index, keywords = questions_and_keywords(papers, DIMENSION)
    parts = list(islice(every_pair(papers), _MILLIONS))
    return {
        "papers": papers,
        "questions": len(index.vectors),
        "candidates": on_both(
            [pairs_of_candidates(index, keywords)], index, rounds if papers <= PAPERS else 1
        ),
        "every_pair": on_both([PaperPairs(*part) for part in parts], index, 1),
    }


def on_both(parts: list[PaperPairs], index: QuestionIndex, rounds: int) -> dict[str, Any]:
    """Compare pairs of papers on the processor and on the GPU, and say whether the results are the same."""
    work = [work_of(pairs, index) for pairs in parts]
    once, products = (sum(one) for one in zip(*work, strict=True))
    figures: dict[str, Any] = {
        "pairs_of_papers": once,
        "pairs_of_questions": products,
        "teraflop": round(2 * DIMENSION * products / 1e12, 2),
    }
    found = {}
    for name, how in {
        "processor": HOW,
        "gpu": replace(HOW, device=_gpu()),
        "gpu_bfloat16": replace(HOW, device=_gpu(), precision="bfloat16"),
    }.items():
        clear()
        runs = [timed(lambda how=how: [compare(pairs, index, how) for pairs in parts]) for _ in range(rounds)]
        numbered = [frame.with_columns(part=number) for number, frame in enumerate(runs[0][0])]
        found[name] = pl.concat(numbered)
        seconds = sorted(taken for _, taken in runs)
        figures[name] = {
            "seconds": [round(one, 3) for one in seconds],
            "pairs_of_papers_per_second": round(once / seconds[rounds // 2]),
            "teraflop_per_second": round(2 * DIMENSION * products / seconds[rounds // 2] / 1e12, 3),
            "gpu_memory_gb": gpu_memory(),
        }
    figures["gpu_and_processor"] = differences(found["processor"], found["gpu"])
    figures["gpu_bfloat16_and_processor"] = differences(found["processor"], found["gpu_bfloat16"])
    return figures


def differences(expected: pl.DataFrame, found: pl.DataFrame) -> dict[str, Any]:
    """How many section pairs two comparisons have, and in what they differ."""
    both = expected.join(found, on=("part", "pair", "rank"), suffix="_there")
    off = (both["similarity"] - both["similarity_there"]).abs()
    others = {
        name: both.filter(pl.any_horizontal(pl.col(one) != pl.col(f"{one}_there") for one in of)).height
        for name, of in {
            "other_sections": ("source_section", "target_section"),
            "other_core_pair": ("core_source", "core_target"),
            "other_number_over_tau": ("pairs_over_tau",),
        }.items()
    }
    return {
        "section_pairs": [expected.height, found.height],
        "in_one_alone": expected.height + found.height - 2 * both.height,
        **others,
        "largest_difference_of_a_sum": float(off.max() or 0),
        "largest_relative_difference_of_a_sum": float((off / both["similarity"]).max() or 0),
        "largest_difference_of_a_strength": float(
            (both["strength"] - both["strength_there"]).abs().max() or 0
        ),
    }


def encoding(texts: list[str], rounds: int) -> dict[str, Any]:
    """Distinct texts that the packaged encoder encodes per second, and how far the vectors are apart."""
    # A few thousand questions would take a GPU the blink of an eye.
    texts = [f"{text} ({number})" for number in range(_TIMES) for text in dict.fromkeys(texts)]
    figures: dict[str, Any] = {"texts": len(texts), "characters": round(np.mean([len(one) for one in texts]))}
    vectors = {}
    for name, encoder in {
        "processor": SentenceEncoder(devices=("cpu",)),
        "processor_bfloat16": SentenceEncoder(devices=("cpu",), precision="bfloat16"),
        "gpu": SentenceEncoder(devices=(_gpu(),)),
        "gpu_bfloat16": SentenceEncoder(devices=(_gpu(),), precision="bfloat16"),
        "by_default": SentenceEncoder(),
        "two_processes_on_one_gpu": SentenceEncoder(devices=(_gpu(), _gpu())),
    }.items():
        clear()
        _, starting = timed(lambda encoder=encoder: encoder.encode(texts[:600]))
        runs = [timed(lambda encoder=encoder: encoder.encode(texts)) for _ in range(rounds)]
        vectors[name] = runs[0][0]
        seconds = sorted(taken for _, taken in runs)
        apart = np.abs(vectors[name] - vectors["processor"]).max()
        figures[name] = {
            "starting_seconds": round(starting, 2),
            "texts_per_second": round(len(texts) / seconds[rounds // 2], 1),
            "gpu_memory_gb": gpu_memory(),
            "largest_difference": float(apart),
            "lowest_cosine": float((vectors[name] * vectors["processor"]).sum(axis=1).min()),
        }
    return figures


def reranker(texts: list[str], steps: int) -> dict[str, Any]:
    """A few steps of training the packaged encoder's layers as a cross-encoder, and how it ranks then."""
    base = str(packaged_folder(PACKAGED))
    recipe = replace(RECIPES["paper"], epochs=1, save_steps=steps)
    groups = [group(texts[5 * number :]) for number in range(min(recipe.batch * steps, len(texts) // 5 - 1))]
    clear()
    with tempfile.TemporaryDirectory() as folder:
        curve, seconds = timed(lambda: train(base, groups, Path(folder), recipe))
        ranks = positive_ranks(CrossEncoderModel(folder), groups[:50])
    return {
        "steps": len(curve),
        "groups_of_a_step": recipe.batch,
        "documents_of_a_group": recipe.group_size,
        "seconds_with_loading": round(seconds, 1),
        "gpu_memory_gb": gpu_memory(),
        "first_loss": round(curve[0].loss, 3),
        "last_loss": round(curve[-1].loss, 3),
        "ranked_first_of_50": ranks.count(1),
    }


def group(texts: list[str]) -> Group:
    """The first text as a query, with the passages that begin with it and with the next ones."""
    first, *others = (" ".join(texts[number : number + 5]) for number in range(4))
    return Group(texts[0], (first,), tuple(others))


def extractor(steps: int, *, small: bool) -> dict[str, Any]:
    """A few steps of training a language model with random weights on samples of a few thousand tokens."""
    from aimsciqa_assets.airqa.extractor import training
    from aimsciqa_assets.airqa.extractor.recipe import PAPER
    from benchmarks.synthetic.language_model import write_export, write_language_model

    recipe = replace(PAPER, accumulation=2)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_export(folder / "export", samples=steps * recipe.accumulation, turns=4 if small else 24)
        parameters = write_language_model(folder / "model", folder / "export", _gpu(), small=small)
        clear()
        trained, seconds = timed(
            lambda: training.train(folder / "export", str(folder / "model"), folder / "adapter", recipe)
        )
        files = sorted(path.name for path in (folder / "adapter").glob("adapter*"))
    return {
        "parameters": parameters,
        "steps": len(trained.losses),
        "samples": trained.samples,
        "seconds_with_loading": round(seconds, 1),
        "gpu_memory_gb": gpu_memory(),
        "first_loss": round(trained.losses[0], 3),
        "last_loss": round(trained.losses[-1], 3),
        "files": files,
    }


def doctor() -> list[str]:
    """What `aimsciqa doctor` finds about the GPU."""
    from aimsciqa_assets.cli.doctor.findings import Examined
    from aimsciqa_assets.cli.doctor.installed import gpu_is_there
    from aimsciqa_assets.platform.home import Home

    with tempfile.TemporaryDirectory() as folder:
        return [f"{one.state}: {one.said}" for one in gpu_is_there(Examined(Home(Path(folder))))]


def _gpu() -> str:
    """The GPU; without one the name of torch for the processor by which all goes as on a GPU."""
    return "cuda:0" if has_gpu() else "cpu:0"


def clear() -> None:
    """Forget what the GPU held."""
    import torch

    if has_gpu():
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()


def gpu_memory() -> float:
    """The most that tensors of this process took on the GPU since `clear`, in 10^9 bytes."""
    import torch

    return round(torch.cuda.max_memory_allocated() / 1e9, 3) if has_gpu() else 0.0


def _texts(file: Path | None, corpus: Path) -> list[str]:
    if file:
        return file.read_text(encoding="utf-8").splitlines()
    from benchmarks.encoding import questions_of

    return questions_of(corpus)


if __name__ == "__main__":
    main()
