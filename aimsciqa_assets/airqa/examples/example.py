"""One example: a question, the papers it is about, and the evaluator that knows the right answer.

The fields and their order are the benchmark's. Fields that we do not know are kept, and so is the absence of
those that only some files have.
"""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

TYPE_TAGS: Final = ("single", "multiple", "retrieval", "comprehensive")
ELEMENT_TAGS: Final = ("text", "table", "image", "formula", "metadata")
EVALUATION_TAGS: Final = ("objective", "subjective")
TAG_FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    "type": TYPE_TAGS,
    "element": ELEMENT_TAGS,
    "evaluation": EVALUATION_TAGS,
}
WITHOUT_PAPER: Final = ("retrieval", "comprehensive")
"""The types whose question names no paper, but a conference to search in."""


class Evaluator(BaseModel):
    """The name of an evaluation function and what it is called with; the right answer is among it."""

    model_config = ConfigDict(extra="allow")

    eval_func: str
    eval_kwargs: dict[str, Any] = Field(default_factory=dict)


class Example(BaseModel):
    """An example: `anchor_pdf` are the papers that the question names, `reference_pdf` others it needs."""

    model_config = ConfigDict(extra="allow")

    uuid: str
    question: str
    answer_format: str = ""
    tags: list[str] = Field(default_factory=list)
    anchor_pdf: list[str] = Field(default_factory=list)
    reference_pdf: list[str] = Field(default_factory=list)
    conference: list[str] = Field(default_factory=list)
    reasoning_steps: list[str] | None = None
    evaluator: Evaluator
    state: dict[str, Any] | None = None
    annotator: str | None = None

    @property
    def evaluator_shape(self) -> Mapping[str, Any]:
        """The evaluator as `score` takes it."""
        return {"eval_func": self.evaluator.eval_func, "eval_kwargs": self.evaluator.eval_kwargs}

    def tags_of(self, family: str) -> list[str]:
        """The tags of a family that the example has, in the order of the family."""
        return [tag for tag in TAG_FAMILIES[family] if tag in self.tags]

    def shape(self) -> dict[str, Any]:
        """The example as the benchmark writes it; fields that it did not have are not made up."""
        return self.model_dump(exclude_unset=True)
