"""What a model is told of the turns before: its action and the observation, as messages of the dialogue."""

from collections.abc import Sequence
from typing import Final

from aimsciqa_resources.language_model import Image, Message

from aimsciqa_assets.airqa.actions import Call, Format, Style, write_action
from aimsciqa_assets.airqa.agent.turns import Turn

NO_IMAGE: Final = "[Warning]: The picture is not shown: this model takes no images."
_PNG: Final = "image/png"


def said(thought: str, call: Call, form: Format, style: Style) -> str:
    """The turn as the assistant's message: what the model made up behind its action is not in it."""
    action = write_action(call, form).strip()
    if form == "tools":
        return "\n".join(filter(None, [thought, action]))
    if style == "fenced":
        fenced = action if action.startswith("```") else f"```\n{action}\n```"
        return "\n\n".join(filter(None, [thought, fenced]))
    return f"[Thought]: {thought}\n[Action]:\n{action}"


def observed(text: str) -> str:
    """An observation as the text of a message."""
    return f"[Observation]:{_break(text)}{text}"


def history(turns: Sequence[Turn], window: int) -> tuple[Message, ...]:
    """The last turns as messages: the assistant's action, the user's observation."""
    told: list[Message] = []
    for turn in turns[-window:]:
        told.append(Message("assistant", turn.said or turn.reply))
        text = observed(turn.observation or "")
        told.append(Message("user", (text, Image(turn.image, _PNG)) if turn.image else text))
    return tuple(told)


def _break(text: str) -> str:
    return "\n" if "\n" in text else " "
