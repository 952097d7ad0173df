"""The settings of the RAG baselines: a part of the section `benchmark`."""

from typing import Final, Literal

from aimsciqa_resources.section import Section
from pydantic import Field

FOR_RAG: Final = (
    *("rag_retriever", "rag_papers", "rag_input_tokens", "rag_output_tokens"),
    *("rag_iterations", "rag_searches", "rag_replug"),
    *("retriever_models", "retriever_precision", "trust_remote_code"),
    *("document_text", "chunk_words", "rerank_depth"),
)
"""What determines how RAG baselines search, read and write."""


class RagSettings(Section):
    """How RAG baselines search, read and write."""

    rag: str = Field(
        default="",
        pattern=r"^((standard|sure|ircot|flare|replug|search)( |$))*$",
        description="RAG baselines in which the items are answered too, separated by spaces: standard, sure, "
        "ircot, flare, replug, search (docs/benchmark.md); empty: none. flare and replug need "
        "log-probabilities",
    )
    rag_retriever: str = Field(
        default="",
        description="retriever with which they search the whole corpus, written like `retrievers`; empty: "
        "the first of these",
    )
    rag_papers: int = Field(default=5, ge=1, le=50, description="papers that a search of theirs finds")
    rag_input_tokens: int = Field(
        default=2048,
        ge=100,
        description="tokens of the papers in a prompt of theirs at most, at four characters a token; of each "
        "paper the paragraphs nearest the query are shown",
    )
    rag_output_tokens: int = Field(
        default=256, ge=1, description="tokens of an answer of theirs at most; 32 is usual for short answers"
    )
    rag_iterations: int = Field(
        default=2, ge=1, description="ircot: sentences of the chain of thought at most"
    )
    rag_searches: int = Field(default=5, ge=1, description="search: searches for a question at most")
    rag_replug: Literal["candidates", "tokens"] = Field(
        default="candidates",
        description="replug: candidates: an answer from each paper, scored under all of them; tokens: "
        "written token by token, approximately. Both need a vLLM server, or the backend vllm",
    )
