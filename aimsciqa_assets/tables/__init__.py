"""Declares every table once: its columns, types, key and meaning. DDL, checks and docs all come from here.

A table's name is also its asset key: `TABLES["corpus.papers"]` is the asset `corpus/papers`.
"""

from aimsciqa_assets.tables.airqa import AIRQA
from aimsciqa_assets.tables.airqa_results import AIRQA_EXAMPLES, AIRQA_RESULTS
from aimsciqa_assets.tables.airqa_runs import AIRQA_RUNS
from aimsciqa_assets.tables.audit import AUDIT
from aimsciqa_assets.tables.baseline_sets import BASELINE_SETS
from aimsciqa_assets.tables.benchmark import BENCHMARK
from aimsciqa_assets.tables.corpus import CORPUS
from aimsciqa_assets.tables.extractor import EXTRACTOR
from aimsciqa_assets.tables.findings import FINDINGS
from aimsciqa_assets.tables.hopweaver import HOPWEAVER
from aimsciqa_assets.tables.multi_hop import MULTI_HOP
from aimsciqa_assets.tables.ops import (
    BOOKKEEPING,
    FAILURES,
    LLM_CALLS,
    MATERIALIZATIONS,
    OPS,
    PMC_LOOKS,
    REVIEW_FETCHES,
    SCHEMA_VERSIONS,
)
from aimsciqa_assets.tables.quality import QUALITY
from aimsciqa_assets.tables.refusals import REFUSALS
from aimsciqa_assets.tables.relations import RELATIONS
from aimsciqa_assets.tables.release import RELEASE
from aimsciqa_assets.tables.reviews import REVIEWS
from aimsciqa_assets.tables.scidqa import SCIDQA_SOURCE
from aimsciqa_assets.tables.scidqa_manuscripts import SCIDQA_MANUSCRIPTS
from aimsciqa_assets.tables.scidqa_pairs import SCIDQA_PAIRS
from aimsciqa_assets.tables.single_hop import SINGLE_HOP
from aimsciqa_assets.tables.table import EMBEDDING_TYPE, Column, Table

__all__ = [
    "BOOKKEEPING",
    "EMBEDDING_TYPE",
    "FAILURES",
    "LLM_CALLS",
    "MATERIALIZATIONS",
    "PMC_LOOKS",
    "REVIEW_FETCHES",
    "TABLES",
    "Column",
    "Table",
]

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        *CORPUS,
        *SINGLE_HOP,
        *RELATIONS,
        *MULTI_HOP,
        *FINDINGS,
        *HOPWEAVER,
        *BASELINE_SETS,
        *AIRQA,
        *AIRQA_EXAMPLES,
        *AIRQA_RUNS,
        *AIRQA_RESULTS,
        *EXTRACTOR,
        *SCIDQA_MANUSCRIPTS,
        *SCIDQA_PAIRS,
        *SCIDQA_SOURCE,
        *BENCHMARK,
        *AUDIT,
        *REFUSALS,
        *REVIEWS,
        *QUALITY,
        *RELEASE,
        *OPS,
        LLM_CALLS,
        MATERIALIZATIONS,
        FAILURES,
        PMC_LOOKS,
        REVIEW_FETCHES,
        SCHEMA_VERSIONS,
    )
}
