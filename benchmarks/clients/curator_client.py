"""`bespokelabs-curator`: a `curator.LLM` on the online OpenAI backend, without rate limits of its own."""

from argparse import Namespace

from bespokelabs import curator
from datasets import Dataset

from benchmarks.workload import Messages, Send, run_client

UNLIMITED = 10**9


class Writer(curator.LLM):
    """Sends a row's messages as they are."""

    def prompt(self, row: dict[str, Messages]) -> Messages:
        """The messages."""
        return row["messages"]

    def parse(self, row: dict[str, Messages], response: str) -> dict[str, str]:
        """A row of the result."""
        return {"reply": response}


def prepared(options: Namespace, chats: list[Messages]) -> Send:
    """Ready to send."""
    writer = Writer(
        model_name=options.model,
        backend="openai",
        backend_params={
            "base_url": options.url,
            "api_key": "none",
            "max_concurrent_requests": options.in_flight,
            "max_requests_per_minute": UNLIMITED,
            "max_tokens_per_minute": UNLIMITED,
        },
    )
    dataset = Dataset.from_list([{"messages": chat} for chat in chats])
    return lambda: writer(dataset).dataset["reply"]


if __name__ == "__main__":
    run_client(prepared)
