"""The stages of the method as groups of the web UI, which sorts groups by name: hence the numbers."""

import os
import re
from collections.abc import Mapping

from aimsciqa_resources.variables import SettingsError

_OWNER = re.compile(r"team:.+|[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,7}")

GROUPS = {
    "corpus": "1_corpus",
    "single_hop": "2_single_hop",
    "citation_guided": "3_citation_guided",
    "relations": "4_relations",
    "multi_hop": "5_multi_hop",
    "benchmark": "6_benchmark",
    "release": "7_release",
    "ops": "9_ops",
}
"""The group of each schema, in the order of the method; what is about the pipeline itself stands last."""

ON_REQUEST = frozenset({"benchmark", "release"})
"""Stages that people start, and `aimsciqa run`; the nightly chain ends with the items."""


def owners(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Whom the web UI names as owners: `AIMSCIQA_OWNERS`, e-mail addresses or `team:name`, by comma.

    Raises `SettingsError` for what Dagster would not take.
    """
    named = environment.get("AIMSCIQA_OWNERS") or "team:aimsciqa"
    found = [owner.strip() for owner in named.split(",") if owner.strip()]
    for owner in found:
        if not _OWNER.fullmatch(owner):
            raise SettingsError(
                f"AIMSCIQA_OWNERS: {owner!r} is no owner: write e-mail addresses or team:NAME, with commas "
                "between them."
            )
    return found
