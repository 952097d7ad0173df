"""The `openai` package with its aiohttp transport and a semaphore: what one writes by hand."""

import asyncio
from argparse import Namespace

import openai

from benchmarks.workload import Messages, Send, run_client


def prepared(options: Namespace, chats: list[Messages]) -> Send:
    """Ready to send."""

    async def all_replies() -> list[str | None]:
        places = asyncio.Semaphore(options.in_flight)
        async with openai.AsyncOpenAI(
            base_url=options.url, api_key="none", max_retries=0, http_client=openai.DefaultAioHttpClient()
        ) as client:

            async def reply(chat: Messages) -> str | None:
                async with places:
                    completion = await client.chat.completions.create(model=options.model, messages=chat)
                    return completion.choices[0].message.content

            return await asyncio.gather(*map(reply, chats))

    return lambda: asyncio.run(all_replies())


if __name__ == "__main__":
    run_client(prepared)
