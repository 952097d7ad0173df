"""The baseline text2sql: the model writes one statement, sees its result, and answers."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from aimsciqa_resources.language_model import Dialogue

from aimsciqa_assets.airqa.actions import Call
from aimsciqa_assets.airqa.agent.carrying_out import Keeping
from aimsciqa_assets.airqa.agent.questions import Question
from aimsciqa_assets.airqa.agent.turns import UNPARSABLE, Answered, Turn, spent
from aimsciqa_assets.airqa.baselines.reading import answer_by, heard, opened_by, read_answer
from aimsciqa_assets.airqa.store.schema import schema_sql
from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.asking.task import Task

_BLOCK: Final = re.compile(r"```[ \t]*(?:sql|duckdb)?[ \t]*\r?\n(.*?)```", re.DOTALL | re.IGNORECASE)
_STATEMENT: Final = re.compile(r"\s*(?:select|with|from|explain|describe|show)\b", re.IGNORECASE)
_NO_STATEMENT: Final = "it has no SQL statement in a block between triple backticks"


def read_statement(text: str) -> str | Fault[str]:
    """The statement in the last fenced block of a reply; the whole reply where it is nothing else."""
    blocks = _BLOCK.findall(text)
    statement = blocks[-1].strip() if blocks else text.strip() if _STATEMENT.match(text) else ""
    return statement or Fault(UNPARSABLE, _NO_STATEMENT)


def _with_schema(variables: Mapping[str, Any]) -> dict[str, Any]:
    return {**variables, "schema": schema_sql()}


STATEMENT: Final = Task[str]("airqa_sql", None, read_statement, shown=_with_schema)
SQL_ANSWER: Final = Task[tuple[Any]]("airqa_sql_answer", None, read_answer)


def text2sql(
    key: str, question: Question, environment: Keeping, repeat: int, tokens: int
) -> Dialogue[Answered]:
    """One statement, and the answer from its result. A reply without a statement gives an error as result."""
    request = replace(STATEMENT.request(key, run=repeat, **question.for_agents), acts=True)
    opened = opened_by(request, question, repeat)
    replies, outcome = yield from heard(STATEMENT, request)
    turns = [Turn(number, reply.text or "", **spent(reply)) for number, reply in enumerate(replies, 1)]
    if outcome.text is None:
        return replace(opened, turns=tuple(turns), failure=outcome.failure or outcome.reason)
    if len(turns) > 1:
        turns[0] = replace(turns[0], error=UNPARSABLE)
    turns[-1], sql = _run(turns[-1], outcome.read, question, environment)
    told = {"sql": sql, "result": turns[-1].observation}
    answering = SQL_ANSWER.request(key, run=repeat, **question.told, **told)
    return (yield from answer_by(SQL_ANSWER, answering, replace(opened, turns=tuple(turns)), tokens))


def _run(
    turn: Turn, statement: str | Fault[str], question: Question, environment: Keeping
) -> tuple[Turn, str]:
    """The turn with what the statement gave, and the statement."""
    if isinstance(statement, Fault):
        told = "[Error]: There was no statement in the reply."
        return replace(turn, observation=told, error=UNPARSABLE), ""
    call = Call("Query", {"sql": statement})
    carried = environment.carry_out(call, question.anchors)
    made = carried.observation
    seconds = turn.seconds + carried.seconds
    return replace(turn, call=call, observation=made.text, error=made.error, seconds=seconds), statement
