"""`ragas`: its wrapper around LangChain's `ChatOpenAI`, run by its executor with `max_workers`.

This is its fastest way, given the aiohttp transport. `llm_factory`, the newer way, also parses each reply.
"""

from argparse import Namespace

import openai
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.prompt_values import ChatPromptValue
from langchain_openai import ChatOpenAI
from ragas.executor import Executor
from ragas.llms import LangchainLLMWrapper
from ragas.run_config import RunConfig

from benchmarks.workload import Messages, Send, run_client


def prepared(options: Namespace, chats: list[Messages]) -> Send:
    """Ready to send."""
    config = RunConfig(max_workers=options.in_flight)
    chat_model = ChatOpenAI(
        model=options.model,
        base_url=options.url,
        api_key="none",
        http_async_client=openai.DefaultAioHttpClient(),
    )
    model = LangchainLLMWrapper(chat_model, run_config=config)
    executor = Executor(run_config=config, show_progress=False)
    for system, user in chats:
        chat = [SystemMessage(system["content"]), HumanMessage(user["content"])]
        executor.submit(model.generate, ChatPromptValue(messages=chat))
    return lambda: [reply.generations[0][0].text for reply in executor.results()]


if __name__ == "__main__":
    run_client(prepared)
