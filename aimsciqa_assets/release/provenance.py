"""Where a release comes from: models, prompts, settings and versions, for `PROVENANCE.json`."""

import re
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from aimsciqa.files import json_text
from aimsciqa.release import FORMAT
from aimsciqa_assets.asking.prompts import load_prompt, prompt_names
from aimsciqa_assets.platform.determinants import digest
from aimsciqa_assets.release.exporting import Export, export_queries
from aimsciqa_assets.release.layout import Counts
from aimsciqa_assets.settings import Settings

Manifest = dict[str, Any]

SETTINGS = (
    "systems",
    "encoder",
    "selection",
    "single_hop",
    "relations",
    "multi_hop",
    "benchmark",
    "necessity",
    "release",
)
"""The sections of the settings that a release states: those that may change what is in it."""
_PRIVATE = {"refresh", "embedding_base_url", "embedding_api_key_variable", "models"}
_PACKAGES = ("aimsciqa", "duckdb", "pyarrow")
_ADDRESS = re.compile(r"@\S+")
_FOLDERS = re.compile(r"(?<![\w.])/(?:[^\s/+>]+/)+")


def provenance(
    settings: Settings, export: Export, rows: Counts, sizes: Counts, licences: Mapping[str, int]
) -> Manifest:
    """All that `PROVENANCE.json` says of a release; `sizes` are the bytes of the Parquet files."""
    return {
        "name": settings.release.name,
        "format": FORMAT,
        "versions": {package: version(package) for package in _PACKAGES},
        "rows": rows,
        "bytes": sizes,
        "licences": dict(sorted(licences.items())),
        "left_out": list(export.rows("left_out")),
        "without_text": sum(1 for _ in export.rows("without_text", ["item_id"])),
        "models": [row | {"model": public(row["model"])} for row in export.rows("models")],
        "encoders": [row | {"encoder": public(row["encoder"])} for row in export.rows("encoders")],
        "settings": {section: _shown(settings, section) for section in SETTINGS},
        "prompts": prompts(),
    }


def manifest_text(manifest: Manifest) -> str:
    """`PROVENANCE.json`."""
    return json_text(manifest, indent=1) + "\n"


def public(name: str) -> str:
    """The name of a model without the address of its server and the folders it lies in."""
    return _FOLDERS.sub("", _ADDRESS.sub("", name))


def prompts() -> list[dict[str, str]]:
    """The prompts with their versions; `prompt_version` of a row names those that made it."""
    loaded = [load_prompt(name) for name in prompt_names()]
    return [{"name": prompt.name, "version": prompt.version, "text": prompt.text} for prompt in loaded]


def code_version() -> str:
    """The version of the prompts and queries that make a release."""
    queries = {name: query.version for name, query in export_queries().items()}
    versions = [prompt["version"] for prompt in prompts()]
    return digest({"format": FORMAT, "queries": queries, "prompts": versions})[:12]


def _shown(settings: Settings, section: str) -> dict[str, Any]:
    chosen = getattr(settings, section)
    values = {name: chosen.determining(name) for name in chosen.model_dump(exclude=_PRIVATE)}
    return {name: public(value) if isinstance(value, str) else value for name, value in values.items()}
