"""Ours: the backend `server` with its journal on disk, as a step of the pipeline uses it."""

import tempfile
from argparse import Namespace
from pathlib import Path

from aimsciqa_resources.language_model import Message, ModelRequest
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.settings import ModelSettings

from benchmarks.workload import Messages, Send, run_client


def prepared(options: Namespace, chats: list[Messages]) -> Send:
    """Ready to send; the journal is empty."""
    settings = ModelSettings(
        backend="server",
        name=options.model,
        base_url=options.url,
        in_flight=options.in_flight,
        most_in_flight=options.in_flight,
    )

    def all_replies() -> list[str | None]:
        with tempfile.TemporaryDirectory() as folder:
            model = LanguageModels(Path(folder) / "journal.sqlite").open(settings)
            requests = (
                ModelRequest("benchmark", str(number), {}, tuple(Message(**message) for message in chat))
                for number, chat in enumerate(chats)
            )
            return [reply.text for reply in model.replies(requests)]

    return all_replies


if __name__ == "__main__":
    run_client(prepared)
