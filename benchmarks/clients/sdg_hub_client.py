"""`sdg_hub`: a flow of one `LLMChatBlock` on its backend for vLLM, run with `max_concurrency`."""

from argparse import Namespace

import pandas as pd
from sdg_hub import Flow
from sdg_hub.core.blocks import LLMChatBlock
from sdg_hub.core.flow import FlowMetadata

from benchmarks.workload import Messages, Send, run_client


def prepared(options: Namespace, chats: list[Messages]) -> Send:
    """Ready to send."""
    block = LLMChatBlock(block_name="chat", input_cols="messages", output_cols="reply", async_mode=True)
    flow = Flow(blocks=[block], metadata=FlowMetadata(name="Benchmark"))
    flow.set_model_config(model=f"hosted_vllm/{options.model}", api_base=options.url, api_key="none")
    dataset = pd.DataFrame({"messages": chats})

    def send() -> list[str | None]:
        replies = flow.generate(dataset, max_concurrency=options.in_flight)["reply"]
        return [reply[0]["content"] for reply in replies]

    return send


if __name__ == "__main__":
    run_client(prepared)
