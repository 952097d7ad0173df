"""The stages of the method, once, in their order. A new system is one entry here.

The groups of the web UI, the assets that are loaded, what `aimsciqa reset --from` forgets, and the order in
summary and report follow from this list. The order of the steps follows from what they read (`phases.py`).
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from aimsciqa_resources.settings_file import general
from aimsciqa_resources.variables import SettingsError

_OWNER = re.compile(r"team:.+|[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,7}")


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage: the schema of its tables, and the modules below `aimsciqa_assets` whose `assets` make them.

    `shown` are the tables that the summary of a run counts, `from_outside` those whose rows people or PubMed
    Central brought: `aimsciqa reset --from` keeps them. `lends` are tables of another schema that its steps
    write. A stage `on_request` is started by people, and by `aimsciqa run`: the nightly chain leaves it out.
    Of another stage that may be so of single tables, `asked_for`.
    """

    name: str
    modules: tuple[str, ...]
    shown: tuple[str, ...] = ()
    from_outside: tuple[str, ...] = ()
    lends: tuple[str, ...] = ()
    on_request: bool = False
    asked_for: tuple[str, ...] = ()


STAGES = (
    Stage(
        "corpus",
        ("corpus",),
        shown=("papers", "rejected_files", "paragraphs", "citation_edges", "source_papers"),
        from_outside=(
            *("corpus.input_files", "corpus.pmc_articles", "corpus.pmc_ids"),
            "corpus.corrections",
            "corpus.cited_papers",
        ),
    ),
    Stage(
        "single_hop",
        ("aim_sciqa.single_hop",),
        shown=("extractions", "qa_pairs"),
        lends=("relations.embeddings",),
    ),
    Stage("citation_guided", ("aim_sciqa.citation_guided",), shown=("pairs",)),
    Stage(
        "relations",
        ("aim_sciqa.relations",),
        shown=("embeddings", "section_pairs", "candidate_relations", "clusters"),
    ),
    Stage("multi_hop", ("aim_sciqa.multi_hop",), shown=("items",)),
    Stage(
        "findings",
        ("findings",),
        shown=("papers", "findings", "groups", "drafts", "items"),
        from_outside=("findings.seeds",),
    ),
    Stage("hopweaver", ("hopweaver", "hopweaver.reranker"), shown=("items",)),
    Stage(
        "airqa",
        ("airqa", "airqa.summaries", "airqa.examples", "airqa.baselines", "airqa.results"),
        shown=("store", "examples"),
        from_outside=("airqa.examples", "airqa.rejected_examples"),
        asked_for=(
            *("airqa.answers", "airqa.turns", "airqa.runs"),
            *("airqa.verdicts", "airqa.labels", "airqa.scores", "airqa.comparisons"),
        ),
    ),
    Stage("extractor", ("airqa.extractor",), on_request=True),
    Stage(
        "baseline_sets",
        ("baseline_sets",),
        shown=("items",),
        from_outside=(
            *("baseline_sets.records", "baseline_sets.supports"),
            *("baseline_sets.contexts", "baseline_sets.hops"),
        ),
    ),
    Stage(
        "scidqa",
        ("scidqa", "scidqa.pairs", "scidqa.manuscripts"),
        shown=("forums", "notes", "discussions", "qa_pairs", "manuscripts"),
        from_outside=("scidqa.notes", "scidqa.forums", "scidqa.rejected_lines", "scidqa.manuscripts"),
    ),
    Stage(
        "benchmark",
        (
            "benchmark.retrieval",
            "benchmark.answering",
            "benchmark.aspects",
            "judging",
            "judging.audit",
            "judging.review",
            "aim_sciqa.refusals",
        ),
        from_outside=("benchmark.audit_ratings", "benchmark.reviews"),
        on_request=True,
    ),
    Stage("quality", ("judging.necessity",), on_request=True),
    Stage("release", ("release", "release.report"), on_request=True),
    Stage("ops", ("ops",)),
)
"""All stages; what is about the pipeline itself stands last."""

STAGE_NAMES = tuple(stage.name for stage in STAGES)

ON_REQUEST = frozenset(stage.name for stage in STAGES if stage.on_request)
_ASKED_FOR = frozenset(table for stage in STAGES for table in stage.asked_for)

FROM_OUTSIDE = frozenset(table for stage in STAGES for table in stage.from_outside)

GROUPS = {
    name: f"{number:0{len(str(len(STAGES)))}}_{name}" for number, name in enumerate(STAGE_NAMES, start=1)
}
"""The groups of the web UI by stage. It sorts them by name: hence the numbers."""

SHOWN = tuple(f"{stage.name}.{table}" for stage in STAGES for table in stage.shown)
"""The tables that the summary of a run counts."""


def is_on_request(table: str) -> bool:
    """Whether only people have a table made: the nightly chain does not."""
    return table in _ASKED_FOR or table.split(".", maxsplit=1)[0] in ON_REQUEST


def stage_that_writes(table: str) -> str:
    """The stage whose steps write a table: that of its schema, unless another one lends it."""
    lending = (stage.name for stage in STAGES if table in stage.lends)
    return next(lending, table.split(".", maxsplit=1)[0])


def forgotten_from(name: str, tables: Mapping[str, object]) -> list[str]:
    """The tables that a stage and the later ones made; what came from outside is not among them."""
    forgotten = STAGE_NAMES[STAGE_NAMES.index(name) :]
    return [table for table in tables if stage_that_writes(table) in forgotten and table not in FROM_OUTSIDE]


def owners(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Whom the web UI names as owners: `AIMSCIQA_OWNERS`, e-mail addresses or `team:name`, by comma.

    Raises `SettingsError` for what Dagster would not take.
    """
    named = general("AIMSCIQA_OWNERS", environment) or "team:aimsciqa"
    found = [owner.strip() for owner in named.split(",") if owner.strip()]
    for owner in found:
        if not _OWNER.fullmatch(owner):
            raise SettingsError(
                f"AIMSCIQA_OWNERS: {owner!r} is no owner: write e-mail addresses or team:NAME, with commas "
                "between them."
            )
    return found
