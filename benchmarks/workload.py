"""What every client in the benchmarks sends, and how it is measured; needs the standard library only.

A client is a module that calls `run_client` with a function that gets the options and the chats, sets its
library up, and returns the function that sends the chats and returns the replies' texts. Only this sending is
measured, after a small one that loads what a library loads on first use.
"""

import argparse
import json
import os
import random
import time
from collections.abc import Callable, Sequence

SYSTEM_CHARACTERS = 2500
USER_CHARACTERS = 1500
WARM_UP = 8
TASK = (
    "You read scientific papers closely and write question, evidence and answer triplets on one paragraph. "
    'Reply with a JSON list of objects with the fields "question", "evidence" and "answer".\n'
)
WORDS = (
    "zinc iron serum ferritin intake infant maternal cohort trial placebo dose week plasma level ratio group "
    "mean deviation baseline median supplement anaemia growth height weight diet millet wheat bread milk "
    "increase decrease compared with among after before between of in and the was were at by for"
).split()

Messages = list[dict[str, str]]
Send = Callable[[], Sequence[str | None]]


def prompts(count: int, series: str = "paragraph") -> list[Messages]:
    """So many chats with one common system text, each with a user text of its own; always the same ones."""
    system = TASK + prose("system", SYSTEM_CHARACTERS - len(TASK))
    return [
        [
            {"role": "system", "content": system},
            {"role": "user", "content": prose(f"{series} {number}", USER_CHARACTERS)},
        ]
        for number in range(count)
    ]


def prose(seed: str, characters: int) -> str:
    """Words that begin with the seed, so many characters of them."""
    words = random.Random(seed).choices(WORDS, k=characters // 2)
    return f"{seed.capitalize()}: {' '.join(words)}"[:characters]


def run_client(prepared: Callable[[argparse.Namespace, list[Messages]], Send]) -> None:
    """Send the prompts and print what that took as one JSON line."""
    options = argparse.ArgumentParser()
    options.add_argument("--url", required=True, help="of the server, ending in /v1")
    options.add_argument("--requests", type=int, default=500)
    options.add_argument("--in-flight", type=int, default=64)
    options.add_argument("--model", default="m")
    chosen = options.parse_args()
    prepared(chosen, prompts(WARM_UP, "warm-up"))()
    send = prepared(chosen, prompts(chosen.requests))
    began, cpu_began = time.perf_counter(), cpu_seconds()
    replies = send()
    seconds, cpu = time.perf_counter() - began, cpu_seconds() - cpu_began
    result = {
        "requests": chosen.requests,
        "replies": sum(bool(reply) for reply in replies),
        "seconds": round(seconds, 4),
        "cpu_seconds": round(cpu, 4),
    }
    print(json.dumps(result), flush=True)


def cpu_seconds() -> float:
    """CPU time of this process, its threads, and the child processes that it waited for."""
    return sum(os.times()[:4])
