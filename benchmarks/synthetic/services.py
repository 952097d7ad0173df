"""A language model and an encoder for made-up papers: they answer at once, from what the text says."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b

import numpy as np
import numpy.typing as npt
from aimsciqa_resources.language_model import ModelReply, ModelRequest

from benchmarks.synthetic.vectors import VectorSpace

_TRIPLETS = 2
_COHORT = re.compile(r"T(\d{3})-(\d{2})")
_SENTENCE = re.compile(
    r"In cohort (T\S+) the mean (.+?) (?:rose|fell|hardly|varied|doubled|was)[^.]*\.\d[^.]*\."
)
_SCORES = ("Fluency", "Completeness", "Cross-reference Necessity", "Relational Appropriateness", "Decision")


class MadeUpModel:
    """Two triplets for each paragraph, a composition for each relation but every twentieth, and an answer."""

    name = "made-up"
    revision = "1"
    sampling = ""

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        """One reply per request, in their order."""
        for request in requests:
            yield ModelReply(request.key, _WRITERS[request.task](request))


def _triplets(request: ModelRequest) -> str:
    found = list(_SENTENCE.finditer(request.variables["paragraph"]))[:_TRIPLETS]
    return json.dumps(
        [
            {
                "question": f"How did the mean {sentence[2]} of cohort {sentence[1]} develop in this study?",
                "evidence": sentence[0],
                "answer": f"It is reported as follows for the participants: {sentence[0]}",
            }
            for sentence in found
        ]
    )


def _composition(request: ModelRequest) -> str:
    if int(request.key[:4], 16) % 20 == 0:
        return "Cannot generate inter-document multi-hop question."
    value = request.variables
    which = f"Which paper tells {value['retrieval_question'].rstrip('?').lower()}?"
    between = f"{value['source_question']} And beside that: {value['target_question']}"
    answer = f"{value['source_answer']} The other paper says: {value['target_answer']}"
    pairs = (
        ("Find Target Paper", which, f"Identified target paper: '{value['target_title']}'."),
        ("Generate Inter-document QA", between, answer),
        ("Merge Complete QA", f"{which} With it in hand: {between}", answer),
    )
    components = "".join(
        f'<component type="{kind}"><question>{question}</question><answer>{reply}</answer></component>'
        for kind, question, reply in pairs
    )
    scores = "".join(f'<score type="{name}">Accept</score>' for name in _SCORES)
    return f'<outputs>{components}<component type="QA Validation">{scores}</component></outputs>'


_WRITERS: dict[str, Callable[[ModelRequest], str]] = {
    "single_hop": _triplets,
    "multi_hop": _composition,
    "answering": lambda _request: '{"answer": "It is reported for the participants."}',
    "citation_marker": lambda _request: '{"marker": "[1]"}',
}


class MadeUpEncoder:
    """Puts a text where its cohort lies; equal texts get equal vectors."""

    name = "made-up"
    revision = "1"

    def __init__(self) -> None:
        self._space = VectorSpace()

    def encode(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> npt.NDArray[np.float32]:
        """`(n_texts, dim)` float32, rows of unit length."""
        cohorts = [_COHORT.search(text) for text in texts]
        named = np.array([(int(found[1]), int(found[2])) if found else (0, 0) for found in cohorts])
        noise = [int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) for text in texts]
        topics, subtopics = named.reshape(-1, 2).T
        if progress:
            progress(len(texts))
        return self._space.vectors(topics, subtopics, np.array(noise, dtype=np.uint64))
