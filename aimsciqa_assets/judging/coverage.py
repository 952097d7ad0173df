"""How much of a section the questions cover: the share of its sentences that are evidence (section 4.2)."""

from collections import defaultdict
from collections.abc import Sequence

import polars as pl

from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.progress import Advance
from aimsciqa_assets.text.sentences import sentence_spans

Span = tuple[int, int]


def coverage_of(
    sections: pl.DataFrame, paragraphs: pl.DataFrame, kept: pl.DataFrame, advance: Advance
) -> pl.DataFrame:
    """Rows of `benchmark.evidence_coverage`, one per section, from sections, paragraphs and kept QA pairs."""
    evidence: dict[str, list[Span]] = defaultdict(list)
    for paragraph, start, end in kept.select("paragraph_id", "evidence_start", "evidence_end").iter_rows():
        evidence[paragraph].append((start, end))
    sentences: dict[str, int] = defaultdict(int)
    covered: dict[str, int] = defaultdict(int)
    pairs: dict[str, int] = defaultdict(int)
    for paragraph, section, text in paragraphs.select("paragraph_id", "section_id", "text").iter_rows():
        spans = sentence_spans(text)
        sentences[section] += len(spans)
        covered[section] += covered_by(spans, evidence[paragraph])
        pairs[section] += len(evidence[paragraph])
        advance(1)
    rows = [
        row
        | {
            "pairs": pairs[row["section_id"]],
            "sentences": (of_section := sentences[row["section_id"]]),
            "evidence_sentences": covered[row["section_id"]],
            "coverage": covered[row["section_id"]] / of_section if of_section else None,
        }
        for row in sections.select("section_id", "paper_id", "kind").iter_rows(named=True)
    ]
    return frame_of("benchmark.evidence_coverage", rows).sort("section_id")


def covered_by(sentences: Sequence[Span], evidence: Sequence[Span]) -> int:
    """How many of the sentences are evidence by half of their characters or more."""
    merged: list[Span] = []
    for begin, to in sorted(evidence):
        if merged and begin <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(to, merged[-1][1])
        else:
            merged.append((begin, to))
    return sum(
        2 * sum(max(0, min(end, to) - max(start, begin)) for begin, to in merged) >= end - start
        for start, end in sentences
    )
