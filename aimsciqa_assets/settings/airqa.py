"""Every setting of AirQA, with its meaning and its default."""

from typing import Literal

from aimsciqa_resources.section import Section
from pydantic import Field


class AirqaSettings(Section):
    """The paper store that agents search (AirQA, docs/airqa-store.md). Off by default."""

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
        description="encode every encodable cell of the store and publish airqa/vectors.duckdb beside it",
    )
