"""A paragraph becomes a request to a language model (AIM-SciQA, section 4.1 and appendix A.1)."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from aimsciqa_resources.language_model import ModelRequest

from aimsciqa_assets.aim_sciqa.single_hop.replies import parse_triplets
from aimsciqa_assets.asking.prompts import Prompt, load_prompt
from aimsciqa_assets.asking.repairing import repair_prompt, repair_request
from aimsciqa_assets.text.sentences import sentence_spans

TASK: Final = "single_hop"

REPLY_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "pairs": {
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
    },
    "required": ["pairs"],
    "additionalProperties": False,
}
"""The form of a reply. Its root is an object, because providers take no other."""

_FAULTS: Final = {
    "empty_reply": "it is empty",
    "malformed_reply": "it is not the JSON object with the list of pairs",
}


def single_hop_prompt() -> Prompt:
    """The prompt that single-hop requests are rendered with."""
    return load_prompt(TASK)


def prompt_version() -> str:
    """Changes with any text that a model is shown; belongs into every row."""
    return f"{single_hop_prompt().version}+{repair_prompt().version}"


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
    return ModelRequest(
        TASK,
        key,
        variables,
        single_hop_prompt().messages(variables),
        reply_schema=REPLY_SCHEMA,
        recourse=_RECOURSE,
        division=_DIVISION,
    )


class _SingleHopRecourse:
    """A malformed reply goes back to the model."""

    def repaired(self, request: ModelRequest, reply: str) -> ModelRequest | None:
        """The request that complains about the reply; None when triplets, or none, can be read from it."""
        failure = parse_triplets(reply).failure
        return None if failure is None else repair_request(request, reply, _FAULTS[failure])


class _SingleHopDivision:
    """A paragraph that is too long is asked about in two halves."""

    def halves(self, request: ModelRequest) -> tuple[ModelRequest, ModelRequest] | None:
        """The request for the sentences before and behind the middle; None for a single sentence.

        Evidence is a piece of one sentence as a rule; its offsets are found in the whole paragraph.
        """
        paragraph = request.variables["paragraph"]
        starts = [start for start, _ in sentence_spans(paragraph)[1:]]
        if not starts:
            return None
        middle = min(starts, key=lambda start: abs(start - len(paragraph) / 2))
        first, second = (
            {**request.variables, "paragraph": part.strip()}
            for part in (paragraph[:middle], paragraph[middle:])
        )
        return (
            replace(request, variables=first, messages=single_hop_prompt().messages(first)),
            replace(request, variables=second, messages=single_hop_prompt().messages(second)),
        )

    def joined(self, replies: Sequence[str]) -> str:
        """All triplets of the replies in one."""
        pairs = [asdict(triplet) for reply in replies for triplet in parse_triplets(reply).triplets]
        return json.dumps({"pairs": pairs}, ensure_ascii=False)


_RECOURSE: Final = _SingleHopRecourse()
_DIVISION: Final = _SingleHopDivision()
