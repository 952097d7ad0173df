"""The manifests of docker/kubernetes/ as tests read them; schemas and types of Kubernetes that they fit."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

RELEASES = ("1.30", "1.37")
"""Of Kubernetes, whose schemas all objects pass."""
FOLDER = Path(__file__).parents[2] / "docker" / "kubernetes"
_LIST, _DICT = re.compile(r"list\[(.+)\]"), re.compile(r"dict\[str, (.+)\]")


@cache
def documents() -> tuple[dict[str, Any], ...]:
    """Every object of the manifests, without that of kustomize."""
    files = [
        path for path in sorted(FOLDER.glob("*.yaml")) if path.name not in {"dagster.yaml", "workspace.yaml"}
    ]
    found = [one for path in files for one in yaml.safe_load_all(path.read_text())]
    return tuple(one for one in found if one["kind"] != "Kustomization")


def named(kind: str, name: str) -> dict[str, Any]:
    (found,) = [one for one in documents() if one["kind"] == kind and one["metadata"]["name"] == name]
    return found


def pods() -> dict[str, dict[str, Any]]:
    """The pod of each deployment and stateful set, by name."""
    return {
        one["metadata"]["name"]: one["spec"]["template"]
        for one in documents()
        if one["kind"] in ("Deployment", "StatefulSet")
    }


def settings() -> dict[str, str]:
    lines = (FOLDER / "settings.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and line[0] != "#")


def instance() -> dict[str, Any]:
    """dagster.yaml."""
    return yaml.safe_load((FOLDER / "dagster.yaml").read_text())


def must_pass_schemas(objects: Iterable[dict[str, Any]]) -> None:
    """Fail for an object that the published schemas of Kubernetes refuse, unknown fields included."""
    checking = pytest.importorskip("kubernetes_validate", reason="needs its schemas: make test-cluster")
    for one in objects:
        for release in RELEASES:
            assert checking.validate(one, release, strict=True) == release


def misfits(value: Any, kind: str, where: str) -> list[str]:
    """What of a value does not fit a type of the Kubernetes API: unknown, missing and mistyped fields."""
    from kubernetes.client import models

    if found := _LIST.fullmatch(kind):
        if not isinstance(value, list):
            return [f"{where} is no list"]
        return [
            bad for number, one in enumerate(value) for bad in misfits(one, found[1], f"{where}[{number}]")
        ]
    if found := _DICT.fullmatch(kind):
        return [bad for key, one in value.items() for bad in misfits(one, found[1], f"{where}.{key}")]
    if (model := getattr(models, kind, None)) is None:
        right = {"str": str, "int": int, "bool": bool, "object": (str, int, dict)}[kind]
        return [] if isinstance(value, right) else [f"{where} is no {kind}: {value!r}"]
    if not isinstance(value, dict):
        return [f"{where} is no {kind}"]
    fields = {written: name for name, written in model.attribute_map.items()}
    bad = [f"{where}.{name} is unknown" for name in value if name not in fields]
    for name, inner in value.items():
        if name in fields:
            bad += misfits(inner, model.openapi_types[fields[name]], f"{where}.{name}")
    return bad or _refused(model, {fields[name]: inner for name, inner in value.items()}, where)


def _refused(model: Any, values: dict[str, Any], where: str) -> list[str]:
    """What the type itself refuses: required fields that are missing."""
    try:
        model(**values)
    except ValueError as error:
        return [f"{where}: {error}"]
    return []
