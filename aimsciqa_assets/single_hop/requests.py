"""A paragraph becomes a request to a language model (AIM-SciQA, section 4.1 and appendix A.1)."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from aimsciqa_resources.language_model.interface import ModelRequest

from aimsciqa_assets.prompts import Prompt, load_prompt

TASK: Final = "single_hop"

REPLY_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "question": {"type": "string"},
            "evidence": {"type": "string"},
            "answer": {"type": "string"},
        },
        "required": ["question", "evidence", "answer"],
        "additionalProperties": False,
    },
}


def single_hop_prompt() -> Prompt:
    """The prompt that single-hop requests are rendered with; its `version` belongs into every row."""
    return load_prompt(TASK)


def single_hop_request(
    key: str,
    *,
    paper_title: str,
    section_title: str,
    subsection: str,
    keywords: Iterable[str],
    paragraph: str,
) -> ModelRequest:
    """The request for one paragraph; `key` comes back with the reply.

    Raises `PromptError` where the prompt file is missing or broken.
    """
    variables = {
        "paper_title": paper_title,
        "section_title": section_title,
        "subsection": subsection,
        "keywords": "; ".join(keywords),
        "paragraph": paragraph,
    }
    return ModelRequest(TASK, key, variables, single_hop_prompt().messages(variables), REPLY_SCHEMA)
