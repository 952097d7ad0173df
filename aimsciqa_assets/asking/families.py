"""Families of language models: a judge never judges the answers of its own (HopWeaver, section 2.6)."""

import re
from typing import Final

from aimsciqa_resources.language_model.settings import RECORDED

_NAMED: Final[dict[str, str]] = {
    "qwen": r"qwen|qwq|qvq",
    "llama": r"llama|vicuna|alpaca",
    "mistral": r"mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|mathstral|zephyr",
    "openai": r"\bgpt-?[2-9]|\bgpt-oss|chatgpt|\bo[1-9]\b|davinci|babbage",
    "anthropic": r"claude",
    "google": r"gemini|gemma|\bpalm\b|\bt5\b|flan",
    "deepseek": r"deepseek",
    "microsoft": r"\bphi-?[1-9]|\bphi\b|wizardlm|\borca\b",
    "cohere": r"command-(?:a|r|light|nightly)|\baya\b",
    "xai": r"\bgrok",
    "zhipu": r"\bglm|chatglm",
    "01": r"\byi-",
    "moonshot": r"kimi|moonshot|moonlight",
    "minimax": r"minimax",
    "internlm": r"internlm",
    "baichuan": r"baichuan",
    "ibm": r"granite",
    "falcon": r"falcon",
    "allenai": r"olmo|tulu|tülu",
    "nvidia": r"nemotron",
    "amazon": r"\bnova-|\btitan",
    "baidu": r"ernie",
    "tencent": r"hunyuan",
    "lg": r"exaone",
    "upstage": r"\bsolar\b",
    "ai21": r"jamba|jurassic",
    "bigscience": r"\bbloom",
}
_VENDORS: Final = {
    "qwen": "qwen", "alibaba": "qwen", "meta-llama": "llama", "meta": "llama", "facebook": "llama",
    "mistralai": "mistral", "mistral": "mistral", "openai": "openai", "anthropic": "anthropic",
    "google": "google", "google-deepmind": "google", "deepseek-ai": "deepseek", "deepseek": "deepseek",
    "microsoft": "microsoft", "cohere": "cohere", "cohereforai": "cohere", "coherelabs": "cohere",
    "x-ai": "xai", "xai": "xai", "thudm": "zhipu", "zai-org": "zhipu", "z-ai": "zhipu", "01-ai": "01",
    "moonshotai": "moonshot", "minimaxai": "minimax", "internlm": "internlm", "baichuan-inc": "baichuan",
    "ibm-granite": "ibm", "tiiuae": "falcon", "allenai": "allenai", "nvidia": "nvidia", "amazon": "amazon",
    "baidu": "baidu", "tencent": "tencent", "lgai-exaone": "lg", "upstage": "upstage", "ai21labs": "ai21",
    "bigscience": "bigscience",
}  # fmt: skip


def model_families(name: str) -> frozenset[str]:
    """The families of a model as the settings write it: NAME, VENDOR/NAME, NAME@ADDRESS or recorded:NAMES.

    More than one for a model that was made of another vendor's (DeepSeek-R1-Distill-Qwen-7B). The last part
    of the name decides, else the vendor; a name that says neither is a family of its own. Who replied
    beforehand, a person or a model, counts like a model of that name.
    """
    if name.startswith(RECORDED):
        return frozenset().union(*map(model_families, name.removeprefix(RECORDED).split(",")))
    *path, last = name.partition("@")[0].casefold().strip("/").split("/")
    families = {family for family, pattern in _NAMED.items() if re.search(pattern, last.replace("_", "-"))}
    if not families:
        families = {_VENDORS[vendor] for vendor in path if vendor in _VENDORS}
    return frozenset(families or {last})


def same_family(one: str, other: str) -> bool:
    """Whether two models have a family in common."""
    return not model_families(one).isdisjoint(model_families(other))
