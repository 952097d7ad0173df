"""What calls cost, by a user's CSV file of prices per million tokens.

Columns: `model,input,cached_input,output`. If `cached_input` is empty, cached tokens cost as much as others.
"""

import csv
import io
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from aimsciqa.files import number_of, read_text
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
        table = csv.DictReader(io.StringIO(read_text(path), newline=""))
        missing = _COLUMNS - set(table.fieldnames or ())
        rows = [] if missing else [(row["model"], _price(row)) for row in table]
    except (OSError, ValueError, TypeError, csv.Error) as error:
        raise PriceTableError(f"The price table {path} cannot be read: {error}") from error
    if missing:
        raise PriceTableError(f"{path}: no column {', '.join(sorted(missing))}")
    models = Counter(model for model, _ in rows)
    if doubled := [model for model, times in models.items() if times > 1]:
        raise PriceTableError(f"{path} has two rows for {', '.join(doubled)}")
    return dict(rows)


def _price(row: Mapping[str, str]) -> Price:
    full = number_of(row["input"])
    price = Price(full, number_of(row["cached_input"] or full), number_of(row["output"]))
    if min(price.input, price.cached_input, price.output) < 0:
        raise ValueError(f"{row['model']} has a negative price")
    return price
