"""Where a step that asks a language model may run: its pool, and tags for launchers that assign GPUs."""

import json
import os
from collections.abc import Mapping
from typing import Any

from aimsciqa_resources.settings_file import settings_file

from aimsciqa_assets.settings import SHARED_MODEL, variable_name

GPU_POOL = "gpu"
"""Steps of this pool share the model: `concurrency.pools` in `dagster.yaml` says how many run at once."""

_KUBERNETES = "dagster-k8s/config"
_ONE_GPU = {"container_config": {"resources": {"limits": {"nvidia.com/gpu": "1"}}}}


def gpu_tags(task: str, environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Op tags of a step that asks the model of `task` ("" for none).

    With the backend vllm the step itself needs a GPU: Kubernetes gives it one. A step that asks a server
    needs none.
    """
    if not task:
        return {}
    tags: dict[str, Any] = {"aimsciqa/model": task}
    return tags | {_KUBERNETES: _ONE_GPU} if _needs_gpu(task, environment) else tags


def gpu_run_tags(task: str, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The same for a whole run, where the launcher makes one container for all of its steps."""
    return {_KUBERNETES: json.dumps(_ONE_GPU)} if task and _needs_gpu(task, environment) else {}


def _needs_gpu(task: str, environment: Mapping[str, str]) -> bool:
    sections = (f"{task}_model", SHARED_MODEL)
    file = settings_file(environment)
    said = [
        *(environment.get(variable_name(section, "backend")) for section in sections),
        *(file.of(section).get("backend") for section in sections),
    ]
    return next(filter(None, said), "") == "vllm"
