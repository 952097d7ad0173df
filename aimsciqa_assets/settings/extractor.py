"""Every setting of EXTRACTOR, with its meaning and its default."""

from typing import Final, Literal

from aimsciqa_resources.section import Section
from pydantic import Field

from aimsciqa_assets.tables.extractor import ELEMENTS, KINDS

OF_TRAJECTORIES: Final = ("not_answerable_alone", "solved_by_tools", "answer_correct")
"""Filters that look at a trajectory, and at an answer without tools."""
_WEIGHT: Final = r"(?:\.\d+|\d+(?:\.\d+)?)"


def _weights_of(names: tuple[str, ...]) -> str:
    return rf"^((?:{'|'.join(names)}):{_WEIGHT}( |$))+$"


class ExtractorSettings(Section):
    """Examples and trajectories that models make from the paper store (EXTRACTOR, docs/extractor.md). Off
    while no example is wanted.
    """

    @property
    def weights_of_kinds(self) -> dict[str, float]:
        """The share of each kind, in any unit."""
        return _pairs(self.kinds)

    @property
    def weights_of_elements(self) -> dict[str, float]:
        """The share of each element, in any unit."""
        return _pairs(self.elements)

    @property
    def most_of_evaluators(self) -> dict[str, int]:
        """How many examples an evaluation function may have at most, where that is limited."""
        return {name: int(most) for name, most in _pairs(self.evaluators).items()}

    @property
    def filter_names(self) -> tuple[str, ...]:
        """The filters that reject trajectories, each once."""
        return tuple(dict.fromkeys(self.filters.split()))

    examples: int = Field(
        default=0,
        ge=0,
        description="examples that are to be made, those of all kinds together; they need a language model "
        "and the paper store; 0: none, and those that were made stay as they are",
    )
    kinds: str = Field(
        default="single:1 multiple:1 retrieval:1 comprehensive:1",
        pattern=_weights_of(KINDS),
        description=f"their shares by kind ({', '.join(KINDS)}), in any unit",
    )
    elements: str = Field(
        default="text:4 table:2 image:2 formula:1 sections:1",
        pattern=_weights_of(ELEMENTS),
        description="of single and comprehensive examples and of the parts of multiple ones, the shares by "
        f"element ({', '.join(ELEMENTS)}); what the store lacks goes to the others",
    )
    evaluators: str = Field(
        default="",
        pattern=r"^(eval_\w+:\d+( |$))*$",
        description="examples that an evaluation function may have at most, such as "
        "eval_string_exact_match:100, separated by spaces; the tracker is not shown one that has as many; "
        "empty: no limit",
    )
    seed: int = Field(default=42, ge=0, description="seed of the draw of papers and of what stands in them")
    seeds_per_paper: int = Field(
        default=5,
        ge=1,
        description="how many texts, tables, ... of each element a paper may give at most; no paper is taken "
        "again while others were not",
    )
    tries: int = Field(
        default=5,
        ge=1,
        description="tries for each example that is wanted, on average over those of its kind and element",
    )
    context_tokens: int = Field(
        default=5000, ge=1, description="tokens of a text or a table that the explorer is shown at most"
    )
    title_share: float = Field(
        default=0.6,
        gt=0,
        le=1,
        description="a question that shall let one find a paper gives it away with this share of the words "
        "of its title in a row",
    )
    duplicate_share: float = Field(
        default=0.8,
        gt=0,
        le=1,
        description="a question repeats another of the same kind, of the same paper if it names one, when "
        "they have this share of their words in common",
    )
    alone: bool = Field(
        default=True,
        description="ask the actor's model for each answer without tools first, from the question and the "
        "titles of the papers that it names",
    )
    filters: str = Field(
        default="",
        pattern=rf"^(({'|'.join(OF_TRAJECTORIES)})( |$))*$",
        description="what a trajectory is rejected for, beside having no answer: "
        f"{', '.join(OF_TRAJECTORIES)}, separated by spaces; empty: for nothing, as in the paper",
    )
    error_removal: Literal["last", "none"] = Field(
        default="last",
        description="last: no loss is taken on a turn whose action is wrong, which stays in the history of "
        "later turns; none: loss is taken on it as well",
    )


def _pairs(text: str) -> dict[str, float]:
    return {name: float(number) for name, _, number in (one.partition(":") for one in text.split())}
