"""Settings of single models by name, for the lists of answerers and judges: another key, another temperature.

They are a JSON object: by name the settings in which that model differs from the model of its task. (A table
`models` of a TOML file, written as JSON, is the same.)

    {"gpt-5": {"base_url": "https://api.openai.com/v1", "temperature": 1,
               "extra_body": {"reasoning_effort": "low"}},
     "my-qwen": {"name": "Qwen/Qwen2.5-7B-Instruct", "api_key_variable": "LAB_KEY"}}
"""

import difflib
import json
from typing import Any

from aimsciqa_resources.language_model.settings import ModelSettings

Named = dict[str, dict[str, Any]]
_AS_JSON = ("extra_body", "engine_options")


def read_named(written: str) -> Named:
    """The settings by model name; fields that are JSON themselves may be objects. Raises `ValueError`."""
    if not written:
        return {}
    try:
        read = json.loads(written)
    except ValueError:
        # The text is not repeated: somebody may have put a key there.
        raise ValueError('must be a JSON object such as {"gpt-5": {"temperature": 1}}') from None
    if not isinstance(read, dict):
        raise ValueError("must be a JSON object: settings by the name of a model")
    return {name: _settings_of(name, chosen) for name, chosen in read.items()}


def _settings_of(name: str, chosen: Any) -> dict[str, Any]:
    if not isinstance(chosen, dict):
        raise ValueError(f"{name}: must be an object of settings, such as {{}}")
    if not name or name.split() != [name] or "@" in name:
        raise ValueError(f"{name!r}: the name of a model holds no blank and no @")
    for setting in chosen:
        if setting not in ModelSettings.model_fields:
            near = difflib.get_close_matches(setting, ModelSettings.model_fields, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise ValueError(f"{name}: a model has no setting {setting!r}.{hint}")
    return {setting: _as_written(setting, value) for setting, value in chosen.items()}


def _as_written(setting: str, value: Any) -> Any:
    """A value as a variable of the environment has it."""
    if setting in _AS_JSON and isinstance(value, dict):
        return json.dumps(value)
    if setting == "base_url" and isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ",".join(value)
    return value
