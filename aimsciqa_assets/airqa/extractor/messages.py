"""Samples as rows of training files: ShareGPT for LLaMA-Factory, OpenAI's tool calls for TRL.

ShareGPT has the very messages that the agent is sent, so that a model is trained on what it sees later. Tool
calls are the same turns in the structure that chat templates render, for other harnesses.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from aimsciqa_assets.airqa.actions import tool_specifications
from aimsciqa_assets.airqa.agent.telling import observed
from aimsciqa_assets.airqa.extractor.trajectories import ACTOR_ACTIONS, VIEW, ActorTurn
from aimsciqa_assets.airqa.extractor.windows import Sample

Row = dict[str, Any]

IMAGE: Final = "<image>"
"""Where LLaMA-Factory puts a picture; a text that holds it by chance would ask for one more."""
_NO_IMAGE: Final = "< image>"


def sharegpt_row(sample: Sample, *, views: bool = False) -> Row:
    """A sample in LLaMA-Factory's form: `human` and `gpt` in turn, the system message, and tools.

    `tools` is a JSON text, empty where the agent writes its actions as text. With `views` there are pictures.
    """
    trajectory = sample.trajectory
    told = [("human", _plain(trajectory.task))]
    for turn in sample.turns[:-1]:
        told.append(("gpt", _plain(turn.said)))
        told.append(("human", f"{IMAGE * bool(turn.shows)}{_plain(_observed(turn))}"))
    told.append(("gpt", _plain(sample.last.said)))
    return {
        "id": sample.sample_id,
        "kind": trajectory.kind,
        "conversations": [{"from": role, "value": text} for role, text in told],
        "system": trajectory.system,
        "tools": _tools(views=views) if trajectory.form == "tools" else "",
        **_pictures(sample, views=views),
    }


def tool_call_row(sample: Sample, *, views: bool = False) -> Row:
    """A sample as OpenAI's messages: `prompt` and `completion`, of which TRL takes the loss on the latter.

    A sample that learns all its turns has `messages` instead. `tools` is a JSON text, as TRL reads it.
    """
    trajectory = sample.trajectory
    opening = [
        {"role": "system", "content": trajectory.system},
        {"role": "user", "content": trajectory.task},
    ]
    history = [message for turn in sample.turns[:-1] for message in _exchange(turn)]
    last = next(_exchange(sample.last))
    if sample.learns_all:
        dialogue: Row = {"messages": [*opening, *history, last]}
    else:
        dialogue = {"prompt": [*opening, *history], "completion": [last]}
    return {
        "id": sample.sample_id,
        "kind": trajectory.kind,
        **dialogue,
        "tools": _tools(views=views),
        **_pictures(sample, views=views),
    }


def _exchange(turn: ActorTurn) -> Iterator[Row]:
    """What the actor said, and what it was told; an action that could not be read is a plain message."""
    if turn.action is None:
        yield {"role": "assistant", "content": turn.said}
        yield {"role": "user", "content": _with_picture(_observed(turn), turn)}
        return
    call = {"name": turn.action, "arguments": dict(turn.arguments)}
    call_id = f"call_{turn.number}"
    yield {
        "role": "assistant",
        "content": turn.thought,
        "tool_calls": [{"id": call_id, "type": "function", "function": call}],
    }
    told = _with_picture(turn.observation or "", turn)
    yield {"role": "tool", "tool_call_id": call_id, "name": turn.action, "content": told}


def _with_picture(text: str, turn: ActorTurn) -> str | list[Row]:
    return [{"type": "image"}, {"type": "text", "text": text}] if turn.shows else text


def _observed(turn: ActorTurn) -> str:
    return observed(turn.observation or "")


def _pictures(sample: Sample, *, views: bool) -> Row:
    """The files of the pictures before the last turn, in their order; no column without `views`."""
    return {"images": [turn.shows for turn in sample.turns[:-1] if turn.shows]} if views else {}


def _tools(*, views: bool) -> str:
    actions = [name for name in ACTOR_ACTIONS if views or name != VIEW]
    return json.dumps(tool_specifications(actions), ensure_ascii=False)


def _plain(text: str) -> str:
    return text.replace(IMAGE, _NO_IMAGE)
