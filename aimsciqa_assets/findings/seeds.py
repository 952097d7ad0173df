"""Seeds: questions that users want covered, and the groups of findings that may help to answer them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from aimsciqa_resources.encoder import SearchEncoder
from aimsciqa_resources.warehouse import Warehouse, Write

from aimsciqa_assets.findings.drafting import ShownGroup
from aimsciqa_assets.findings.vocabulary import folded
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.platform.frames import frame_of
from aimsciqa_assets.platform.identity import row_id
from aimsciqa_assets.platform.records import Record
from aimsciqa_assets.platform.writing import create_tables, record_write
from aimsciqa_assets.retrieval.cosines import cosines
from aimsciqa_assets.tables import TABLES

SEEDS: Final = "findings.seeds"
GROUPS_OF_SEED: Final = 3
"""Groups of a batch that are shown for a seed at most."""
LIKENESS: Final = 0.35
"""The cosine that the findings of two papers need; what is about another field stays below it."""


def take_seeds(questions: Sequence[str], warehouse: Warehouse) -> int:
    """Add questions to those that users want covered, and return the number of new ones."""
    with warehouse.one_at_a_time("ingest"):
        create_tables(warehouse)
        known = dict(warehouse.read(f"select seed_id, question from {SEEDS}").iter_rows())
        seeds = {row_id("seed", folded(question)): question for question in reversed(questions)} | known
        if len(seeds) > len(known):
            rows = [{"seed_id": seed, "question": seeds[seed]} for seed in sorted(seeds)]
            fingerprint = digest({"rows": rows})
            record = Record(SEEDS, "", fingerprint, fingerprint, "", frozenset(), len(rows))
            warehouse.replace(
                [Write(SEEDS, TABLES[SEEDS].ddl(), frame_of(SEEDS, rows), {}), record_write(record)]
            )
    return len(seeds) - len(known)


def groups_for(
    seeds: Sequence[str], groups: Sequence[ShownGroup], encoder: SearchEncoder
) -> Mapping[str, list[ShownGroup]]:
    """Return the groups that fit each seed best, at most three, the best first.

    A group fits as well as the findings of the two papers that are most like the seed.
    """
    if not seeds or not groups:
        return {seed: [] for seed in seeds}
    texts = [_text(group, row["measure"], row["statement"]) for group in groups for row in group.findings]
    likeness = cosines(encoder.encode_queries(seeds), encoder.encode_documents(texts))
    ends = np.cumsum([len(group.findings) for group in groups])[:-1]
    chosen: dict[str, list[ShownGroup]] = {}
    for seed, of_seed in zip(seeds, likeness, strict=True):
        fits = [_fit(group, own.tolist()) for group, own in zip(groups, np.split(of_seed, ends), strict=True)]
        order = sorted(range(len(groups)), key=lambda at: (-fits[at], groups[at].group_id))
        chosen[seed] = [groups[at] for at in order[:GROUPS_OF_SEED] if fits[at] >= LIKENESS]
    return chosen


def _text(group: ShownGroup, measure: str, statement: str) -> str:
    return f"{measure if group.kind == 'paper' else group.label}: {statement}"


def _fit(group: ShownGroup, likeness: Sequence[float]) -> float:
    best: dict[str, float] = defaultdict(lambda: -1.0)
    for row, cosine in zip(group.findings, likeness, strict=True):
        best[row["paper_id"]] = max(best[row["paper_id"]], cosine)
    return round(sum(sorted(best.values())[-2:]) / 2, 4)
