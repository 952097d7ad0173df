"""The settings of the evaluation: retrieval, answering, judges and quality gates."""

from typing import Any, Literal

from aimsciqa_resources.encoder import PACKAGED
from aimsciqa_resources.language_model.named import read_named
from aimsciqa_resources.search_models import read_search_models, without_servers
from aimsciqa_resources.section import readable_by, refuse_bad_address
from pydantic import Field, field_validator

from aimsciqa_assets.settings.rag import FOR_RAG, RagSettings


class BenchmarkSettings(RagSettings):
    """The evaluation: retrieval (section 5.1), answering (5.2), judges and quality gates."""

    split: Literal["all", "test"] = Field(
        default="all", description="accepted items to evaluate: all of them, or the test split"
    )
    whole_variants: str = Field(
        default="",
        description="variants of which all accepted items are evaluated, whatever `split` says, separated by "
        "spaces: cim, as in Table 8 of the paper",
    )
    retrievers: str = Field(
        default=f"bm25 {PACKAGED}",
        description="retrievers, separated by spaces: bm25; a sentence-transformers model (folder or hub "
        "name); one of Table 6 (docs/benchmark.md); server:NAME, a model of the embedding server; A+B, two "
        "of them fused; A>NAME, the first papers of A reordered by the cross-encoder NAME",
    )
    retriever_models: str = Field(
        default="",
        description="further encoders by name, and what differs with those of Table 6, as JSON "
        '(docs/benchmark.md): {"my-e5": {"model": "intfloat/e5-large-v2", "query_prefix": "query: "}}',
    )
    retriever_precision: Literal["float32", "bfloat16"] = Field(
        default="float32",
        description="precision of retrievers that are loaded here; bfloat16 halves their memory (14 GB for "
        "7B parameters, not 28), and gives different vectors",
    )
    trust_remote_code: bool = Field(
        default=False,
        description="run the code that stands in the repositories of retrievers; two of Table 6 need it",
    )
    retrieval_items: int = Field(
        default=0,
        ge=0,
        description="items of each kind that are searched for, drawn at random by the seed; 0: all. What was "
        "not searched for is not answered in the realistic setting",
    )
    evidence_missing: Literal["zero", "skip"] = Field(
        default="zero",
        description="what becomes of queries without gold papers or without a result in "
        "benchmark.evidence_access: they count as 0, or are skipped, as in HopWeaver's code",
    )
    document_text: Literal["title_abstract", "chunks", "questions"] = Field(
        default="title_abstract",
        description="what represents a paper: title and abstract; its text in chunks, of which the best "
        "counts; its kept questions, of which the best counts",
    )
    chunk_words: int = Field(default=200, ge=20, description="words of a chunk at most")
    rerank_depth: int = Field(default=50, ge=1, description="papers that a cross-encoder reorders")
    embedding_base_url: str = Field(
        default="", description="address of the OpenAI-compatible embedding server, up to /v1"
    )
    embedding_api_key_variable: str = Field(
        default="OPENAI_API_KEY", description="environment variable that holds the key of that server"
    )
    answerers: str = Field(
        default="",
        description="models that answer, separated by spaces: extractive, NAME, NAME@ADDRESS of another "
        "server, recorded:NAME for replies that NAME gave, or human:NAME for answers of a person (`aimsciqa "
        "answers`); empty: the answering model alone",
    )
    answer_without_citation: bool = Field(
        default=False,
        description="citation setting: a model whose marker leads to no paper is still asked, with the "
        "source alone (`marker_fault` says so); otherwise its answer counts as wrong",
    )
    models: str = Field(
        default="",
        description="settings of single answerers and judges by name, as JSON, where they differ from those "
        'of the answering or judge model: {"gpt-5": {"api_key_variable": "OPENAI_API_KEY", "temperature": 1, '
        '"extra_body": {"reasoning_effort": "low"}}}; name says what the server calls it, if not this',
    )
    realistic_retriever: str = Field(
        default="",
        description="retriever whose first paper is read in the realistic setting; empty: the first one; "
        "best: the one with the highest Hit@1 in the clusters; best:MRR@5: by another measure",
    )
    answering_items: int = Field(
        default=0,
        ge=0,
        description="items of each kind that the models answer, drawn at random by the seed; 0: all",
    )
    answering_settings: str = Field(
        default="",
        pattern=r"^((oracle|realistic|citation|alone|closed_book|title_abstract|passages|segments)( |$))*$",
        description="settings in which they are answered, separated by spaces: oracle, realistic, citation, "
        "alone (each paper by itself), closed_book, title_abstract, passages, segments; empty: all that the "
        "kind of the item has. The gates need alone and closed_book",
    )
    passages: int = Field(
        default=3, ge=1, description="passages: how many of the papers in hand a model reads, at most"
    )
    passages_retriever: str = Field(
        default="bm25",
        min_length=1,
        description="passages: retriever that finds them, written like `retrievers`",
    )
    context_tokens: int = Field(
        default=32768,
        ge=1000,
        description="segments: context of the answering models, at four characters a token, of which 500 are "
        "kept for prompt and answer; a longer paper is answered from segment by segment (SciDQA: 4096 for "
        "Llama 3.1 and Qwen)",
    )
    chunking: Literal["meant", "printed", "released"] = Field(
        default="meant",
        description="passages and segments: SciDQA's Algorithms 1 and 2 as meant, as the paper prints them "
        "(some text is lost or repeated), or segments by the authors' code (the last one is lost)",
    )
    judges: str = Field(
        default="",
        description="models that judge answers, written like answerers. Empty: the judge model, if it has a "
        "name; the lexical judge always judges too",
    )
    same_family: bool = Field(
        default=False,
        description="a judge also judges the answers of its own model family, as GPT-5 does in the paper",
    )
    aspect_judges: str = Field(
        default="",
        description="models that rate answers to questions of reviews in SciDQA's four aspects, written like "
        "answerers; never those of the answering model's own family; empty: none",
    )
    bert_score_model: str = Field(
        default="",
        description="model of BERTScore, which the extra bertscore installs (the paper: "
        "microsoft/deberta-xlarge-mnli); empty: no BERTScore",
    )
    bert_score_folder: str = Field(
        default="", description="folder that holds the model of BERTScore; empty: the cache of Hugging Face"
    )
    bert_score_rescaled: bool = Field(
        default=True, description="rescale BERTScore with the baseline of its model; SciDQA does not"
    )
    bleurt_folder: str = Field(
        default="",
        description="folder with BLEURT-20 as a RemBERT that transformers can load; empty: no BLEURT",
    )
    quality_judges: str = Field(
        default="", description="models that rate the items in HopWeaver's dimensions; empty: none"
    )
    quality_items: int = Field(
        default=50, ge=1, description="items that the quality judges rate, drawn at random"
    )
    quality_runs: int = Field(
        default=5, ge=1, description="how often each quality judge is asked about an item"
    )
    quality_shown: Literal["usual", "paragraphs", "segments", "facts", "documents"] = Field(
        default="usual",
        description="what a quality judge is shown of each document of an item: paragraphs, that of the "
        "first quote; segments, the passages that HopWeaver's items were made from (else that paragraph); "
        "facts, those that are compared (else the quotes); documents, whole texts; usual: segments of bridge "
        "questions and facts of comparisons, as the authors do, and paragraphs of all others",
    )
    quality_document_words: int = Field(
        default=2000,
        ge=50,
        description="words of a document at most where the quality judges are shown whole documents",
    )
    judges_chosen: int = Field(
        default=5,
        ge=1,
        description="quality judges that the rule chooses, at most: those with high alpha and kappa and a "
        "low spread over their runs, never of a family that wrote items",
    )
    judges_counting: Literal["all", "chosen"] = Field(
        default="all",
        description="whose ratings count in the scores of items and in their order: those of all quality "
        "judges, or of the chosen ones",
    )
    refusals: int = Field(
        default=0,
        ge=0,
        description="pairs refused by the multi-hop model that it judges again by the four criteria, drawn "
        "at random; 0: none. (The paper: about 70 % fail relational appropriateness or cross-reference "
        "necessity.)",
    )
    duplicate_similarity: float = Field(
        default=0.95, gt=0, le=1, description="lowest cosine at which questions are near-duplicates"
    )
    unusable: Literal["wrong", "left_out"] = Field(
        default="wrong",
        description="an answer that could not be given because a paper has no text, and one whose judge's "
        "reply cannot be read: wrong, so that all models rest on the same items; or left_out of the means",
    )
    resamples: int = Field(default=2000, ge=100, description="resamples for intervals and tests")
    resampled: Literal["facts", "items"] = Field(
        default="facts",
        description="what is drawn for intervals and tests: groups of items that share a core QA pair, and "
        "of AirQA's examples about the same paper, which depend on each other; or single items",
    )
    seed: int = Field(default=20241, ge=0, description="seed of random clusters, resamples and draws")

    _address = field_validator("embedding_base_url")(readable_by(refuse_bad_address))
    _encoders_by_name = field_validator("retriever_models")(readable_by(read_search_models))
    _settings_by_name = field_validator("models")(readable_by(read_named))

    def determining(self, setting: str) -> Any:
        """Where a server is and how it knows us changes no ranking, and stays private.

        `rag_reading` is all that determines what RAG baselines read: nothing while there are none.
        """
        if setting == "rag_reading":
            return {name: self.determining(name) for name in FOR_RAG} if self.rag else {}
        value = super().determining(setting)
        return without_servers(value) if setting == "retriever_models" else value

    def named(self, name: str) -> dict[str, Any]:
        """The settings in which a listed model differs: those of NAME@ADDRESS are those of NAME."""
        return read_named(self.models).get(name.partition("@")[0], {})

    def called(self, name: str) -> str:
        """What the server calls a listed model."""
        return str(self.named(name).get("name", name))

    @property
    def retriever_names(self) -> list[str]:
        """The names of the retrievers, each once."""
        return list(dict.fromkeys(self.retrievers.split()))
