"""The settings of the necessity ledger, as `sections.py` has those of the method."""

from typing import Final

from aimsciqa_resources.section import Section
from pydantic import Field, field_validator

from aimsciqa_assets.tables.quality import TESTS

_LISTED: Final = rf"^(({'|'.join(TESTS)})( |$))*$"


class NecessitySettings(Section):
    """The necessity ledger: does an item need its documents and hops (docs/necessity.md)?"""

    tests: str = Field(
        default=" ".join(TESTS),
        pattern=_LISTED,
        description="tests that run, separated by spaces. Rules decide all but renamed and counterfactual, "
        "which need a model",
    )
    models: str = Field(
        default="",
        description="language models that take the tests, too, written like answerers; empty: none, and "
        "nothing is asked",
    )
    kinds: str = Field(
        default="",
        pattern=r"^([a-z_]+( |$))*$",
        description="kinds of items that these models are asked about, separated by spaces: im, cim, bridge, "
        "comparison, ...; empty: all kinds",
    )
    items: int = Field(
        default=0,
        ge=0,
        description="items of each kind that these models are asked about, drawn at random by "
        "benchmark.seed; 0: all",
    )
    retriever: str = Field(
        default="bm25",
        description="retriever that searches the paragraphs of all papers, written like one of "
        "benchmark.retrievers",
    )
    top_k: int = Field(
        default=10,
        ge=1,
        description="papers near to an item that are examined: as third documents, twins and hard negatives",
    )
    question_share: float = Field(
        default=0.6,
        gt=0,
        le=1,
        description="share of a sub-question's content words that must stand around its answer",
    )
    lead: float = Field(
        default=1.2,
        ge=1,
        description="a masked hop finds its document when that is first with so many times the score of the "
        "second",
    )
    prior_share: float = Field(
        default=0.8,
        gt=0.5,
        le=1,
        description="share of equal answers (yes, or the first name) among at least 20 comparisons of a kind "
        "from which they can be guessed",
    )
    document_words: int = Field(
        default=1500,
        ge=50,
        description="words of a document that a model is shown at most: paragraphs with quotes first, then "
        "those nearest the question",
    )
    quota: int = Field(
        default=0, ge=0, description="items of a kind in each cell of difficulty at most; 0: any number"
    )
    gating: str = Field(
        default="answerability bridge_masked shortcut guessing",
        pattern=_LISTED,
        description="tests that an item must not have failed at the gate `necessity`, by rules or any "
        "language model, separated by spaces; the gate stands only where release.gates names it",
    )
    twins_released: bool = Field(
        default=False,
        description="put the unanswerable twins of released items into the release, as unanswerable.jsonl",
    )

    @field_validator("models")
    @classmethod
    def _no_rules(cls, models: str) -> str:
        """Refuse what is no language model."""
        if no_models := {"extractive", "scripted"} & set(models.split()):
            raise ValueError(f"{min(no_models)} is no language model; name one that is (docs/models.md)")
        return models

    @property
    def test_names(self) -> list[str]:
        """The tests that run."""
        return self.tests.split()

    @property
    def kind_names(self) -> frozenset[str]:
        """The kinds that models are asked about; empty: all."""
        return frozenset(self.kinds.split())

    @property
    def model_names(self) -> list[str]:
        """The models that take the tests, each once."""
        return list(dict.fromkeys(self.models.split()))
