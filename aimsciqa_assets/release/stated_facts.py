"""Whether the answers of a release follow from its facts: all that they compute is computed again."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
from aimsciqa_resources.warehouse import BoundedTables, QueryError
from pydantic import BaseModel, ConfigDict

from aimsciqa.measures.computing import ComputationError, Known, agrees, computed, sql_of
from aimsciqa.measures.facts import Fact, Sources
from aimsciqa.measures.numbers import has_numbers
from aimsciqa.release import COMPUTATIONS, STATED_FACTS, Release
from aimsciqa_assets.release.layout import Row


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    item_id: str
    position: int


class _Fact(_Row):
    paper_id: str
    statement: str
    value: float | None
    value_text: str
    unit: str
    low: float | None
    high: float | None
    paragraph_id: str
    evidence: str
    evidence_start: int
    evidence_end: int


class _Computation(_Row):
    expression: str
    result: str
    unit: str
    query: str | None


_R = TypeVar("_R", bound=_Row)
_TABLE: Final = pa.schema(
    [
        *(pa.field(name, pa.string()) for name in ("item_id", "paper_id", "paragraph_id", "evidence")),
        *(pa.field(name, pa.int32()) for name in ("position", "evidence_start", "evidence_end")),
        pa.field("value", pa.float64()),
    ]
)


@dataclass(frozen=True, slots=True)
class StatedFacts:
    """The facts and the computations of a release by item id, in their order."""

    facts: dict[str, list[_Fact]]
    computations: dict[str, list[_Computation]]

    @classmethod
    def of(cls, folder: Path) -> "StatedFacts":
        """Return those of a release folder; none if it has no such files. Raise `ValueError`."""
        return cls(_rows(folder / STATED_FACTS, _Fact), _rows(folder / COMPUTATIONS, _Computation))

    def write_table(self, parquet: Path) -> None:
        """Write the facts as the table `stated_facts`, on which the queries of computations run."""
        rows = [fact.model_dump() for of_item in self.facts.values() for fact in of_item]
        pq.write_table(pa.Table.from_pylist(rows, schema=_TABLE), parquet)

    def problems(self, release: Release, tables: BoundedTables) -> Iterator[str]:
        """Yield a line for each item with a fact, a computation or a number that does not fit the others."""
        items = {row["item_id"]: row for row in release.rows()}
        for item in sorted((self.facts.keys() | self.computations.keys()) - items.keys()):
            yield f"{STATED_FACTS} or {COMPUTATIONS} has an item that is not in the release: {item}"
        for item in sorted(self.facts.keys() & items.keys()):
            for problem in self._problems(items[item], tables):
                yield f"{item}: {problem}"

    def _problems(self, item: Row, tables: BoundedTables) -> Iterator[str]:
        facts, computations = self.facts[item["item_id"]], self.computations.get(item["item_id"], [])
        known = [Known(fact.value, fact.low, fact.high) for fact in facts]
        for number, fact in enumerate(facts, start=1):
            same = known[number - 1] == Known.of(fact.value_text, fact.evidence)
            if not same or not has_numbers(fact.evidence, fact.value_text):
                yield f"f{number} has other numbers than its quote"
        for computation in computations:
            yield from _disagreements(computation, known, tables)
        sources = Sources(
            item["question"],
            [Fact(fact.value_text, fact.unit, fact.evidence) for fact in facts],
            [computation.result for computation in computations],
        )
        # Reviewers may have edited the answer that the facts are of.
        answer = (item.get("original") or item)["answer"]
        for unknown in sources.support(answer, exact=True)[1]:
            stated = answer[unknown.start : unknown.end]
            yield f"the answer states {stated}, which no quote has and no computation gives"


def _disagreements(part: _Computation, known: list[Known], tables: BoundedTables) -> Iterator[str]:
    try:
        result = computed(part.expression, known)
    except ComputationError as error:
        yield f"{part.expression} cannot be computed: {error}"
        return
    if not agrees(result, part.result):
        yield f"{part.expression} gives {result}, and {COMPUTATIONS} has {part.result}"
    if part.query is None:
        return
    # Only a query that follows from the expression runs here: a release may come from anybody.
    if part.query != sql_of(part.expression, part.item_id):
        yield f"the query of {part.expression} is another one"
        return
    try:
        ((value,),) = tables.read(part.query, {})
    except (QueryError, ValueError) as error:
        yield f"the query of {part.expression} fails: {str(error).splitlines()[0]}"
        return
    if not agrees(value, part.result):
        yield f"the query of {part.expression} gives {value}, and {COMPUTATIONS} has {part.result}"


def _rows(path: Path, form: type[_R]) -> dict[str, list[_R]]:
    found: dict[str, list[_R]] = defaultdict(list)
    if path.exists():
        with path.open(encoding="utf-8") as file:
            for line in file:
                row = form.model_validate_json(line)
                found[row.item_id].append(row)
    for item, rows in found.items():
        if [row.position for row in rows] != list(range(1, len(rows) + 1)):
            raise ValueError(f"the rows of {item} are not in order")
    return dict(found)
