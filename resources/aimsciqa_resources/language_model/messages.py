"""Messages in the forms of servers and of fingerprints."""

from base64 import b64encode
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from aimsciqa_resources.language_model.interface import Image, Message


def openai_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The messages of a chat in the form of OpenAI's API, images as data URLs; vLLM reads the same."""
    return [
        {
            "role": message.role,
            "content": message.content
            if isinstance(message.content, str)
            else [_openai_part(part) for part in message.content],
        }
        for message in messages
    ]


def determinants_of(messages: Sequence[Message]) -> list[Any]:
    """What in the messages determines a reply, as JSON; an image is represented by the hash of its bytes."""
    return [
        (
            message.role,
            message.content
            if isinstance(message.content, str)
            else [_determinant(part) for part in message.content],
        )
        for message in messages
    ]


def _openai_part(part: str | Image) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    url = f"data:{part.media_type};base64,{b64encode(part.data).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}


def _determinant(part: str | Image) -> list[str]:
    if isinstance(part, str):
        return ["text", part]
    return ["image", part.media_type, blake2b(part.data, digest_size=16).hexdigest()]
