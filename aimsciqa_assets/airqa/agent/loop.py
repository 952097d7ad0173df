"""The agent as a dialogue (AirQA, section 4): a thought, an action, an observation, until it answers.

A reply without a usable action is told what is wrong with it, which takes a turn as well. When the turns run
out, the last observation is the answer.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from aimsciqa_resources.language_model import Dialogue, ModelReply, ModelRequest

from aimsciqa_assets.airqa.actions import (
    ActionError,
    Format,
    Style,
    describe,
    read_action,
    tool_specifications,
)
from aimsciqa_assets.airqa.agent.carrying_out import Keeping
from aimsciqa_assets.airqa.agent.questions import Question
from aimsciqa_assets.airqa.agent.telling import NO_IMAGE, history, said
from aimsciqa_assets.airqa.agent.turns import Answered, Turn, cut, spent
from aimsciqa_assets.airqa.store.schema import TABLES, schema_sql
from aimsciqa_assets.asking.task import Task

ANSWER: Final = "Answer"
_QUERY: Final = "Query"
_RETRIEVE: Final = "Retrieve"
_EMPTY: Final = ("empty_reply", "length_limit")
"""Failures that are the model's own doing: it is told of them, and goes on."""
_TOLD_OF_EMPTY: Final = {
    "empty_reply": "[Error]: The reply was empty. Give a thought and one action.",
    "length_limit": "[Error]: The reply ended before its action. Think less, and give one action.",
}
_APART: Final = 1000
"""More than there are repeats: what is asked again within a dialogue counts on from here."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What an agent may do, how it writes that, and how much of it; see the settings of `airqa`."""

    actions: tuple[str, ...]
    form: Format = "markdown"
    style: Style = "react"
    turns: int = 20
    window: int = 5
    answer_tokens: int = 30_000
    images: bool = True


def _shown(variables: Mapping[str, Any]) -> dict[str, Any]:
    """What the system message says of actions and tables: it is made of code, and no part of a recording."""
    described = describe(variables["actions"], variables["form"])
    schema = schema_sql() if _QUERY in variables["actions"] else ""
    searched = searched_columns() if _RETRIEVE in variables["actions"] else ""
    return {**variables, "described": described, "schema": schema, "searched": searched}


def searched_columns() -> str:
    """The columns that Retrieve searches, those of a table on a line."""
    texts = {
        one.name: [column.name for column in one.columns if column.encodable == "text"] for one in TABLES
    }
    return "\n".join(f"- {table}: {', '.join(columns)}" for table, columns in texts.items() if columns)


AGENT: Final = Task[str]("airqa_agent", None, lambda text: text, shown=_shown)


def agent(
    key: str, question: Question, environment: Keeping, rules: Rules, repeat: int = 1
) -> Dialogue[Answered]:
    """Let the model act until it answers."""
    opening = _opening(key, question, rules)
    system, task = (message.text for message in opening.messages)
    came_to = Answered(question.example_id, repeat, "failed", None, (), system, task)
    turns: list[Turn] = []
    asked: Counter[tuple[str, ...]] = Counter()
    for number in range(1, rules.turns + 1):
        request = _in_turn(opening, turns, rules, repeat, asked)
        reply = yield request
        if reply.text is None and reply.failure not in _EMPTY:
            return replace(came_to, turns=tuple(turns), failure=reply.failure or "empty_reply")
        turn = _taken(number, reply, question, environment, rules)
        turns.append(turn)
        if turn.call and turn.call.action == ANSWER:
            answer, was_cut = cut(turn.call.arguments["answer"], rules.answer_tokens)
            ended = replace(came_to, status="answered", answer=answer, was_cut=was_cut)
            return replace(ended, turns=tuple(turns))
        _forget_images(turns, rules.window)
    answer, was_cut = cut(turns[-1].observation or "", rules.answer_tokens)
    ended = replace(came_to, status="out_of_turns", answer=answer, was_cut=was_cut)
    return replace(ended, turns=tuple(turns))


def _opening(key: str, question: Question, rules: Rules) -> ModelRequest:
    request = AGENT.request(
        key,
        **question.for_agents,
        actions=list(rules.actions),
        form=rules.form,
        style=rules.style,
        turns=rules.turns,
    )
    tools = tuple(tool_specifications(rules.actions)) if rules.form == "tools" else ()
    return replace(request, tools=tools, acts=True)


def _in_turn(
    opening: ModelRequest, turns: Sequence[Turn], rules: Rules, repeat: int, asked: Counter[tuple[str, ...]]
) -> ModelRequest:
    """The request of a turn.

    An agent that repeats itself is shown the same again once its window is full of that; still each turn has
    a reply of its own.
    """
    told = history(turns, rules.window)
    shown = tuple(message.text for message in told if message.role == "assistant")
    run = repeat + _APART * asked[shown]
    asked[shown] += 1
    return replace(opening, messages=(*opening.messages, *told), run=run)


def _taken(number: int, reply: ModelReply, question: Question, environment: Keeping, rules: Rules) -> Turn:
    """The turn that a reply makes: its action is carried out, unless it is the answer."""
    turn = Turn(number, reply.text or "", **spent(reply))
    if reply.text is None:
        failure = reply.failure or "empty_reply"
        return replace(turn, said="(no reply)", observation=_TOLD_OF_EMPTY[failure], error=failure)
    try:
        thought, call = read_action(reply.text, rules.actions, rules.form, rules.style)
    except ActionError as error:
        return replace(turn, observation=f"[Error]: {error}", error=error.kind)
    turn = replace(
        turn, thought=thought or None, call=call, said=said(thought, call, rules.form, rules.style)
    )
    if call.action == ANSWER:
        return turn
    carried = environment.carry_out(call, question.anchors)
    made = carried.observation
    text, image = made.text, made.image
    if image and not rules.images:
        text, image = f"{text}\n{NO_IMAGE}", None
    seconds = turn.seconds + carried.seconds
    return replace(turn, observation=text, error=made.error, image=image, seconds=seconds)


def _forget_images(turns: list[Turn], window: int) -> None:
    """Keep no picture that no later turn shows: there may be thousands of dialogues."""
    if len(turns) > window and turns[-window - 1].image:
        turns[-window - 1] = replace(turns[-window - 1], image=b"")
