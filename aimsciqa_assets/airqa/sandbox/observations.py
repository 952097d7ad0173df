"""What an agent reads after its action Query: the rows, how many are shown and why no more, or what is wrong.

The words of the trailers, warnings and errors are AirQA's form, on which agents are trained; see
docs/airqa-sandbox.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from aimsciqa_resources.tokens import token_counts
from aimsciqa_resources.untrusted_sql.cells import left_out
from aimsciqa_resources.untrusted_sql.pool import LateStatementError, Limits, SqlPool, StatementError

FORMATS = ("markdown", "string", "html", "json")
LONGEST = 20_000
"""An observation with its mark has so many characters at most."""
_MARK = "[Observation]:"
_EMPTY = "[Warning]: The SQL execution result is empty, please check the SQL first."

CountTokens = Callable[[Sequence[str]], list[int]]


class UnknownFormatError(ValueError):
    """A format in which no rows can be shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    """How much of a result is shown, and how. The first row counts no tokens; its end may be cut off."""

    output_format: str = "json"
    max_rows: int = 10
    max_tokens: int = 5_000
    max_timeout: float = 600.0
    tablefmt: str = "pretty"
    index: bool = False


@dataclass(frozen=True, slots=True)
class Observation:
    """What an agent reads; `failed` says that the statement was wrong, late or refused."""

    text: str
    failed: bool = False

    def message(self) -> dict[str, str]:
        """The observation as a chat message."""
        break_ = "\n" if "\n" in self.text else " "
        return {"role": "user", "content": f"{_MARK}{break_}{self.text}"}


class Query:
    """The action Query on one store; threads may share it, each process runs one statement at a time.

    `count_tokens` says how many tokens each of some texts has: by default the packaged encoder's tokenizer.
    """

    def __init__(
        self,
        store: Path,
        *,
        shown: Shown | None = None,
        limits: Limits | None = None,
        processes: int | None = None,
        count_tokens: CountTokens = token_counts,
    ) -> None:
        self._pool = SqlPool(store, limits, processes)
        self._shown = shown or Shown()
        self._count_tokens = count_tokens

    def __enter__(self) -> "Query":
        return self

    def __exit__(self, *_exception: object) -> None:
        self._pool.close()

    def observe(self, sql: str, **shown: Any) -> Observation:
        """Run a statement. Keywords of `Shown` override its values for this time.

        Raises `UnfitWorkerError` when the store cannot be asked at all.
        """
        how = replace(self._shown, **shown)
        try:
            return Observation(self._text(sql, how))
        except LateStatementError:
            told = f"The SQL execution is TIMEOUT given maximum {how.max_timeout:g} seconds."
            return Observation(f"[TimeoutError]: {told}", failed=True)
        except (StatementError, UnknownFormatError) as error:
            told = f"Runtime error during SQL execution and output formatting: {error}"
            return Observation(f"[Error]: {told}", failed=True)

    def _text(self, sql: str, how: Shown) -> str:
        from aimsciqa_assets.airqa.sandbox.frames import rows_of

        if how.output_format not in FORMATS:
            raise UnknownFormatError(f"The output format must be one of {', '.join(FORMATS)}.")
        columns = self._pool.run(sql, how.max_rows + 1, how.max_timeout)
        if not columns or not columns[0]["values"]:
            return _EMPTY
        return text_of(rows_of(columns), [column["name"] for column in columns], how, self._count_tokens)


def text_of(
    rows: Sequence[Sequence[Any]], names: Sequence[str], how: Shown, count_tokens: CountTokens
) -> str:
    """Return as many of some rows as an agent may read, and why no more.

    There is at least one row. A text that is still too long ends with the number of characters left out.
    """
    from aimsciqa_assets.airqa.sandbox.frames import frame_of, with_json_dates, with_text_cells

    count, reason = _fitting(rows, names, how, count_tokens)
    frame = frame_of(rows[:count], names)
    written = how.output_format.upper()
    if how.output_format == "markdown":
        body = with_text_cells(frame).to_markdown(tablefmt=how.tablefmt, index=how.index)
    elif how.output_format == "string":
        body = frame.to_string(index=how.index)
    elif how.output_format == "html":
        body = frame.to_html(index=how.index)
    else:
        body = with_json_dates(with_text_cells(frame)).to_json(orient="records", lines=True)
    trailer = f"\nIn total, {count} rows are displayed in {written} format."
    if reason:
        trailer = (
            f"\n... # only display {count} rows in {written} format, "
            f"more are truncated due to length constraint {reason}"
        )
    return _cut(body, LONGEST - len(_MARK) - 1 - len(trailer)) + trailer


def _cut(body: str, longest: int) -> str:
    if len(body) <= longest:
        return body
    kept = body[: longest - len(left_out(len(body)))]
    return kept + left_out(len(body) - len(kept))


def _fitting(
    rows: Sequence[Sequence[Any]], names: Sequence[str], how: Shown, count_tokens: CountTokens
) -> tuple[int, str]:
    """How many rows are shown, and why no more; no reason when all of them are."""
    texts = ["\n".join(f"{name}: {value}" for name, value in zip(names, row, strict=True)) for row in rows]
    used = 0
    for place, tokens in enumerate(count_tokens(texts)):
        if place >= how.max_rows:
            return place, f"based on max_rows ({how.max_rows})"
        if place and used + tokens > how.max_tokens:
            return place, f"based on max_tokens ({how.max_tokens})"
        used += tokens
    return len(rows), ""
