"""The runs of AirQA's baselines that the settings name: a baseline, a model, and what changes its replies.

A run has the same id wherever it is made, so that its rows stay when the settings name other runs.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from aimsciqa_resources.language_model.settings import ModelSettings

from aimsciqa_assets.settings.airqa import AirqaSettings

if TYPE_CHECKING:
    from aimsciqa_assets.settings.layered import Settings

RUN_ID: Final = "run_id"
TASK: Final = "airqa"
WITH_RULES: Final = frozenset({"question_only", "title_abstract", "full_text", "rag"})
"""The baselines that the extractive reader can answer for; the others need a language model."""

_AGENT: Final = ("action_format", "action_style", "turns", "window", "view", "images", "answer_tokens")
_MATTER: Final[Mapping[str, tuple[str, ...]]] = {
    "question_only": (),
    "title_abstract": (),
    "full_text": ("full_text_tokens",),
    "rag": ("passages", "retriever"),
    "text2sql": ("query_seconds",),
    "agentic_rag": (*_AGENT, "retriever"),
    "agentic_text2sql": (*_AGENT, "query_seconds"),
    "agentic_hybrid": (*_AGENT, "retriever", "query_seconds"),
}
"""The settings that change what a baseline asks, by baseline."""
OBSERVATION_FORM: Final = 2
"""Counts the forms of what Retrieve gives: agents that saw another form are other runs. 2: with titles."""
_RETRIEVING: Final = frozenset({"agentic_rag", "agentic_hybrid"})
DETERMINING: Final = (
    *("repeats", "sample", "seed", "temperature", "top_p", "reply_tokens"),
    *dict.fromkeys(("answer_tokens", *(name for names in _MATTER.values() for name in names))),
)
"""The settings that determine the rows of a run."""


@dataclass(frozen=True, slots=True)
class Run:
    """A baseline with a model."""

    run_id: str
    baseline: str
    model: ModelSettings
    settings: Mapping[str, Any]


def runs_of(settings: "Settings") -> dict[str, Run]:
    """The runs that the settings name, by id."""
    found = (
        _run(baseline, model, settings.airqa)
        for model in agent_models(settings)
        for baseline in settings.airqa.baseline_names
    )
    return {run.run_id: run for run in found}


def agent_models(settings: "Settings") -> list[ModelSettings]:
    """The models of the runs, sampling as `airqa` says."""
    chosen = settings.airqa
    named = [settings.named_model(TASK, name) for name in dict.fromkeys(chosen.models.split())]
    drawn = {name: getattr(chosen, name) for name in ("temperature", "top_p", "reply_tokens")}
    return [model.model_copy(update=drawn) for model in named or [settings.models[TASK]]]


def _run(baseline: str, model: ModelSettings, chosen: AirqaSettings) -> Run:
    matter = {name: getattr(chosen, name) for name in _MATTER[baseline]}
    if baseline in _RETRIEVING:
        matter["observations"] = OBSERVATION_FORM
    drawn = "" if model.backend in ("scripted", "recorded") else model.sampling
    determined = json.dumps([baseline, model.label, model.revision, drawn, matter], sort_keys=True)
    mark = blake2b(determined.encode(), digest_size=6).hexdigest()
    return Run(f"{baseline}-{mark}", baseline, model, matter)
