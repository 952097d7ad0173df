"""What a baseline is told of an example: not its evaluator, nor papers that the question does not name."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Question:
    """An example as a task. `anchors` are the ids of the papers that the question names."""

    example_id: str
    question: str
    answer_format: str
    anchors: tuple[str, ...]
    conference: tuple[str, ...]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Question":
        """The task of a row of `airqa.examples`."""
        return cls(
            row["example_id"],
            row["question"],
            row["answer_format"],
            # The store writes its ids in small letters.
            tuple(paper.strip().lower() for paper in row["anchor_pdf"]),
            tuple(row["conference"]),
        )

    @property
    def told(self) -> dict[str, Any]:
        """The variables of a prompt that all baselines show."""
        return {
            "question": self.question,
            "answer_format": self.answer_format,
            "conference": list(self.conference),
        }

    @property
    def for_agents(self) -> dict[str, Any]:
        """The variables of a prompt whose reader knows papers by their id."""
        return self.told | {"papers": list(self.anchors)}
