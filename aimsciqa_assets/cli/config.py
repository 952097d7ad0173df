"""`aimsciqa settings`, and the option `--config`: one file for all settings, and where each value is from."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from aimsciqa_resources.settings_file import CONFIG, GENERAL, SINGLE, SettingsFile, settings_file
from rich.markup import escape
from rich.table import Table

from aimsciqa_assets.cli.terminal import console, print_json
from aimsciqa_assets.platform.home import Home

_SECRETS = {"extra_body", "engine_options", "models"}
"""Settings that hold JSON, into which somebody may have put a key."""

_HIDDEN = "(set, not shown)"


def use_config(file: Path | None) -> Path | None:
    """Let this process, and all that it starts, read another settings file."""
    if file is not None:
        os.environ[CONFIG] = str(file.absolute())
    return file


ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="settings file; default: aimsciqa.toml in AIMSCIQA_HOME",
        callback=use_config,
        is_eager=True,
    ),
]
PresetOption = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="default, aim-sciqa, paper or demo. All settings: aimsciqa settings"),
]


@dataclass(frozen=True, slots=True)
class Shown:
    """A setting as it is shown: `origin` is default, a preset, the settings file, or the environment."""

    section: str
    setting: str
    value: Any
    origin: str
    meaning: str


def settings_command(
    *,
    changed: Annotated[
        bool, typer.Option("--changed", help="only settings that are not at their default")
    ] = False,
    template: Annotated[
        bool,
        typer.Option("--template", help="print an aimsciqa.toml with every setting, as a comment, to edit"),
    ] = False,
    format: Annotated[Literal["table", "json"], typer.Option("--format", help="how to print them")] = "table",
    preset: Annotated[str | None, typer.Option(help="a preset, as for `aimsciqa run`")] = None,
    config: ConfigOption = None,
) -> None:
    """Show every setting with its value, and where the value comes from.

    A default is overridden by the preset, that by the settings file, that by the environment
    (AIMSCIQA_SECTION_SETTING). The settings of models are shown where they are not at their default. Keys
    and passwords are no settings: a setting names the variable that holds one.
    """
    shown = list(all_settings(preset))
    if changed:
        shown = [one for one in shown if one.origin != "default"]
    if template:
        print("\n".join(_template(shown)))  # noqa: T201
    elif format == "json":
        print_json([asdict(one) for one in shown], indent=1)
    else:
        file = settings_file()
        said = file.path or f"none ({Home.from_environment().folder / 'aimsciqa.toml'} would be read)"
        console.print(f"Settings file: {escape(str(said))}", highlight=False, soft_wrap=True)
        console.print(_table([one for one in shown if not _is_unchanged_of_a_model(one)]))


def all_settings(preset: str | None = None, environment: Mapping[str, str] = os.environ) -> Iterator[Shown]:
    """Every setting with its value and origin; raises `SettingsError`."""
    from aimsciqa_assets.settings import Settings, chosen_preset, layers, sections

    file = settings_file(environment)
    chosen: Any = preset or chosen_preset(environment)
    settings = Settings.preset_of(chosen, environment, file=file)
    yield from _general(preset, environment, file)
    for name, section in sections().items():
        said = list(layers(name, section, chosen, environment, file))
        for setting, info in section.model_fields.items():
            origins = [origin for origin, layer in said if setting in layer]
            value = getattr(getattr(settings, name), setting)
            yield Shown(
                "" if name in SINGLE else name,
                setting,
                _HIDDEN if setting in _SECRETS and value else value,
                origins[-1] if origins else "default",
                info.description or "",
            )


def _general(preset: str | None, environment: Mapping[str, str], file: SettingsFile) -> Iterator[Shown]:
    """The settings that have no section."""
    home = Home.from_environment(environment)
    yield Shown(
        "",
        "home",
        str(home.folder),
        "environment" if environment.get("AIMSCIQA_HOME") else "default",
        "folder of all data; only AIMSCIQA_HOME sets it",
    )
    defaults = {
        "preset": ("default", "the preset"),
        "journal": (
            str(home.folder / "journal.sqlite"),
            "file of the reply journal, or postgres:...; a lake has it beside its catalogue",
        ),
        "owners": ("team:aimsciqa", "owners that the web UI names"),
        "prompts": ("", "folder of prompts that replace those of the program"),
        "warehouse": (str(home.database), "the DuckDB file, or ducklake:postgres:... for a lake"),
        "warehouse_data": ("", "where the rows of a lake lie: a folder, or s3://bucket/prefix"),
        "warehouse_keep_days": ("7", "days for which maintenance keeps earlier states of a lake"),
        "shared": ("", "where all workers find ingested files and what others made: a folder, or s3://..."),
    }
    for key, variable in GENERAL.items():
        default, meaning = defaults[key]
        if key == "preset" and preset:
            value, origin = preset, "option --preset"
        elif environment.get(variable):
            value, origin = environment[variable], "environment"
        elif key in file.general:
            value, origin = file.general[key], file.path.name if file.path else ""
        else:
            value, origin = default, "default"
        yield Shown("", key, value, origin, meaning)


def _is_unchanged_of_a_model(shown: Shown) -> bool:
    return shown.section.endswith("_model") and shown.origin == "default"


def _table(shown: list[Shown]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("setting", no_wrap=True)
    table.add_column("value", overflow="fold")
    table.add_column("from", overflow="fold")
    section = ""
    for one in shown:
        if one.section != section:
            section = one.section
            table.add_row()
            table.add_row(f"[bold]{escape(f'[{section}]')}[/bold]")
        style = "dim" if one.origin == "default" else None
        table.add_row(one.setting, escape(_text(one.value)), escape(one.origin), style=style)
    return table


def _text(value: Any) -> str:
    return _toml(value) if isinstance(value, bool) else str(value)


def _template(shown: list[Shown]) -> Iterator[str]:
    """A settings file in which every line is a comment: whoever wants another value uncomments it."""
    yield "# Settings of aimsciqa. Uncomment what you want to change; the environment wins over this file."
    section = ""
    for one in shown:
        if one.setting == "home" or (one.section.endswith("_model") and one.section != "single_hop_model"):
            continue
        if one.section != section:
            section = one.section
            yield ""
            if section == "single_hop_model":
                yield "# The model of all tasks. [single_hop_model], [multi_hop_model], [answering_model] and"
                yield "# [judge_model] take the same settings for one task alone."
                yield "[model]"
            else:
                yield f"[{section}]"
        value = "" if one.value == _HIDDEN else one.value
        yield f"# {one.meaning}"
        yield f"# {one.setting} = {_toml(value)}"


def _toml(value: Any) -> str:
    """A value as TOML has it, which for these types is JSON."""
    return json.dumps(value, ensure_ascii=False)
