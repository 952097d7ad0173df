"""What a check is: a small function over a home and its settings, which says what it found."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from aimsciqa_resources.language_model.probing import Answer, answers_of
from aimsciqa_resources.variables import SettingsError
from aimsciqa_resources.warehouse import Warehouse, WarehouseMissingError

from aimsciqa_assets.cli.troubles import told_of
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.settings import Settings

if TYPE_CHECKING:
    from aimsciqa_assets.cli.doctor.asked import AskedService

State = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: how it is, what was seen, and what to do about it."""

    state: State
    said: str
    advice: str = ""


def ok(said: str) -> Finding:
    """All is well."""
    return Finding("ok", said)


def warning(said: str, advice: str) -> Finding:
    """A run can go on, and somebody should look at this."""
    return Finding("warning", said, advice)


def problem(said: str, advice: str) -> Finding:
    """A run fails, or must not be trusted."""
    return Finding("problem", said, advice)


@dataclass(frozen=True)
class Examined:
    """What is examined: a home, and the settings and servers that its runs would use."""

    home: Home
    preset: str | None = None
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    now: Callable[[], float] = time.time

    @cached_property
    def settings(self) -> Settings:
        """The settings; raises `SettingsError`."""
        return Settings.of_environment(self.preset)

    @cached_property
    def warehouse(self) -> Warehouse:
        """The warehouse."""
        return self.home.warehouse

    @cached_property
    def answers(self) -> "dict[AskedService, Answer]":
        """The answer of each server that runs ask; all are asked at once, within seconds."""
        from aimsciqa_assets.cli.doctor.asked import (
            encoders,
            models,
            services_of_encoders,
            services_of_models,
        )

        settings, environment = self.settings, self.environment
        asked = [
            *services_of_models(settings, models(settings), environment),
            *services_of_encoders(encoders(settings), settings.benchmark, environment),
        ]
        answers = answers_of(one.service for one in asked)
        return {one: answers[one.service] for one in asked}


@dataclass(frozen=True, slots=True)
class Check:
    """A check by name. `reads_much`: it takes longer the more there is, and can be left out."""

    name: str
    examine: Callable[[Examined], Iterable[Finding]]
    reads_much: bool = False


def findings_of(check: Check, examined: Examined) -> Iterator[Finding]:
    """What a check finds. An error that it meets is a problem.

    Checks of their own tell of bad settings and of a warehouse that is missing: the others then find nothing.
    """
    try:
        yield from check.examine(examined)
    except (SettingsError, WarehouseMissingError):
        return
    except Exception as error:
        yield _failed(error, examined.home)


def _failed(error: Exception, home: Home) -> Finding:
    if told := told_of(error, home):
        said, _, advice = told.partition("\n")
        return problem(said, advice)
    first = (str(error).strip() or type(error).__name__).splitlines()[0]
    return problem(
        f"the check itself failed: {type(error).__name__}: {first}",
        "This is a fault of the program. Report it with these lines.",
    )
