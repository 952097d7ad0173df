"""Reads a ShareGPT file as LLaMA-Factory's loader does: by `dataset_info.json`, into labelled tokens.

A second implementation of its documented format and its rules: people and observations at odd places, the
model at even ones; an even number of messages; as many pictures as `<image>`. A row that breaks a rule is
skipped there, and raises here. A word is a token.
"""

import json
from pathlib import Path
from typing import Any


def read(folder: Path, name: str) -> list[dict[str, Any]]:
    """The rows of a dataset as the loader aligns them: prompt, response, system, tools, images."""
    info = json.loads((folder / "dataset_info.json").read_text())[name]
    assert info["formatting"] == "sharegpt"
    columns = {"messages": "conversations", "system": None, "tools": None, "images": None} | info["columns"]
    with (folder / info["file_name"]).open(encoding="utf-8") as file:
        return [_aligned(json.loads(line), columns, info["tags"], folder) for line in file]


def _aligned(row: dict[str, Any], columns: dict, tags: dict[str, str], folder: Path) -> dict[str, Any]:
    odd = {tags["user_tag"]: "user", tags["observation_tag"]: "observation"}
    even = {tags["assistant_tag"]: "assistant", tags["function_tag"]: "function"}
    messages = row[columns["messages"]]
    system = row[columns["system"]] if columns["system"] else ""
    if messages[0][tags["role_tag"]] == tags["system_tag"]:
        system, messages = messages[0][tags["content_tag"]], messages[1:]
    roles = [
        (odd, even)[place % 2][one[tags["role_tag"]]] for place, one in enumerate(messages)
    ]  # another role is a KeyError
    if len(messages) % 2:
        raise ValueError("invalid message count")
    aligned = [
        {"role": role, "content": one[tags["content_tag"]]} for role, one in zip(roles, messages, strict=True)
    ]
    images = [folder / path for path in row[columns["images"]]] if columns["images"] else []
    if missing := [path for path in images if not path.is_file()]:
        raise FileNotFoundError(missing)
    if sum(one["content"].count("<image>") for one in aligned) != len(images):
        raise ValueError("the number of images does not match the number of <image> tokens")
    tools = row[columns["tools"]] if columns["tools"] else ""
    if tools:
        assert [tool["type"] for tool in json.loads(tools)] == ["function"] * len(json.loads(tools))
    return {
        "prompt": aligned[:-1],
        "response": aligned[-1:],
        "system": system,
        "tools": tools,
        "images": images,
    }


def labelled(row: dict[str, Any], *, mask_history: bool) -> list[tuple[str, bool]]:
    """Each word of a row, and whether the loss is taken on it."""
    messages = row["prompt"] + row["response"]
    told = [(word, False) for word in row["system"].split()]
    for place, message in enumerate(messages):
        learnt = message["role"] in ("assistant", "function") and (
            not mask_history or place == len(messages) - 1
        )
        told += [(word, learnt) for word in message["content"].split()]
    return told
