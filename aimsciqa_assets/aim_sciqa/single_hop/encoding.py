"""Encodes many texts part by part, and keeps each part on disk for the case that the run is killed."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt
from aimsciqa_resources.encoder import Encoder

from aimsciqa_assets.platform.determinants import digest

Vectors = npt.NDArray[np.float32]
TEXTS_OF_A_PART = 1024


def encode_in_parts(
    texts: Sequence[str],
    encoder: Encoder,
    unfinished: Path,
    advance: Callable[[int], None] = lambda _texts: None,
    texts_of_a_part: int = TEXTS_OF_A_PART,
) -> Vectors:
    """`(n_texts, dim)` float32, rows of unit length; equal texts are encoded once.

    Parts that an earlier run left in the folder `unfinished`, for the same texts and encoder, are read from
    there. `advance` gets the number of texts in each finished part. Without texts, no model is loaded to tell
    `dim`, which is 0 then.
    """
    # Sorted by length, so that an encoder needs little padding.
    distinct = sorted(set(texts), key=lambda text: (len(text), text))
    rows = {text: row for row, text in enumerate(distinct)}
    order = np.array([rows[text] for text in texts], dtype=np.int64)
    times = np.bincount(order, minlength=len(distinct))
    unfinished.mkdir(parents=True, exist_ok=True)
    parts = []
    for start in range(0, len(distinct), texts_of_a_part):
        part = distinct[start : start + texts_of_a_part]
        named = {"encoder": [encoder.name, encoder.revision], "texts": part}
        parts.append(_vectors(part, encoder, unfinished / f"{digest(named)}.npy"))
        advance(int(times[start : start + texts_of_a_part].sum()))
    return np.concatenate(parts)[order] if parts else np.zeros((0, 0), dtype=np.float32)


def _vectors(texts: Sequence[str], encoder: Encoder, file: Path) -> Vectors:
    if file.exists():
        # After a power failure the file may be empty or broken: then the texts are encoded again.
        with suppress(ValueError, EOFError):
            kept: Vectors = np.load(file)
            return kept
    vectors = encoder.encode(texts)
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    with fresh.open("wb") as written:
        np.save(written, vectors)
    fresh.replace(file)
    return vectors
