"""Which licences allow to pass on what was made from a text: the rule of `shared/licences.sql` in Python."""

from collections.abc import Mapping
from functools import cache

import duckdb

from aimsciqa_assets.platform.queries import query_of


@cache
def _known() -> Mapping[str, str | None]:
    with duckdb.connect() as connection:
        return dict(connection.sql(query_of("shared.licences").statement).fetchall())


def refusal(licence: str | None) -> str | None:
    """Why a licence, by its short name, does not allow it; None where it does."""
    return _known().get(licence or "", "licence_unknown")
