"""Makes the retrievers that the settings name."""

from dataclasses import dataclass

from aimsciqa_resources.encoder import CrossEncoderModel, Encoder, Role, SearchEncoder, SentenceEncoder
from aimsciqa_resources.search_models import SearchModel, read_search_models, search_model

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
from aimsciqa_assets.settings.sections import BenchmarkSettings


def servers_of(notation: Notation, encoder: str, settings: BenchmarkSettings) -> list[str]:
    """The addresses of the servers that a retriever asks; `encoder` is the name of the pipeline's own.

    Raises `RetrieverNotationError` for a served model without an address.
    """
    match notation:
        case Fused(parts):
            return [address for part in parts for address in servers_of(part, encoder, settings)]
        case Reranked(first):
            return servers_of(first, encoder, settings)
        case Served():
            return [_address_of(notation, settings)]
        case Encoded(model) if model != encoder and _is_served(notation, _chosen(notation, settings)):
            return [_address_of(notation, settings)]
        case _:
            return []


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
        if notation.model == self.encoder.name and isinstance(notation, Encoded):
            # The pipeline's own encoder is loaded already, and may have a pinned revision.
            return self.encoder
        chosen = _chosen(notation, self.settings)
        if _is_served(notation, chosen):
            return self._served(notation, chosen)
        if chosen.remote_code and not self.settings.trust_remote_code:
            raise RetrieverNotationError(
                str(notation),
                f"is nothing without the code in the repository {chosen.model}: read that code, then set "
                "AIMSCIQA_BENCHMARK_TRUST_REMOTE_CODE=true, or leave this retriever out",
            )
        given: dict[Role, str | None] = {"query": chosen.query_prefix, "document": chosen.document_prefix}
        return SentenceEncoder(
            chosen.model,
            chosen.revision,
            prefixes={role: prefix for role, prefix in given.items() if prefix is not None},
            trust_remote_code=self.settings.trust_remote_code,
        )

    def _served(self, notation: Encoded | Served, chosen: SearchModel) -> SearchEncoder:
        address = _address_of(notation, self.settings)
        # Imported here: it takes a second, and few runs use an embedding server.
        from aimsciqa_resources.embedding_server import EmbeddingServer

        return EmbeddingServer(
            chosen.model,
            address,
            self.settings.embedding_api_key_variable,
            query_prefix=chosen.query_prefix or "",
            document_prefix=chosen.document_prefix or "",
        )


def _chosen(notation: Encoded | Served, settings: BenchmarkSettings) -> SearchModel:
    return search_model(notation.model, read_search_models(settings.retriever_models))


def _is_served(notation: Encoded | Served, chosen: SearchModel) -> bool:
    return isinstance(notation, Served) or chosen.served


def _address_of(notation: Encoded | Served, settings: BenchmarkSettings) -> str:
    if not settings.embedding_base_url:
        raise RetrieverNotationError(
            str(notation), "needs a server: set AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL"
        )
    return settings.embedding_base_url
