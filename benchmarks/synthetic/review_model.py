"""A model that finds and edits pairs in the threads of `review_threads`, from the text of a prompt."""

import json
import re
from collections.abc import Mapping
from typing import Any

from aimsciqa_resources.language_model import ModelRequest
from aimsciqa_resources.language_model.engine import Completion, Load
from aimsciqa_resources.language_model.interface import Usage

from tests.model_server.steps import text_of

_QUESTION = re.compile(r"Why is [^.?]*\?")
_SENTENCE = re.compile(r"[^.?]+\.")
_PAIR = re.compile(r"^=== Pair (\d+)\n\nQuestion: (.*)\nAnswer: (.*)$", re.MULTILINE)


def answer(body: Mapping[str, Any]) -> str:
    """The reply to a request of the OpenAI protocol: a pair for each question, all accepted."""
    shown = text_of(body["messages"][-1])
    if "=== Review\n" not in shown:
        return json.dumps({"edits": [_edit(*one) for one in _PAIR.findall(shown)]})
    review, *replies = shown.partition("=== Review\n")[2].split("\n=== Reply of the authors\n")
    said = _SENTENCE.findall(" ".join(replies))
    pairs = zip(_QUESTION.findall(review), said, strict=False)
    return json.dumps({"pairs": [_pair(question, told.strip()) for question, told in pairs]})


def _pair(question: str, told: str) -> dict[str, str]:
    return {"question": question, "question_quote": question, "answer": told, "answer_quote": told}


def _edit(number: str, question: str, told: str) -> dict[str, Any]:
    return {
        "pair": int(number),
        "relevance": "relevant",
        "why": "It asks about the content.",
        "question": question,
        "answer": told,
        "added": [],
        "version": "initial",
        "multi_document": False,
    }


class InstantEngine:
    """The same replies in this process, without a server: what is left is the time of everything else."""

    async def start(self) -> None:
        """Nothing is to be opened."""

    async def complete(self, request: ModelRequest) -> Completion:
        """The reply, as one of a hundred tokens."""
        messages = [{"role": one.role, "content": one.content} for one in request.messages]
        return Completion(answer({"messages": messages}), "stop", Usage(1000, 100))

    async def load(self) -> Load | None:
        """Nothing waits."""
        return None

    async def close(self) -> None:
        """Nothing is open."""

    def unload(self) -> None:
        """Nothing is loaded."""
