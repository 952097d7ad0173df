"""Requests to a served model in tests, and what came of them."""

from aimsciqa_resources.language_model import Message, ModelRequest


def ask(key: str, text: str = "", **more) -> ModelRequest:
    return ModelRequest(
        "test", key, {}, (Message("system", "Be brief."), Message("user", text or key)), **more
    )


def asks(count: int) -> list[ModelRequest]:
    return [ask(f"question {number}") for number in range(count)]


def outcomes(replies) -> dict[str, str]:
    return {reply.key: reply.text if reply.failure is None else reply.failure for reply in replies}
