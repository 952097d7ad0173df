"""An OpenAI-compatible server on the loopback that does what a test tells it.

It is a second implementation of the protocol and knows nothing of our client. In a test, in a thread of its
own: `with ModelServer(plan=...) as server:` and `server.url`. In a process of its own, until SIGTERM:
`python -m tests.model_server --latency-ms 50 --plan status:500:0.25:1`, which first prints its URL.
"""

from tests.model_server.metrics import vllm_metrics
from tests.model_server.server import ModelServer, answer_from_prompt
from tests.model_server.steps import (
    EmptyChoices,
    InvalidJson,
    Latency,
    NotAnObject,
    NullContent,
    Plan,
    Refusal,
    Reset,
    ResetInBody,
    Seen,
    SlowDrip,
    Status,
    Step,
    Text,
    Wait,
    always,
    first_of,
    fixed,
    log_normal,
    share,
)

__all__ = [
    "EmptyChoices",
    "InvalidJson",
    "Latency",
    "ModelServer",
    "NotAnObject",
    "NullContent",
    "Plan",
    "Refusal",
    "Reset",
    "ResetInBody",
    "Seen",
    "SlowDrip",
    "Status",
    "Step",
    "Text",
    "Wait",
    "always",
    "answer_from_prompt",
    "first_of",
    "fixed",
    "log_normal",
    "share",
    "vllm_metrics",
]
