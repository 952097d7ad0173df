"""Dialogues of three turns, each turn about the reply before; as a process, for tests that kill it.

`python -m tests.three_turns URL JOURNAL COUNT` prints a line for each result.
"""

import sys
from pathlib import Path

from aimsciqa_resources.language_model import Dialogue, LanguageModel, Message, ModelRequest, converse
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.settings import ModelSettings

IN_FLIGHT = 8


def request(key: str, *texts: str, **more) -> ModelRequest:
    roles = ("user", "assistant") * len(texts)
    messages = tuple(Message(role, text) for role, text in zip(roles, texts, strict=False))
    return ModelRequest("three_turns", key, {}, messages, **more)


def three_turns(key: str) -> Dialogue[str]:
    """The replies to three questions, of which the second and the third hold the replies before."""
    first = yield request(key, f"{key}: one")
    second = yield request(key, f"{key}: one", first.text, f"{key}: two, after {first.text}")
    third = yield request(key, f"{key}: three, after {second.text}")
    return f"{first.text} {second.text} {third.text}"


def model_at(url: str, journal: Path, **settings) -> LanguageModel:
    values = {"backend": "server", "name": "m", "base_url": url}
    values |= {"in_flight": IN_FLIGHT, "most_in_flight": IN_FLIGHT}
    return LanguageModels(journal).open(ModelSettings(**values | settings))


def main() -> None:
    url, journal, count = sys.argv[1:]
    dialogues = (three_turns(f"dialogue {number}") for number in range(int(count)))
    for result in converse(model_at(url, Path(journal)), dialogues):
        sys.stdout.write(f"{result}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
