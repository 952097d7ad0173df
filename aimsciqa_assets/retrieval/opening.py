"""Makes the retrievers that the settings name."""

from dataclasses import dataclass
from typing import cast

from aimsciqa_resources.encoder import (
    CrossEncoderModel,
    Encoder,
    Precision,
    Role,
    SearchEncoder,
    SentenceEncoder,
)
from aimsciqa_resources.search_models import SearchModel, read_search_models, search_model

from aimsciqa.bm25 import Bm25Retriever
from aimsciqa.documents import Documents
from aimsciqa_assets.retrieval.coarse import Coarse, DenseCoarse, FusedCoarse, LexicalCoarse
from aimsciqa_assets.retrieval.fusion import Fusion
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
from aimsciqa_assets.settings.benchmark import BenchmarkSettings


def encoded_parts(notation: Notation, encoder: str) -> list[Encoded | Served]:
    """The parts of a retriever that other models encode than the pipeline's own `encoder`."""
    match notation:
        case Fused(parts):
            return [one for part in parts for one in encoded_parts(part, encoder)]
        case Reranked(first):
            return encoded_parts(first, encoder)
        case Served():
            return [notation]
        case Encoded(model) if model != encoder:
            return [notation]
        case _:
            return []


def server_of(part: Encoded | Served, settings: BenchmarkSettings) -> str | None:
    """The address of the server that encodes a part; None where the model is loaded here.

    Raises `RetrieverNotationError` for a served model without an address.
    """
    chosen = chosen_model(part, settings)
    return _address_of(part, chosen, settings) if _is_served(part, chosen) else None


def chosen_model(part: Encoded | Served, settings: BenchmarkSettings) -> SearchModel:
    """The model of a part, as Table 6 and the settings describe it."""
    return search_model(part.model, read_search_models(settings.retriever_models))


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

    def coarse(self, notation: Notation, fusion: Fusion = "default") -> Coarse:
        """A coarse search of documents with one vector each: that of all its passages as one text.

        Raises `RetrieverNotationError` as `open` does, and for a cross-encoder, which only reorders.
        """
        match notation:
            case Fused(parts):
                return FusedCoarse([self._coarse_part(part) for part in parts], fusion)
            case Reranked():
                raise RetrieverNotationError(
                    str(notation), "reorders, but a coarse search only finds: leave out what follows >"
                )
            case _:
                return self._coarse_part(notation)

    def _coarse_part(self, notation: Bm25 | Encoded | Served) -> DenseCoarse | LexicalCoarse:
        texts = {
            document: "\n".join(self.documents.passages_of(place))
            for place, document in enumerate(self.documents.papers)
        }
        if isinstance(notation, Bm25):
            return LexicalCoarse(texts, self.encoder)
        return DenseCoarse.of(texts, self._search_encoder(notation), str(notation))

    def _search_encoder(self, notation: Encoded | Served) -> SearchEncoder:
        if notation.model == self.encoder.name and isinstance(notation, Encoded):
            # The pipeline's own encoder is loaded already, and may have a pinned revision.
            return self.encoder
        chosen = chosen_model(notation, self.settings)
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
            cast("Precision", chosen.precision or self.settings.retriever_precision),
            prefixes={role: prefix for role, prefix in given.items() if prefix is not None},
            trust_remote_code=self.settings.trust_remote_code,
        )

    def _served(self, notation: Encoded | Served, chosen: SearchModel) -> SearchEncoder:
        address = _address_of(notation, chosen, self.settings)
        # Imported here: it takes a second, and few runs use an embedding server.
        from aimsciqa_resources.embedding_server import EmbeddingServer

        return EmbeddingServer(
            chosen.model,
            address,
            # A key is for the server that the settings name with it, and for no other one.
            chosen.api_key_variable or ("" if chosen.base_url else self.settings.embedding_api_key_variable),
            query_prefix=chosen.query_prefix or "",
            document_prefix=chosen.document_prefix or "",
        )


def _is_served(notation: Encoded | Served, chosen: SearchModel) -> bool:
    return isinstance(notation, Served) or chosen.served


def _address_of(notation: Encoded | Served, chosen: SearchModel, settings: BenchmarkSettings) -> str:
    address = chosen.base_url or settings.embedding_base_url
    if not address:
        raise RetrieverNotationError(
            str(notation),
            "needs a server: set AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL, or its own base_url in "
            "AIMSCIQA_BENCHMARK_RETRIEVER_MODELS",
        )
    return address
