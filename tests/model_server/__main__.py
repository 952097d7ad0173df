"""The model server in a process of its own, for clients that are killed and for benchmarks."""

import argparse
import asyncio
import contextlib
import json
import signal
import sys
from pathlib import Path
from typing import TextIO

from tests.findings_model import answer as answer_of_findings
from tests.model_server import (
    ModelServer,
    Plan,
    Seen,
    Status,
    Wait,
    always,
    answer_from_prompt,
    first_of,
    fixed,
    log_normal,
    share,
)

PLANS = (
    "none, status:CODE:SHARE:SEED[:HEADER=VALUE], always:CODE:TEXT or log-normal:MEAN:SIGMA:SEED (seconds); "
    "may be given repeatedly: the first that wants something of a request gets it"
)
FIVE_TRIPLETS = json.dumps(
    [
        {
            "question": f"What mean daily zinc intake did the children of cohort {number} have at baseline?",
            "evidence": f"At baseline, cohort {number} had a mean zinc intake of {number} mg per day.",
            "answer": f"At baseline, the children of cohort {number} took in {number} mg of zinc per day.",
        }
        for number in range(1, 6)
    ]
)


def plan_named(text: str) -> Plan:
    """The plan that the command line asks for."""
    name, _, rest = text.partition(":")
    if name == "none":
        return lambda _seen: None
    if name == "status":
        code, fraction, seed, *headers = rest.split(":")
        status = Status(int(code), headers=dict(header.split("=") for header in headers))
        return share(float(fraction), int(seed), status)
    if name == "always":
        code, _, contained = rest.partition(":")
        return always(contained, Status(int(code)))
    if name == "log-normal":
        mean, sigma, seed = rest.split(":")
        latency = log_normal(float(mean), float(sigma), int(seed))
        return lambda seen: Wait(latency(seen.number))
    raise argparse.ArgumentTypeError(f"no plan {name!r}: {PLANS}")


def logging_to(file: TextIO) -> Plan:
    """Lets every request pass and writes it down."""

    def plan(seen: Seen) -> None:
        file.write(json.dumps({"number": seen.number, "at": seen.at, "key": seen.key}) + "\n")
        file.flush()

    return plan


async def until_told(server: ModelServer) -> None:
    """Print the URL once a signal can end this."""
    told = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    sys.stdout.write(f"{server.url}\n")
    sys.stdout.flush()
    await told.wait()


def main() -> None:
    """Serve until SIGTERM or Ctrl-C."""
    options = argparse.ArgumentParser(prog="python -m tests.model_server", description=__doc__)
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--latency-ms", type=float, default=0.0)
    options.add_argument("--plan", type=plan_named, action="append", default=[], help=PLANS)
    options.add_argument("--log", type=Path, help="gets one JSON line per chat request, as it arrives")
    options.add_argument("--text", type=Path, help="answer everything with this file's text")
    options.add_argument("--constant", action="store_true", help="answer everything with the same triplets")
    options.add_argument("--findings", action="store_true", help="answer the tasks of Findings")
    chosen = options.parse_args()
    text = chosen.text.read_text(encoding="utf-8") if chosen.text else FIVE_TRIPLETS
    from_prompt = answer_of_findings if chosen.findings else answer_from_prompt
    answer = (lambda _body: text) if chosen.text or chosen.constant else from_prompt
    with contextlib.ExitStack() as stack:
        plans = chosen.plan
        if chosen.log:
            plans = [logging_to(stack.enter_context(chosen.log.open("a", encoding="utf-8"))), *plans]
        server = ModelServer(answer, first_of(*plans), fixed(chosen.latency_ms / 1000), port=chosen.port)
        asyncio.run(until_told(stack.enter_context(server)))


if __name__ == "__main__":
    main()
