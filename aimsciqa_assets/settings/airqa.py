"""Every setting of AirQA, with its meaning and its default."""

from typing import Any, Final, Literal

from aimsciqa_resources.section import Section
from pydantic import Field

from aimsciqa_assets.tables.airqa_runs import BASELINES

_LISTED: Final = rf"^(({'|'.join(BASELINES)})( |$))*$"
_OF_SUMMARIES: Final = ("summary_tokens", "summary_images")


class AirqaSettings(Section):
    """The paper store that agents search (docs/airqa-store.md), and the baselines that answer the examples
    (docs/airqa-agents.md). Both are off by default.
    """

    @property
    def baseline_names(self) -> list[str]:
        """The baselines, each once."""
        return list(dict.fromkeys(self.baselines.split()))

    @property
    def summarises(self) -> bool:
        """Whether a model writes summaries for the store."""
        return self.store and self.summaries

    def determining(self, setting: str) -> Any:
        """What summaries are made of determines nothing while there are none."""
        return None if setting in _OF_SUMMARIES and not self.summarises else super().determining(setting)

    store: bool = Field(
        default=False,
        description="read the papers of each batch into the paper store and publish it as "
        "airqa/papers.duckdb; a page of a PDF takes about a third of a second",
    )
    chunk_size: int = Field(default=512, ge=8, description="length of a chunk of a page's text, at most")
    chunk_unit: Literal["tokens", "characters"] = Field(
        default="tokens",
        description="what that length counts: tokens of the packaged encoder, or characters, as the code of "
        "AirQA's predecessor does",
    )
    vectors: bool = Field(
        default=True,
        description="encode every encodable cell of the store and publish airqa/vectors.arrow beside it",
    )
    summaries: bool = Field(
        default=False,
        description="have the model of the section summary_model write what the store lacks: summaries of "
        "pages, sections, tables and figures, a tldr and tags of each paper; a request for each of them",
    )
    summary_tokens: int = Field(
        default=6000, ge=50, description="tokens of a text that it is shown, at most; the text is cut"
    )
    summary_images: bool = Field(
        default=False,
        description="show it figures of PDFs as pictures, too; false: for a model that takes none, which has "
        "the caption alone",
    )
    baselines: str = Field(
        default="",
        pattern=_LISTED,
        description=f"baselines that answer the examples, separated by spaces: {', '.join(BASELINES)} "
        "(docs/airqa-agents.md); empty: none",
    )
    models: str = Field(
        default="",
        description="models that answer by them, each in turn, written like the answerers of the benchmark; "
        "empty: the model of the section airqa_model",
    )
    repeats: int = Field(
        default=1, ge=1, le=1000, description="how often each example is answered, each time anew"
    )
    sample: int = Field(
        default=0, ge=0, description="examples that are answered, drawn at random by the seed; 0: all"
    )
    seed: int = Field(default=42, ge=0, description="seed of that draw")
    temperature: float = Field(
        default=0.7,
        ge=0,
        description="sampling temperature of replies to AirQA's baselines; 0.6 is usual for reasoning models",
    )
    top_p: float = Field(default=0.95, gt=0, le=1, description="nucleus sampling of these replies")
    reply_tokens: int = Field(default=1500, ge=1, description="tokens of such a reply at most")
    action_format: Literal["markdown", "json", "xml", "yaml", "tools"] = Field(
        default="markdown",
        description="how agents write an action: markdown: as a call in Python; json, xml, yaml; tools: as a "
        "structured tool call, where the server has such",
    )
    action_style: Literal["react", "fenced"] = Field(
        default="react",
        description="where it stands: react: behind [Thought]: and [Action]:; fenced: in the last block "
        "between triple backticks",
    )
    turns: int = Field(
        default=20, ge=1, description="turns of an agent at most; then its last observation counts"
    )
    window: int = Field(
        default=5,
        ge=1,
        description="turns that an agent is shown of those before, with their observations; the task always",
    )
    view: bool = Field(default=False, description="agents may look at pages of papers as pictures, too")
    images: bool = Field(
        default=True,
        description="show them these pictures; false: for a model that takes none, a text says so",
    )
    answer_tokens: int = Field(
        default=30_000, ge=1, description="tokens of an agent's answer at most; it is cut"
    )
    full_text_tokens: int = Field(
        default=5000, ge=1, description="full_text: tokens of the papers at most, shared among them"
    )
    retriever: Literal["encoder", "bm25", "encoder+bm25"] = Field(
        default="encoder",
        description="how Retrieve and rag search: encoder: by the vectors of the store; bm25: by words, for "
        "which no vectors are needed; encoder+bm25: by both, with reciprocal-rank fusion",
    )
    passages: int = Field(default=4, ge=1, description="rag: passages that are retrieved for a question")
    query_seconds: float = Field(
        default=600, gt=0, description="seconds that an agent's SQL statement may take; then it is stopped"
    )
