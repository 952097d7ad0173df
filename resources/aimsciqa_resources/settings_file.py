"""The settings file: `aimsciqa.toml` in `AIMSCIQA_HOME`, or the file that `AIMSCIQA_CONFIG` names.

A table of the file is a section of the settings: `[relations]` with `tau = 0.3` is AIMSCIQA_RELATIONS_TAU.
Above all tables stand the few settings that have no section: `preset`, `systems`, `journal`, `owners`,
`prompts` and those of the warehouse and of the place that workers share. A table `[models.NAME]` has the
settings of a single answerer or judge. The environment wins over the file.
Which keys there are is known to `aimsciqa_assets/settings/`; this module only reads.
"""

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from aimsciqa_resources.variables import SettingsError, near_to

FILE_NAME = "aimsciqa.toml"
CONFIG = "AIMSCIQA_CONFIG"
GENERAL = {
    "preset": "AIMSCIQA_PRESET",
    "journal": "AIMSCIQA_JOURNAL",
    "owners": "AIMSCIQA_OWNERS",
    "prompts": "AIMSCIQA_PROMPTS",
    "warehouse": "AIMSCIQA_WAREHOUSE",
    "warehouse_data": "AIMSCIQA_WAREHOUSE_DATA",
    "warehouse_keep_days": "AIMSCIQA_WAREHOUSE_KEEP_DAYS",
    "shared": "AIMSCIQA_SHARED",
}
"""The keys above all tables, and the variable that wins over each."""

SINGLE = ("systems",)
"""The settings above all tables that are a section of their own, of one setting."""

_BY_NAME = ("models", "retriever_models")
"""Tables of tables, a model each: `[models.NAME]` is the setting `models` of the section `benchmark`."""

_PATHS = {"journal", "prompts", "recordings", "prices"}
_WITH_COMMAS = {"owners", "licences", "name", "base_url"}


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """What a file says, by section and setting; lists are joined, as a variable has them."""

    path: Path | None = None
    sections: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    general: Mapping[str, str] = field(default_factory=dict)

    def of(self, section: str) -> dict[str, Any]:
        """The settings of a section."""
        return dict(self.sections.get(section, {}))

    def where(self, section: str) -> str:
        """The place of a section, for people."""
        name = self.path.name if self.path else FILE_NAME
        return name if section in SINGLE else f"{name} [{section}]"

    def refuse_unknown(self, known: Mapping[str, set[str]]) -> None:
        """Raise `SettingsError` for a section or key that is not known; `known` are the keys by section."""
        for section, settings in self.sections.items():
            if section not in known:
                self._refuse(f"section [{section}]", near_to(section, known))
            for setting in settings:
                if setting not in known[section]:
                    self._refuse(f"setting {setting} in [{section}]", near_to(setting, known[section]))

    def _refuse(self, what: str, near: str) -> None:
        hint = f" Did you mean {near}?" if near else ""
        raise SettingsError(
            f"{self.path}: there is no {what}.{hint} `aimsciqa settings` lists all; remove this one."
        )


NO_FILE = SettingsFile()


def settings_file(environment: Mapping[str, str] = os.environ) -> SettingsFile:
    """The settings file of an environment; without one, a file that says nothing. Raises `SettingsError`."""
    named = environment.get(CONFIG)
    path = Path(named or Path(environment.get("AIMSCIQA_HOME") or "data") / FILE_NAME).absolute()
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        if named:
            raise SettingsError(f"There is no settings file {path} (--config, or {CONFIG}).") from None
        return NO_FILE
    return _read(path, changed)


def general(variable: str, environment: Mapping[str, str] = os.environ) -> str:
    """The value of a setting without a section, from the environment, else from the file; "" where unset."""
    key = next(key for key, name in GENERAL.items() if name == variable)
    return environment.get(variable) or settings_file(environment).general.get(key, "")


@lru_cache(maxsize=4)
def _read(path: Path, changed: int) -> SettingsFile:
    """The file as it was when it was `changed` last."""
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from None
    sections: dict[str, dict[str, Any]] = {}
    above: dict[str, str] = {}
    named: dict[str, str] = {}
    for name, value in said.items():
        if isinstance(value, dict) and name in _BY_NAME:
            named[name] = json.dumps(value)
        elif isinstance(value, dict):
            sections[name] = {
                setting: _value(path, setting, one, f"{setting} in [{name}]")
                for setting, one in value.items()
            }
        elif name in SINGLE:
            sections[name] = {name: _value(path, name, value, name)}
        elif name in GENERAL:
            above[name] = str(_value(path, name, value, name))
        else:
            near = near_to(name, (*GENERAL, *SINGLE))
            hint = f" Did you mean {near}?" if near else ""
            raise SettingsError(
                f"{path}: there is no setting {name} above the tables.{hint} Put a setting into the table of "
                "its section, such as [model]."
            )
    if named:
        sections["benchmark"] = sections.get("benchmark", {}) | named
    return SettingsFile(path, sections, above)


def _value(path: Path, setting: str, value: Any, where: str) -> Any:
    """A value as the settings take it: lists are joined, tables are JSON, paths start from the file."""
    if isinstance(value, dict):
        return json.dumps(value)
    if isinstance(value, list):
        if not all(isinstance(one, str) for one in value):
            raise SettingsError(f"{path}: {where} must be a text, or a list of texts.")
        return (", " if setting in _WITH_COMMAS else " ").join(value)
    if isinstance(value, date):
        return value.isoformat()
    if setting in _PATHS and isinstance(value, str) and value and not value.startswith("postgres:"):
        return str(path.parent / Path(value).expanduser())
    return value
