"""Where settings are said, in the order in which they override each other, and which place is at fault."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import dagster as dg
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.settings_file import NO_FILE, SettingsFile, general
from pydantic import ValidationError

from aimsciqa_assets.settings.presets import VALUES, Preset

SHARED_MODEL = "model"
BACKEND = "backend"
_LIKE = {
    "drafter_model": "findings_model",
    "challenger_model": "findings_model",
    "strict_reader_model": "findings_model",
    "filter_model": "hopweaver_model",
    "reader_model": "polisher_model",
    "summary_model": "airqa_model",
    "tracker_model": "extractor_model",
    "actor_model": "extractor_model",
}
"""Models that are as others while nothing else is said of them."""
_VARIABLE_OF_MODELS = re.compile(r"AIMSCIQA_MODEL_([A-Z_]+)")
_MAY_HOLD_A_SECRET = {
    *(
        "api_key_variable",
        "base_url",
        "extra_body",
        "models",
        "retriever_models",
        "embedding_base_url",
        "embedding_api_key_variable",
    ),
    *("eutils_url", "bucket_url", "oai_url"),
    *("base_url_v1", "base_url_v2", "user_variable", "password_variable"),
}


def chosen_preset(environment: Mapping[str, str] = os.environ) -> Preset:
    """`AIMSCIQA_PRESET`, else that of the settings file, else the default. The name is not checked here."""
    return general("AIMSCIQA_PRESET", environment) or "default"  # type: ignore[return-value]


def layers(
    name: str,
    section: type[dg.Config],
    preset: Preset,
    environment: Mapping[str, str],
    file: SettingsFile = NO_FILE,
) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is said of a section, and where: each layer overrides those before it."""
    yield f"preset {preset}", dict(VALUES[preset].get(name, {}))
    names = tables_of(name, section)
    for one in names:
        texts = {setting for setting, info in section.model_fields.items() if info.annotation is str}
        said = file.of(one).items()
        yield (
            file.where(one),
            {setting: str(value) if setting in texts else value for setting, value in said},
        )
    for one in names:
        yield "environment", dict(_overrides(one, section, environment))


def tables_of(name: str, section: type[dg.Config]) -> list[str]:
    """The names under which a section is set; what a later one says overrides what an earlier one says."""
    if section is not ModelSettings:
        return [name]
    return [SHARED_MODEL, *([_LIKE[name]] if name in _LIKE else []), name]


@dataclass(frozen=True, slots=True)
class Said:
    """What environment, launchpad (settings by section) and settings file say."""

    environment: Mapping[str, str]
    chosen: Mapping[str, Mapping[str, Any]]
    file: SettingsFile

    def complaint(self, name: str, section: type[dg.Config], error: ValidationError) -> str:
        """What is wrong with the section of this name, and the variable or setting at fault.

        The value is shown, unless somebody may have put a secret there.
        """
        first = error.errors()[0]
        message = first["msg"].removeprefix("Value error, ")
        if not first["loc"]:
            # An error without a setting comes from a check of a whole model section, which is about its
            # backend.
            named = self._set_by(name, section, BACKEND)
            prefix = named.removesuffix(BACKEND.upper())
            if prefix != named:
                message = message.replace(variable_name(SHARED_MODEL, ""), prefix)
            else:
                # Of the settings file, whose keys are short.
                message = _VARIABLE_OF_MODELS.sub(lambda found: found[1].lower(), message)
            return f"{named}: {message}"
        setting = str(first["loc"][0])
        shown = "" if setting in _MAY_HOLD_A_SECRET else f"={first['input']!r}"
        return f"{self._set_by(name, section, setting)}{shown}: {message}"

    def _set_by(self, name: str, section: type[dg.Config], setting: str) -> str:
        """Where a setting got its value: in the launchpad, by its own variable or that of all models, or in
        the settings file.
        """
        own, shared = variable_name(name, setting), variable_name(SHARED_MODEL, setting)
        of_model = section is ModelSettings
        if setting in self.chosen.get(name, {}):
            return f"{name}.{setting}"
        if own in self.environment:
            return own
        if of_model and shared in self.environment:
            return shared
        if setting in self.file.of(name):
            return f"{self.file.where(name)} {setting}"
        if of_model and setting in self.file.of(SHARED_MODEL):
            return f"{self.file.where(SHARED_MODEL)} {setting}"
        return own


def variable_name(section: str, setting: str) -> str:
    """The environment variable that overrides a setting; `systems` has no section beside its name."""
    return f"AIMSCIQA_{section if section == setting else f'{section}_{setting}'}".upper()


def _overrides(section: str, config: type[dg.Config], environment: Mapping[str, str]) -> dict[str, str]:
    names = {setting: variable_name(section, setting) for setting in config.model_fields}
    return {setting: environment[name] for setting, name in names.items() if name in environment}
