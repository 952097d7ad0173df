"""The settings as the launchpad of the web UI shows them: a preset, and whatever is to be put over it."""

import os
from collections.abc import Mapping

import dagster as dg

from aimsciqa_assets.settings import PRESETS, Preset, Settings, sections

_PRESET = (
    "demo: for small corpora, with the embedded defaults; paper: every number of the AIM-SciQA paper. "
    "Environment variables of the code location (AIMSCIQA_<SECTION>_<SETTING>) are put over it, and over "
    "these any setting that is written here."
)


def launchpad_settings(default: Preset, environment: Mapping[str, str] = os.environ) -> dg.ResourceDefinition:
    """The resource `settings` of the web UI, a `Settings` made of its launchpad; `default` is its preset.

    A setting that is left out there is that of the preset and the environment. (With a `Settings` as the
    resource, Dagster would take it from the class instead.) Raises `SettingsError`, as does a run with a
    value that does not fit.
    """
    bases = {preset: Settings.preset_of(preset, environment) for preset in PRESETS}

    @dg.resource(
        description="All settings of the method: a preset, and any setting to put over it.",
        config_schema={
            "preset": dg.Field(
                dg.Enum("Preset", [dg.EnumValue(preset) for preset in PRESETS]),
                default_value=default,
                description=_PRESET,
            ),
            **{name: _optional(name, section, bases) for name, section in sections().items()},
        },
    )
    def settings(context: dg.InitResourceContext) -> Settings:
        over = dict(context.resource_config)
        return Settings.preset_of(over.pop("preset"), environment, over)

    return settings


def _optional(name: str, section: type[dg.Config], bases: Mapping[Preset, Settings]) -> dg.Field:
    """A section of the settings of which everything may be left out, and the values that then hold."""
    fields = {
        setting: dg.Field(
            field.config_type,
            is_required=False,
            description=f"{field.description} ({_values(name, setting, bases)})",
        )
        for setting, field in section.to_fields_dict().items()
    }
    return dg.Field(fields, is_required=False, description=section.__doc__)


def _values(name: str, setting: str, bases: Mapping[Preset, Settings]) -> str:
    values = {preset: repr(getattr(getattr(base, name), setting)) for preset, base in bases.items()}
    if len(set(values.values())) == 1:
        return f"default {next(iter(values.values()))}"
    return ", ".join(f"{preset} {value}" for preset, value in values.items())
