"""The settings in the launchpad of the web UI: a preset, and settings that override it."""

import os
from collections.abc import Mapping

import dagster as dg
from aimsciqa_resources.settings_file import NO_FILE, SettingsFile

from aimsciqa_assets.settings import PRESETS, Preset, Settings, sections

_PRESET = (
    "default: for small corpora; aim-sciqa: every number of the AIM-SciQA paper, with whatever models are "
    "set; paper: these numbers and the models that it names; demo: for the demo corpus. The settings file "
    "aimsciqa.toml overrides it, environment variables of the code location (AIMSCIQA_<SECTION>_<SETTING>) "
    "override that, and a setting that is written here overrides all."
)


def launchpad_settings(
    default: Preset, environment: Mapping[str, str] = os.environ, file: SettingsFile = NO_FILE
) -> dg.ResourceDefinition:
    """The resource `settings` of the web UI, a `Settings` made of its launchpad; `default` is its preset.

    A setting that is left out comes from the environment, else from the file, else from the preset. (With a
    `Settings` as the resource, Dagster would take the default of the class.) Raises `SettingsError` for a bad
    value in the environment or the file; a run raises it for a bad value in the launchpad.
    """
    bases = {preset: Settings.preset_of(preset, environment, file=file) for preset in PRESETS}

    @dg.resource(
        description="All settings of the method: a preset, and settings that override it.",
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
        return Settings.preset_of(over.pop("preset"), environment, over, file)

    return settings


def _optional(name: str, section: type[dg.Config], bases: Mapping[Preset, Settings]) -> dg.Field:
    """A section of the settings in which everything is optional; its texts name the defaults."""
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
