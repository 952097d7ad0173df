"""A reply that cannot be read goes back to the model once, with what is wrong with it."""

from dataclasses import replace

from aimsciqa_resources.language_model import Message, ModelRequest

from aimsciqa_assets.asking.prompts import Prompt, load_prompt


def repair_prompt() -> Prompt:
    """The prompt of repair requests; its version counts as part of every prompt that is repaired with it."""
    return load_prompt("repair")


def repair_request(request: ModelRequest, reply: str, fault: str) -> ModelRequest:
    """The request with the reply and the complaint about it as further messages.

    `fault` completes the sentence "That reply cannot be used: ...".
    """
    complaint = repair_prompt().messages({"fault": fault})
    return replace(
        request, messages=(*request.messages, Message("assistant", reply), *complaint), recourse=None
    )
