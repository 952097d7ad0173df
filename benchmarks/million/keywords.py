"""What a batch finds by keywords in a corpus of full size: `python -m benchmarks.million.keywords`.

The keywords of a million made-up papers fit into memory, so their candidates are counted, not predicted, for
the papers of one batch. The divided candidates are held as the step holds them; nothing is compared.
"""

import argparse
import json
import time
from typing import Any

import polars as pl

from aimsciqa_assets.aim_sciqa.relations.candidates import keyword_candidates
from aimsciqa_assets.aim_sciqa.relations.section_pairs import parts_in_memory
from benchmarks.machine import peak_memory_mb
from benchmarks.synthetic.papers import keyword, pmcid
from benchmarks.synthetic.shape import plan


def main() -> None:
    """Measure and print a line of JSON for each size of a batch."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--papers", type=int, required=True)
    parser.add_argument("--per-batch", type=int, nargs="+", required=True, help="from few to many")
    parser.add_argument("--questions-at-once", type=int, default=1_000_000)
    chosen = parser.parse_args()
    questions, keywords = questions_and_keywords(chosen.papers)
    for per_batch in chosen.per_batch:
        print(json.dumps(found(per_batch, questions, keywords, chosen.questions_at_once)), flush=True)


def questions_and_keywords(papers: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """`paper_id, questions` and `paper_id, keyword` of so many made-up papers."""
    plans = [(pmcid(number), plan(number)) for number in range(papers)]
    questions = pl.DataFrame(
        [(name, int(paper.questions.sum())) for name, paper in plans],
        schema=["paper_id", "questions"],
        orient="row",
    )
    names = {rank: keyword(rank) for _, paper in plans for rank in paper.keywords.tolist()}
    keywords = pl.DataFrame(
        [(name, names[rank]) for name, paper in plans for rank in paper.keywords.tolist()],
        schema=["paper_id", "keyword"],
        orient="row",
    )
    return questions, keywords


def found(
    per_batch: int, questions: pl.DataFrame, keywords: pl.DataFrame, questions_at_once: int
) -> dict[str, Any]:
    """How many candidates the first papers have, in how many parts; seconds, and peak memory so far."""
    sources = questions["paper_id"].head(per_batch)
    begun = time.perf_counter()
    candidates = keyword_candidates(sources, keywords).select(
        pl.col("group").cast(pl.Int64), "source_paper_id", "target_paper_id", variant=pl.lit("im")
    )
    parts = list(parts_in_memory(candidates, questions, questions_at_once))
    return {
        "papers": questions.height,
        "sources": sources.len(),
        "candidates": candidates.height,
        "questions": int(questions["questions"].sum()),
        "questions_at_once": questions_at_once,
        "parts": len(parts),
        "seconds": round(time.perf_counter() - begun, 1),
        "peak_memory_mb": peak_memory_mb(),
    }


if __name__ == "__main__":
    main()
