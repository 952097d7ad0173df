"""Dialogues without a model: a test gives the replies."""

from typing import TypeVar

from aimsciqa_resources.language_model import Dialogue, ModelReply, ModelRequest

T = TypeVar("T")


def held(dialogue: Dialogue[T], *replies: ModelReply | str) -> tuple[list[ModelRequest], T | None]:
    """What the dialogue asks when it gets these replies, and its result; None while it asks on."""
    asked = []
    try:
        asked.append(next(dialogue))
        for reply in replies:
            given = ModelReply(asked[-1].key, reply) if isinstance(reply, str) else reply
            asked.append(dialogue.send(given))
    except StopIteration as end:
        return asked, end.value
    return asked, None
