"""What all sections of the settings have in common."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import dagster as dg
from pydantic import ConfigDict

_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")


class Section(dg.Config):
    """A section of the settings, as the launchpad shows it; infinite numbers and NaN are refused."""

    model_config = ConfigDict(allow_inf_nan=False)

    def determining(self, setting: str) -> Any:
        """Of a setting what rows depend on and a release may tell."""
        return getattr(self, setting)


def readable_by(read: Callable[[str], object]) -> Callable[[str], str]:
    """A validator that leaves a text as it is, and raises what `read` raises."""

    def checked(value: str) -> str:
        read(value)
        return value

    return checked


def refuse_bad_address(value: str) -> None:
    """Raise `ValueError` for an invalid address, or one that holds a secret; an empty one is accepted."""
    if not value:
        return
    try:
        parts = urlsplit(value)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise ValueError("must be an address like http://localhost:8000/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("must hold no password or key; put it into an environment variable")


def refuse_bad_variable(value: str) -> None:
    """Raise `ValueError` for what is no name of an environment variable.

    The value is not repeated: somebody may have put the key itself there.
    """
    if not _VARIABLE.fullmatch(value):
        raise ValueError("must be the name of an environment variable (OPENAI_API_KEY), never the key")
