"""Makes the retrievers that the settings name."""

from dataclasses import dataclass

from aimsciqa_resources.encoder import CrossEncoderModel, Encoder, SearchEncoder, SentenceEncoder

from aimsciqa.bm25 import Bm25Retriever
from aimsciqa.documents import Documents
from aimsciqa_assets.retrieval.notation import (
    Bm25,
    Encoded,
    Fused,
    Notation,
    Reranked,
    RetrieverNotationError,
    Served,
)
from aimsciqa_assets.retrieval.retrievers import (
    EmbeddingRetriever,
    FusedRetriever,
    RerankedRetriever,
    Retriever,
)
from aimsciqa_assets.settings import BenchmarkSettings


@dataclass(frozen=True, slots=True)
class Opening:
    """What retrievers are made with: the documents, the pipeline's own encoder, and the settings."""

    documents: Documents
    encoder: Encoder
    settings: BenchmarkSettings

    def open(self, notation: Notation) -> Retriever:
        """The retriever. Its models are loaded when they are needed.

        Raises `RetrieverNotationError` for a model of an embedding server whose address is not set.
        """
        match notation:
            case Bm25():
                return Bm25Retriever(self.documents)
            case Encoded() | Served():
                return EmbeddingRetriever(self.documents, self._search_encoder(notation), str(notation))
            case Fused(parts):
                return FusedRetriever([self.open(part) for part in parts])
            case Reranked(first, name):
                return RerankedRetriever(
                    self.open(first), CrossEncoderModel(name), self.documents, self.settings.rerank_depth
                )

    def _search_encoder(self, notation: Encoded | Served) -> SearchEncoder:
        if isinstance(notation, Encoded):
            # The pipeline's own encoder is loaded already, and may have a pinned revision.
            return self.encoder if notation.model == self.encoder.name else SentenceEncoder(notation.model)
        if not self.settings.embedding_base_url:
            raise RetrieverNotationError(
                str(notation), "needs a server: set AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL"
            )
        # Imported here: it takes a second, and few runs use an embedding server.
        from aimsciqa_resources.embedding_server import EmbeddingServer

        return EmbeddingServer(
            notation.model, self.settings.embedding_base_url, self.settings.embedding_api_key_variable
        )
