"""An item becomes requests to a judge: one for each run."""

from collections.abc import Mapping
from typing import Any, Final

from aimsciqa_resources.language_model import ModelRequest

from aimsciqa_assets.asking.prompts import Prompt, load_prompt
from aimsciqa_assets.asking.repairing import repair_prompt, repair_request
from aimsciqa_assets.judging.dimensions import DIMENSIONS, words_of
from aimsciqa_assets.judging.replies import read_scores

PROMPT: Final = "quality_judge"

REPLY_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        dimension: {"type": "string", "enum": list(words_of(dimension))} for dimension in DIMENSIONS
    },
    "required": list(DIMENSIONS),
    "additionalProperties": False,
}
"""The form of a reply."""


def quality_prompt() -> Prompt:
    """The prompt that judges are shown; what they see of the papers stands in it."""
    return load_prompt(PROMPT)


def prompt_version() -> str:
    """Changes with any text that a judge is shown; belongs into every row."""
    return f"{quality_prompt().version}+{repair_prompt().version}"


def rating_request(
    key: str,
    run: int,
    *,
    question: str,
    answer: str,
    source_title: str,
    source_paragraph: str,
    target_title: str,
    target_paragraph: str,
) -> ModelRequest:
    """The request to rate an item, for the `run`th time; `key` comes back with the reply."""
    variables = {
        "question": question,
        "answer": answer,
        "source_title": source_title,
        "source_paragraph": source_paragraph,
        "target_title": target_title,
        "target_paragraph": target_paragraph,
    }
    return ModelRequest(
        PROMPT,
        key,
        variables,
        quality_prompt().messages(variables),
        reply_schema=REPLY_SCHEMA,
        recourse=_RECOURSE,
        run=run,
    )


class _RatingRecourse:
    """A reply that lacks a dimension goes back to the judge."""

    def repaired(self, request: ModelRequest, reply: str) -> ModelRequest | None:
        """The request that names what is missing; None when all dimensions are rated."""
        rated = read_scores(reply)
        missing = [dimension for dimension in DIMENSIONS if dimension not in rated]
        if not missing:
            return None
        return repair_request(request, reply, f"it gives no rating that can be read for {', '.join(missing)}")


_RECOURSE: Final = _RatingRecourse()
