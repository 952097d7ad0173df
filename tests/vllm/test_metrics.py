"""What a real server tells of itself is what we read, and what the scripted server writes."""

import urllib.request

from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.server_metrics import metrics_address, metrics_of
from aimsciqa_resources.language_model.settings import ModelSettings

from aimsciqa_assets.cli.servers import servers_command
from aimsciqa_assets.cli.terminal import console
from tests.model_server import ModelServer, vllm_metrics
from tests.served_models import asks


def lines_without_values(text: str) -> set[str]:
    return {line if line.startswith("#") else line.rpartition(" ")[0] for line in text.splitlines()}


def test_the_scripted_server_writes_what_the_real_one_writes(vllm_url):
    with urllib.request.urlopen(metrics_address(vllm_url), timeout=10) as answer:
        real = lines_without_values(answer.read().decode())
    scripted = lines_without_values(vllm_metrics(ModelServer(model="tiny")))
    assert len(scripted) > 20
    assert scripted <= real


def test_a_real_server_tells_of_its_queue_and_its_caches(monkeypatch, tmp_path, vllm_url):
    values = {"backend": "server", "name": "tiny", "base_url": vllm_url, "reply_tokens": 300}
    model = LanguageModels(tmp_path / "journal.sqlite").open(ModelSettings(**values, temperature=0.8))
    replies = model.replies(asks(20))
    next(replies)
    busy = metrics_of([vllm_url])[vllm_url]
    assert busy.running > 0
    assert 0 < busy.cache_used < 1
    assert 0 <= busy.prefix_hits < 1
    assert len(list(replies)) == 19
    monkeypatch.setenv("AIMSCIQA_HOME", str(tmp_path))
    for name in ("backend", "name", "base_url"):
        monkeypatch.setenv(f"AIMSCIQA_MODEL_{name.upper()}", values[name])
    with console.capture() as told:
        servers_command()
    address = vllm_url.removeprefix("http://").removesuffix("/v1")
    assert told.get().startswith(f"tiny at {address}: 0 running, 0 waiting, KV cache ")
    assert told.get().endswith("% of prompt tokens from the prefix cache\n")
