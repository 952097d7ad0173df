"""The patterns of statements, from `patterns.toml`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from aimsciqa_assets.stand_in import guards
from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.guards import Guard

ANY: Final = "{rest}"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One row of the table.

    `voices` are those of `Clause.voice`; `auxiliary`, `verb`, `subject` and `rest` are patterns of `matching`
    for the words of the clause. The question is a template over the slots of the patterns and the parts of
    the clause (see `asking`), `asks` the slot that it asks for. `where` names functions of `guards`, with
    what they are given, or tables of refusals. `named` says whether the subject must say what it is: neither
    "the results" nor "several genes".
    """

    kind: str
    score: int
    voices: str
    question: str
    asks: str
    auxiliary: str = ANY
    verb: str = ANY
    subject: str = ANY
    rest: str = ANY
    where: tuple[Guard, ...] = ()
    named: bool = True


def _guard(text: str) -> Guard:
    name, *given = text.split()
    found: Callable[..., Any] = getattr(guards, name, None) or guards.refuses(name)
    return found(*given) if given else found


def _pattern(row: dict[str, Any]) -> Pattern:
    return Pattern(**{**row, "where": tuple(map(_guard, row.get("where", ())))})


PATTERNS: Final = tuple(map(_pattern, lex.PATTERNS["patterns"]))
