"""Forms of the replies to the tasks of Findings. What a form cannot say is checked where a reply is used."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

QuestionType = Literal[
    "value_comparison",
    "direction_agreement",
    "explained_conflict",
    "replication",
    "set_comparison",
    "bridge",
    "method_outcome",
    "citation_fidelity",
]


class Reply(BaseModel):
    """A reply or a part of it: null stands for an empty field, and a number for the text of it."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {name: stated for name, stated in value.items() if stated is not None}


class Instrument(Reply):
    """An instrument, scale or assay of a study, with the cut-off or definition that it uses."""

    instrument: str
    cut_off: str = ""


class Card(Reply):
    """What the study is, for people who compare it with others."""

    design: str = ""
    population: str = ""
    place: str = ""
    period: str = ""
    sample_size: str = ""
    instruments: list[Instrument] = Field(default_factory=list)
    materials: list[str] = Field(default_factory=list)
    description: str = ""


class ReadFinding(Reply):
    """A finding as a model read it. `place` is the mark of the paragraph or table: P12, T3.

    `conditions` are "name: value" lines. `repeats` and `contradicts` are numbers of findings, 0: none. Every
    field may be missing: a finding without a quote is rejected alone, and the others of the reply stay.
    """

    number: int = 0
    statement: str = ""
    quote: str = ""
    place: str = ""
    measure: str = ""
    exposure: str = ""
    comparator: str = ""
    direction: Literal["", "higher", "lower", "none", "mixed"] = ""
    value: str = ""
    unit: str = ""
    spread: str = ""
    count: str = ""
    conditions: list[str] = Field(default_factory=list)
    cited: str = ""
    repeats: int = 0
    contradicts: int = 0


class PaperReading(Reply):
    """The card and the findings of a paper, or of a part of it."""

    card: Card
    findings: list[ReadFinding]


class Member(Reply):
    """A term that gets a name. `factor` turns its values into the unit of the name."""

    term: int
    reversed: bool = False
    factor: float = 1.0


class NamedMeasure(Reply):
    """A name for terms of one measure. `existing` is the number of a name that is there, 0: a new one."""

    existing: int = 0
    name: str
    definition: str
    unit: str = ""
    members: list[Member]


class Vocabulary(Reply):
    """Names for the terms of a cluster."""

    names: list[NamedMeasure]


class Fact(Reply):
    """A fact that an answer states. `paper` is its letter; `finding` its mark (F12), empty if it is new.

    A new fact has its `quote` and the `place` of that quote (P12, T3).
    """

    paper: str
    finding: str = ""
    statement: str = ""
    value: str = ""
    unit: str = ""
    quote: str = ""
    place: str = ""


class Computation(Reply):
    """How a number that no quote has follows from the facts f1, f2, ... in the order of the list.

    Models also write it as a line, as they are shown it: "f1 - f2 = 32.1 percentage points".
    """

    expression: str
    result: str
    unit: str = ""

    @model_validator(mode="before")
    @classmethod
    def _of_line(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        expression, _, stated = value.partition("=")
        number, _, unit = stated.strip().partition(" ")
        result, unit = (number, unit) if number[:1] in "+-−.0123456789" else (stated.strip(), "")
        return {"expression": expression.strip(), "result": result, "unit": unit.strip()}


class Draft(Reply):
    """A question drafted for a group."""

    group: int
    type: QuestionType
    question: str
    answer: str
    facts: list[Fact]
    computations: list[Computation] = Field(default_factory=list)


class Drafts(Reply):
    """Drafts for the groups of a request; none is a good reply."""

    drafts: list[Draft]


class Challenge(Reply):
    """What a search through the papers does to a question. Kept fields are empty if nothing changes."""

    reason: str
    action: Literal["keep", "correct", "drop"]
    question: str = ""
    answer: str = ""
    facts: list[Fact] = Field(default_factory=list)
    computations: list[Computation] = Field(default_factory=list)


class StrictReading(Reply):
    """The verdict of a strict reader. `failed` are numbers of criteria that the question does not meet."""

    reason: str
    failed: list[int]
    action: Literal["keep", "edit", "drop"]
    question: str = ""
    answer: str = ""
    facts: list[Fact] = Field(default_factory=list)
    computations: list[Computation] = Field(default_factory=list)


class Relabelling(BaseModel):
    """The letters of the papers that a question needs."""

    reason: str
    papers: list[str]
