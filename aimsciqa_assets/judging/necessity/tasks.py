"""The tasks of models in the ledger: answer from documents, change a value, mark an answer."""

from typing import Final, Literal

from pydantic import BaseModel

from aimsciqa_assets.asking.task import json_task, version_of


class Given(BaseModel):
    """An answer."""

    answer: str


class Changed(BaseModel):
    """Another value in a quote, and the answer that follows."""

    old: str
    new: str
    answer: str


class Mark(BaseModel):
    """Whether an answer is right."""

    mark: Literal["right", "wrong"]


ANSWER: Final = json_task("necessity_answer", Given)
COUNTERFACTUAL: Final = json_task("necessity_counterfactual", Changed)
MARK: Final = json_task("necessity_mark", Mark)


def prompt_version() -> str:
    """The versions of the prompts that examined models are asked with."""
    return version_of(ANSWER, COUNTERFACTUAL)
