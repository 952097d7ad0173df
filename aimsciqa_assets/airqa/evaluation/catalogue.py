"""The catalogue of the evaluation functions, `catalogue.toml`: for people, for prompts, to check data."""

import json
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

REQUIRED: Final = object()
"""The default of a parameter that has none."""


class Parameter(BaseModel):
    """What a function is called with; `choices` are the words that it may be, if only some."""

    model_config = ConfigDict(extra="forbid")

    name: str
    type: str
    description: str
    default: Any = REQUIRED
    default_null: bool = False
    choices: list[str] = Field(default_factory=list)

    @property
    def is_required(self) -> bool:
        """Whether it has to be given."""
        return self.default is REQUIRED and not self.default_null

    @property
    def told(self) -> str:
        """One line that says all of it."""
        default = json.dumps(None if self.default_null else self.default) if not self.is_required else ""
        choices = f", one of {', '.join(self.choices)}" if self.choices else ""
        given = f"default {default}" if default else "required"
        return f"{self.name} ({self.type}{choices}; {given}): {self.description}"


class UseCase(BaseModel):
    """When to use a function, and what it is then called with."""

    model_config = ConfigDict(extra="forbid")

    when: str
    eval_kwargs: dict[str, Any]


class Entry(BaseModel):
    """All that is to be said of a function."""

    model_config = ConfigDict(extra="forbid")

    name: str
    description: str
    parameters: list[Parameter]
    use_cases: list[UseCase]

    @property
    def told(self) -> str:
        """The entry as Markdown."""
        parameters = [f"- {parameter.told}" for parameter in self.parameters]
        uses = []
        for use in self.use_cases:
            evaluator = {"eval_func": self.name, "eval_kwargs": use.eval_kwargs}
            uses.append(f"- {use.when}\n  {json.dumps(evaluator, ensure_ascii=False)}")
        return "\n".join([f"### {self.name}", "", self.description, "", *parameters, "", "Use cases:", *uses])


@cache
def catalogue() -> dict[str, Entry]:
    """Every function by its name."""
    text = (files(__package__) / "catalogue.toml").read_text(encoding="utf-8")
    entries = [Entry.model_validate(one) for one in tomllib.loads(text)["functions"]]
    return {entry.name: entry for entry in entries}


def told(names: list[str] | None = None) -> str:
    """The catalogue as Markdown: what a prompt shows, and what a person reads."""
    return "\n\n".join(one for name, one in _told().items() if names is None or name in names)


@cache
def _told() -> dict[str, str]:
    return {name: entry.told for name, entry in catalogue().items()}
