"""What a vLLM server tells at `/metrics` of its queue and caches, in vLLM's own names and sentences.

`tests/vllm` compares it with a real server, line by line.
"""

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

if TYPE_CHECKING:
    from tests.model_server.server import ModelServer

EXTERNAL = "from KV connector cross-instance cache sharing"
REASONS = (
    "Number of waiting requests by reason. Reason labels: 'capacity' = waiting for scheduling capacity; "
    "'deferred' = deferred by transient constraints (LoRA budget, KV transfer, blocked status). Sum of all "
    "reasons equals vllm:num_requests_waiting."
)


def vllm_metrics(server: "ModelServer") -> str:
    """The lines of a vLLM server whose engine has the server's `slots`; words stand for tokens."""
    registry = CollectorRegistry()
    labels = {"model_name": server.model, "engine": "0"}
    running = min(server.in_engine, server.slots)
    waiting = server.in_engine - running

    def gauge(name: str, meaning: str, value: float) -> None:
        Gauge(f"vllm:{name}", meaning, [*labels], registry=registry).labels(**labels).set(value)

    def counter(name: str, meaning: str, value: float) -> None:
        Counter(f"vllm:{name}", meaning, [*labels], registry=registry).labels(**labels).inc(value)

    gauge("num_requests_running", "Number of requests in model execution batches.", running)
    gauge("num_requests_waiting", "Number of requests waiting to be processed.", waiting)
    by_reason = Gauge("vllm:num_requests_waiting_by_reason", REASONS, [*labels, "reason"], registry=registry)
    by_reason.labels(**labels, reason="capacity").set(waiting)
    by_reason.labels(**labels, reason="deferred").set(0)
    gauge("kv_cache_usage_perc", "KV-cache usage. 1 means 100 percent usage.", running / server.slots)
    for kind, done, counted in (("queries", "queried", server.queried), ("hits", "cached", server.cached)):
        meaning = f"in terms of number of {done} tokens."
        counter(f"prefix_cache_{kind}", f"Prefix cache {kind}, {meaning}", counted)
        counter(f"external_prefix_cache_{kind}", f"External prefix cache {kind} {EXTERNAL}, {meaning}", 0)
    return generate_latest(registry).decode()
