"""What calls cost, by a user's CSV file of prices per million tokens.

Columns: `model,input,cached_input,output`. If `cached_input` is empty, cached tokens cost as much as others.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from aimsciqa_resources.language_model.interface import Usage

_COLUMNS = {"model", "input", "cached_input", "output"}


class PriceTableError(ValueError):
    """A price table that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Price:
    """Prices of a model per million tokens, in the currency of the table."""

    input: float
    cached_input: float
    output: float

    def of(self, usage: Usage) -> float:
        """The price of a call."""
        fresh = usage.prompt - usage.cached
        return (fresh * self.input + usage.cached * self.cached_input + usage.reply * self.output) / 1e6


def read_prices(path: Path) -> Mapping[str, Price]:
    """Prices by model. Raises `PriceTableError`."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = csv.DictReader(file)
            missing = _COLUMNS - set(rows.fieldnames or ())
            if missing:
                raise PriceTableError(f"{path}: no column {', '.join(sorted(missing))}")
            return {row["model"]: _price(row) for row in rows}
    except (OSError, ValueError, TypeError) as error:
        if isinstance(error, PriceTableError):
            raise
        raise PriceTableError(f"The price table {path} cannot be read: {error}") from error


def _price(row: Mapping[str, str]) -> Price:
    full = float(row["input"])
    return Price(full, float(row["cached_input"] or full), float(row["output"]))
