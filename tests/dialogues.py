"""Dialogues without a model: a test gives the replies."""

from typing import Any, TypeVar

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


def asked_about(question: str, *, pair: bool = True, **texts: str) -> dict[str, Any]:
    """The variables of the answering prompt, from the texts of papers by name; an empty text is not shown."""
    papers = [{"name": name, "text": text} for name, text in texts.items() if text]
    return {"question": question, "pair": pair, "papers": papers}
