"""A model of fixed rules: it lets a pipeline run without a language model, for tests and for a first try.

Its replies have the right form and quote exactly. Its questions are not worth reading.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from hashlib import blake2b
from html import escape
from pathlib import Path
from typing import Any, Final

from aimsciqa_resources.language_model.interface import ModelRefusedError, ModelReply, ModelRequest

from aimsciqa_assets.benchmark.answering import extractive
from aimsciqa_assets.text.sentences import sentence_spans

Told = Mapping[str, Any]


class ScriptedModel:
    """A `LanguageModel` that replies to the tasks of `REPLIES`, each by its rule."""

    @property
    def name(self) -> str:
        """Return "scripted"."""
        return "scripted"

    @property
    def revision(self) -> str:
        """Return a hash of the rules: any change of them makes earlier replies stale."""
        return _hash_of_rules()

    @property
    def sampling(self) -> str:
        """Return nothing: no reply is drawn."""
        return ""

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        """Yield a reply to each request, in their order; raise `ModelRefusedError` for any other task."""
        for request in requests:
            if request.task not in REPLIES:
                raise ModelRefusedError(
                    f"The scripted model has no rule for the task {request.task}: it needs a model, with "
                    "AIMSCIQA_MODEL_BACKEND=server or vllm, or recorded replies, with "
                    "AIMSCIQA_MODEL_BACKEND=recorded (aimsciqa record)."
                )
            yield ModelReply(request.key, REPLIES[request.task](request.variables))


@cache
def _hash_of_rules() -> str:
    files = (Path(__file__), Path(extractive.__file__))
    return blake2b(b"".join(file.read_bytes() for file in files), digest_size=6).hexdigest()


def _single_hop(told: Told) -> str:
    """Return a pair for the first sentence with a number, which is evidence and answer."""
    text = told["paragraph"]
    sentences = (text[start:end] for start, end in sentence_spans(text))
    sentence = next((sentence for sentence in sentences if re.search(r"\d", sentence)), None)
    if sentence is None:
        return json.dumps({"pairs": []})
    question = f"What is said of {' '.join(sentence.split()[:4])}?"
    pair = {"question": question, "evidence": sentence, "answer": sentence}
    return json.dumps({"pairs": [pair]}, ensure_ascii=False)


def _multi_hop(told: Told) -> str:
    """Return a composition that joins the two core answers."""
    both = f"{told['source_answer']} {told['target_answer']}"
    components = (
        (
            "Find Target Paper",
            f"Which paper answers: {told['retrieval_question']}",
            f"Identified target paper: '{told['target_title']}'.",
        ),
        ("Generate Inter-document QA", f"How do they differ: {told['source_question']}", both),
        (
            "Merge Complete QA",
            f"How do they differ: {told['source_question']} {told['target_question']}",
            both,
        ),
    )
    written = "".join(
        f'<component type="{kind}"><question>{escape(question, quote=False)}</question>'
        f"<answer>{escape(answer, quote=False)}</answer></component>"
        for kind, question, answer in components
    )
    scores = "".join(_score(criterion, "Accept") for criterion in _CRITERIA)
    return f'<outputs>{written}<component type="QA Validation">{scores}</component></outputs>'


_CRITERIA: Final = (
    "Fluency",
    "Completeness",
    "Cross-reference Necessity",
    "Relational Appropriateness",
    "Decision",
)


def _score(criterion: str, value: str) -> str:
    return f'<score type="{criterion}">{value}</score>'


REPLIES: Final[Mapping[str, Callable[[Told], str]]] = {
    "single_hop": _single_hop,
    "multi_hop": _multi_hop,
    "answering": extractive.answer_from_papers,
    "airqa_answer": extractive.answer_from_passages,
    "citation_marker": extractive.cited_marker,
    "answer_selection": extractive.selected_answer,
}
"""The rule of each task: the text of a reply from the variables of the prompt."""
