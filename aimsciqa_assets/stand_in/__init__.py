"""A rule-based stand-in for a language model, without weights and without network: the embedded default.

It copies sentences and turns them into questions; it is a baseline and its rows are marked as such.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path

from aimsciqa_resources.language_model.interface import ModelRefusedError, ModelReply, ModelRequest

from aimsciqa_assets.stand_in import answering, multi_hop, single_hop, whole_papers
from aimsciqa_assets.text import sentences

__all__ = ["StandInModel"]


class StandInModel:
    """A `LanguageModel` that answers the tasks of `_COMPOSE` by rules."""

    @property
    def name(self) -> str:
        """Always "extractive"."""
        return "extractive"

    @property
    def revision(self) -> str:
        """A hash of the rules themselves: any change of them makes earlier replies stale."""
        return _source_hash()

    @property
    def sampling(self) -> str:
        """Nothing is drawn."""
        return ""

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        """One reply per request, in the order of the requests; a failure stays with its request.

        Raises `ModelRefusedError` for a task that has no rules.
        """
        for request in requests:
            if request.task not in _COMPOSE:
                raise ModelRefusedError(
                    f"There are no rules for the task {request.task}: it needs a model, with "
                    "AIMSCIQA_MODEL_BACKEND=server or vllm, or recorded replies, with "
                    "AIMSCIQA_MODEL_BACKEND=recorded (aimsciqa record)."
                )
            try:
                yield ModelReply(request.key, _COMPOSE[request.task](request.variables))
            except Exception as error:
                yield ModelReply(request.key, None, failure=f"{type(error).__name__}: {error}")


_COMPOSE: dict[str, Callable[..., str]] = {
    "single_hop": single_hop.compose,
    "single_hop_selective": single_hop.compose,
    "multi_hop": multi_hop.compose,
    "multi_hop_choice": multi_hop.choose,
    "answering": answering.compose,
    "citation_marker": answering.choose_marker,
    "answer_selection": answering.choose_answer,
    "airqa_answer": whole_papers.compose,
}


@cache
def _source_hash() -> str:
    digest = blake2b(digest_size=6)
    rules = sorted(path for path in Path(__file__).parent.rglob("*") if path.suffix in {".py", ".toml"})
    for path in (*rules, Path(sentences.__file__)):
        digest.update(path.read_bytes())
    return digest.hexdigest()
