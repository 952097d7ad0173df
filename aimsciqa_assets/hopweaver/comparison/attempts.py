"""The attempts at comparisons of a run: its settings and its search."""

from collections.abc import Mapping
from dataclasses import replace

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.hopweaver.comparison.dialogue import compare
from aimsciqa_assets.hopweaver.comparison.kinds import with_kin
from aimsciqa_assets.hopweaver.comparison.steps import Rules, Synthesis
from aimsciqa_assets.hopweaver.documents import Document, drawn_sources
from aimsciqa_assets.hopweaver.reading import sources_of_part
from aimsciqa_assets.hopweaver.searching import Searching
from aimsciqa_assets.platform.steps import StepRun
from aimsciqa_assets.retrieval.diversity import Weights
from aimsciqa_assets.settings.hopweaver import HopWeaverSettings

RELEVANCE_ALONE = Weights(1, 0, 0)
"""Comparisons take what fits a query best: their queries differ, so that their results need not."""
COMPARES = (
    *("least_concreteness", "least_comparability", "comparison_top_k", "merging", "guided", "readings"),
    *("compared", "most_years", "kin", "in_common", "direction"),
)
"""The settings that only comparisons have."""


def comparisons(
    run: StepRun, documents: Mapping[str, Document], search: Searching
) -> list[Dialogue[Synthesis]]:
    """Dialogues, one from each drawn source of the batch; `documents` are those that may be found."""
    chosen = run.settings.hopweaver
    sources = sources_of_part(run, documents)
    likely: dict[str, int] = {}
    if chosen.draws == "likely" and 0 < chosen.documents_per_batch < len(sources):
        likely = dict.fromkeys(with_kin(documents[one] for one in documents), 1)
    drawn = drawn_sources(sources, "comparison", chosen.documents_per_batch, chosen.seed, likely)
    plain, rules = replace(search, weights=RELEVANCE_ALONE, pool=1), rules_of(chosen)
    return [compare(documents[source], plain, documents, rules) for source in drawn]


def rules_of(chosen: HopWeaverSettings) -> Rules:
    """How the settings say that comparisons are made."""
    return Rules(
        chosen.comparison_top_k,
        chosen.least_concreteness,
        chosen.least_comparability,
        chosen.merging,
        chosen.guided,
        chosen.readings,
        chosen.tries,
        chosen.compared == "ordered",
        chosen.most_years,
        chosen.kin == "first",
        chosen.in_common == "stated",
        chosen.direction == "drawn",
        chosen.seed,
    )
