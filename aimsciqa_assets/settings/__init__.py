"""Settings: what can be set (`sections`), the presets, and what is in force (`layered`)."""

from aimsciqa_resources.variables import SettingsError

from aimsciqa_assets.settings.layered import (
    Settings,
    keys_of_file,
    model_settings_table,
    sections,
    settings_table,
    variables,
)
from aimsciqa_assets.settings.places import SHARED_MODEL, chosen_preset, layers, variable_name
from aimsciqa_assets.settings.presets import PRESETS, Preset

__all__ = [
    "PRESETS",
    "SHARED_MODEL",
    "Preset",
    "Settings",
    "SettingsError",
    "chosen_preset",
    "keys_of_file",
    "layers",
    "model_settings_table",
    "sections",
    "settings_table",
    "variable_name",
    "variables",
]
