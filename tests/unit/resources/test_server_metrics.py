"""What vLLM servers tell at `/metrics`."""

import socket

from aimsciqa_resources.language_model.server_metrics import ServerMetrics, metrics_of, read_metrics

from tests.model_server import ModelServer, vllm_metrics

TWO_ENGINES = """# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="m"} 12.0
vllm:num_requests_running{engine="1",model_name="m"} 8.0
vllm:num_requests_waiting{engine="0",model_name="m"} 3.0
vllm:num_requests_waiting{engine="1",model_name="m"} 0.0
vllm:kv_cache_usage_perc{engine="0",model_name="m"} 0.5
vllm:kv_cache_usage_perc{engine="1",model_name="m"} 0.25
vllm:prefix_cache_queries_total{engine="0",model_name="m"} 3000.0
vllm:prefix_cache_queries_total{engine="1",model_name="m"} 1000.0
vllm:prefix_cache_queries_created{engine="0",model_name="m"} 1.79e+09
vllm:prefix_cache_hits_total{engine="0",model_name="m"} 2.0e+03
vllm:prefix_cache_hits_total{engine="1",model_name="m"} 400.0
"""


def test_the_engines_of_a_server_are_added_up():
    found = read_metrics(TWO_ENGINES)
    assert found == ServerMetrics(20, 3, 0.375, 0.6)
    assert found.shown == (
        "20 running, 3 waiting, KV cache 38% full, 60% of prompt tokens from the prefix cache"
    )


def test_metrics_of_similar_names_are_others():
    server = ModelServer(slots=4)
    server.in_engine, server.queried, server.cached = 6, 200, 50
    text = vllm_metrics(server)
    others = "num_requests_waiting_by_reason", "external_prefix_cache_hits", "prefix_cache_hits_created"
    assert all(f"vllm:{name}" in text for name in others)
    assert read_metrics(text) == ServerMetrics(4, 2, 1.0, 0.25)


def test_what_a_server_does_not_tell_is_left_out():
    queue = "vllm:num_requests_running 1\nvllm:num_requests_waiting 0\n"
    assert read_metrics(queue).shown == "1 running, 0 waiting"
    assert read_metrics(queue + "vllm:gpu_cache_usage_perc 0.1\n").cache_used == 0.1
    assert read_metrics("python_gc_objects_collected_total 7\n") is None


def test_each_server_has_its_numbers_or_the_reason_for_none():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{one.getsockname()[1]}/v1"
    with ModelServer() as vllm, ModelServer(metrics=lambda _server: None) as other:
        told = metrics_of([vllm.url, other.url, nobody])
    assert told[vllm.url] == ServerMetrics(0, 0, 0.0)
    assert told[other.url] == "tells nothing of its queue: it has no /metrics of vLLM"
    assert told[nobody].startswith("cannot be reached (")
