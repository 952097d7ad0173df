"""Vectors from the embedding endpoint of an OpenAI-compatible server."""

import json
import os
import random
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property

import httpx2
import numpy as np
import openai

from aimsciqa_resources.bounded_http import BoundedClient, ForeignRedirectError, LongAnswerError
from aimsciqa_resources.encoder import Vectors
from aimsciqa_resources.language_model.engine import AttemptError
from aimsciqa_resources.language_model.interface import ModelRefusedError, ModelUnavailableError
from aimsciqa_resources.language_model.server_faults import error_message, fault_of_status, without_secrets

_TEXTS_PER_REQUEST = 64
_AT_ONCE = 4
_ATTEMPTS = 8
_FIRST_WAIT_SECONDS = 1.0
_LONGEST_WAIT_SECONDS = 60.0
_TIMEOUT_SECONDS = 120.0
_WHOLE_ANSWER_SECONDS = 600.0
# Enough for an answer of 64 vectors with 16,384 numbers of 32 bytes each.
_MOST_BYTES = 32 * 2**20
_NO_KEY = "none"


class EmbeddingServer:
    """A `SearchEncoder` at `base_url`; what stands before queries and documents is sent with them.

    The environment variable `key_variable` holds the key; it may be unset, or its name empty, for a server
    without keys.
    """

    def __init__(
        self,
        model: str,
        base_url: str,
        key_variable: str,
        environment: Mapping[str, str] = os.environ,
        sleep: Callable[[float], None] = time.sleep,
        *,
        query_prefix: str = "",
        document_prefix: str = "",
    ) -> None:
        self._model = model
        self._base_url = base_url
        self._key_variable = key_variable
        self._key = environment.get(key_variable, "").strip()
        self._sleep = sleep
        self._query_prefix = query_prefix
        self._document_prefix = document_prefix
        self._form = {"encoding_format": "float"}

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """`(n_texts, dim)` float32, rows of unit length.

        Raises `ModelRefusedError` when further requests would fail too, `ModelUnavailableError` when the
        server does not answer after several attempts.
        """
        return self._encode([self._query_prefix + text for text in texts], None)

    def encode_documents(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Vectors:
        """The same for documents; `progress` is told how many texts are done."""
        return self._encode([self._document_prefix + text for text in texts], progress)

    def _encode(self, texts: Sequence[str], progress: Callable[[int], None] | None) -> Vectors:
        distinct = list(dict.fromkeys(texts))
        if not distinct:
            return np.zeros((0, 0), dtype=np.float32)
        rows = {text: row for row, text in enumerate(distinct)}
        counts = np.bincount([rows[text] for text in texts])
        starts = range(0, len(distinct), _TEXTS_PER_REQUEST)
        parts = []
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            batches = [distinct[start : start + _TEXTS_PER_REQUEST] for start in starts]
            for start, vectors in zip(starts, pool.map(self._vectors, batches), strict=True):
                parts.append(vectors)
                if progress:
                    progress(int(counts[start : start + len(vectors)].sum()))
        if len({part.shape[1] for part in parts}) > 1:
            raise ModelRefusedError(f"{self._where} gives vectors of different lengths.")
        vectors = np.concatenate(parts)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors /= np.where(lengths > 0, lengths, 1)
        return vectors[[rows[text] for text in texts]]

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        """The vectors of one request, after as many attempts as it takes."""
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return self._attempt(texts)
            except AttemptError as error:
                if error.kind in ("permanent", "too_long"):
                    raise ModelRefusedError(f"{self._where} does not take these texts ({error}).") from None
                if attempt == _ATTEMPTS:
                    raise ModelUnavailableError(
                        f"{self._where} gave no vectors in {attempt} attempts ({error})."
                    ) from None
                self._sleep(_wait_before_retry(error, attempt))
        raise AssertionError("the last attempt returns or raises")

    def _attempt(self, texts: Sequence[str]) -> Vectors:
        body = {"model": self._model, "input": list(texts)} | self._form
        try:
            response = self._client.post("/embeddings", cast_to=httpx2.Response, body=body)
        except openai.APIStatusError as error:
            if (
                error.status_code in (400, 422)
                and b"encoding_format" in error.response.content
                and self._form
            ):
                # Some servers give numbers unless they are asked for base64, and know no name for that.
                self._form = {}
                return self._attempt(texts)
            raise self._fault(error) from None
        except (openai.APIError, httpx2.HTTPError, OSError) as error:
            cause = error.__cause__ or error
            if isinstance(cause, ForeignRedirectError):
                setting = "AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL"
                raise ModelRefusedError(
                    f"{self._where}: {cause}. If your model is there, set {setting} to it."
                ) from None
            if isinstance(cause, LongAnswerError):
                raise ModelRefusedError(f"{self._where} gives {cause}.") from None
            raise AttemptError(
                "passing", "connection", self._shown(f"{type(cause).__name__}: {cause}")
            ) from None
        try:
            entries = sorted(json.loads(response.content)["data"], key=lambda entry: int(entry["index"]))
            vectors = np.array([entry["embedding"] for entry in entries], dtype=np.float32)
        except (ValueError, LookupError, TypeError) as error:
            said = self._shown(f"{type(error).__name__}: {error}")
            raise AttemptError("passing", "bad_response", said) from None
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            raise AttemptError("passing", "bad_response", f"{len(texts)} texts gave {vectors.shape} numbers")
        return vectors

    def _fault(self, error: openai.APIStatusError) -> Exception:
        message = error_message(error.response.content)
        detail = self._shown(message)
        if error.status_code in (401, 403):
            return ModelRefusedError(
                f"{self._where} refuses the key ({error.status_code}: {detail}). {self._advice_on_keys}"
            )
        if error.status_code == 402 or b"insufficient_quota" in error.response.content:
            return ModelRefusedError(f"{self._where}: the account is used up ({detail}).")
        if error.status_code == 404:
            return ModelRefusedError(
                f"{self._where} is not there ({detail}). Check AIMSCIQA_BENCHMARK_RETRIEVERS and "
                "AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL."
            )
        fault = fault_of_status(error.status_code, message, error.response.headers)
        fault.args = (f"{fault.reason}: {detail}",)
        return fault

    @property
    def _advice_on_keys(self) -> str:
        if not self._key_variable:
            return "Name the variable that holds it: api_key_variable in AIMSCIQA_BENCHMARK_RETRIEVER_MODELS."
        return (
            f"Set one in the environment variable {self._key_variable} (for another name: "
            "AIMSCIQA_BENCHMARK_EMBEDDING_API_KEY_VARIABLE, or api_key_variable in "
            "AIMSCIQA_BENCHMARK_RETRIEVER_MODELS)."
        )

    @property
    def _where(self) -> str:
        return f"The embedding model {self._model} at {self._base_url}"

    def _shown(self, text: str) -> str:
        return without_secrets(text, self._key)

    @cached_property
    def _client(self) -> openai.OpenAI:
        if not (self._key.isascii() and self._key.isprintable()):
            raise ModelRefusedError(
                f"What the environment variable {self._key_variable} holds is not a key: it has characters "
                "that cannot be sent."
            )
        return openai.OpenAI(
            base_url=self._base_url,
            api_key=self._key or _NO_KEY,
            max_retries=0,
            timeout=_TIMEOUT_SECONDS,
            http_client=BoundedClient(_MOST_BYTES, _WHOLE_ANSWER_SECONDS),
        )


def _wait_before_retry(error: AttemptError, attempt: int) -> float:
    """Seconds the server asks for, or else doubling; with a random part, so that requests spread out."""
    if error.wait_seconds is not None:
        return error.wait_seconds * random.uniform(1.0, 1.1)
    return min(_LONGEST_WAIT_SECONDS, _FIRST_WAIT_SECONDS * 2.0 ** (attempt - 1)) * random.uniform(0.5, 1.0)
