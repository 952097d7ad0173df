"""A candidate relation becomes a request to a language model (AIM-SciQA, section 4.4 and appendix A.2)."""

from html import escape
from typing import Final

from aimsciqa_resources.language_model.interface import ModelRequest

from aimsciqa_assets.prompts import Prompt, load_prompt

TASK: Final = "multi_hop"


def multi_hop_prompt() -> Prompt:
    """Prompt that multi-hop requests are rendered with; its `version` belongs into every row."""
    return load_prompt(TASK)


def multi_hop_request(
    key: str,
    *,
    source_title: str,
    source_section: str,
    source_question: str,
    source_answer: str,
    target_title: str,
    target_section: str,
    target_question: str,
    target_answer: str,
    retrieval_question: str,
    retrieval_answer: str,
) -> ModelRequest:
    """Ask for a composition of two core QAs; `replies.read_reply` reads what comes back with the same `key`.

    The variables hold the values as they are; in the messages they are escaped, because they stand in XML.
    """
    variables = {
        "source_title": source_title,
        "source_section": source_section,
        "source_question": source_question,
        "source_answer": source_answer,
        "target_title": target_title,
        "target_section": target_section,
        "target_question": target_question,
        "target_answer": target_answer,
        "retrieval_question": retrieval_question,
        "retrieval_answer": retrieval_answer,
    }
    escaped = {name: escape(value, quote=False) for name, value in variables.items()}
    return ModelRequest(TASK, key, variables, multi_hop_prompt().messages(escaped))
