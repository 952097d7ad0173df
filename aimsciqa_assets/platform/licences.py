"""Which licences allow to pass on what was made from a text: the rule of `shared/licences.sql` in Python."""

import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from aimsciqa_resources.warehouse import tables_of_files

from aimsciqa_assets.platform.queries import query_of


@cache
def _known() -> Mapping[str, str | None]:
    with tempfile.TemporaryDirectory() as scratch, tables_of_files({}, {}, Path(scratch)) as tables:
        return dict(tables.read(query_of("shared.licences").text, {}))


def refusal(licence: str | None) -> str | None:
    """Why a licence, by its short name, does not allow it; None where it does."""
    return _known().get(licence or "", "licence_unknown")
