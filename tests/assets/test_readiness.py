"""What is checked before a run: papers, and the servers that it would ask."""

import socket
from pathlib import Path

import pytest
from aimsciqa_resources.language_model.interface import ModelRefusedError, ModelUnavailableError

from aimsciqa_assets.cli.forgetting import forget_from
from aimsciqa_assets.cli.readiness import TooFewPapersError, check_readiness
from aimsciqa_assets.orchestration.partitions import NoPapersError
from aimsciqa_assets.retrieval.notation import RetrieverNotationError
from tests.embedding_endpoint import EmbeddingEndpoint
from tests.fakes import write_corpus
from tests.loopback import FixedReplies
from tests.model_server import ModelServer
from tests.shell import QuickShell, Shell
from tests.small_home import copy_of, pipeline_at

pytestmark = pytest.mark.slow


@pytest.fixture
def home(items_home, tmp_path) -> Path:
    """A home with the items of twelve papers, by a server that is gone."""
    return copy_of(items_home, tmp_path / "home")


@pytest.fixture
def nobody() -> str:
    """An address where nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{one.getsockname()[1]}/v1"


def test_a_server_that_a_run_does_not_need_may_be_down(home, nobody):
    assert check_readiness(pipeline_at(home, nobody), evaluate=False) == []


def test_a_server_that_is_down_is_told_before_anything_is_made(home, nobody):
    pipeline = pipeline_at(home, nobody, AIMSCIQA_MODEL_NAME="other")
    with pytest.raises(ModelUnavailableError, match=rf"{nobody} cannot be reached .*Nothing was started"):
        check_readiness(pipeline, evaluate=False)
    with ModelServer(model="other") as server:
        up = pipeline_at(home, server.url, AIMSCIQA_MODEL_NAME="other")
        assert check_readiness(up, evaluate=False) == []


def test_one_of_several_servers_that_is_down_is_a_warning_and_a_stranger_among_them_an_error(home, nobody):
    with ModelServer(model="other") as server, ModelServer(model="unlike") as unlike:
        some = pipeline_at(home, f"{nobody},{server.url}", AIMSCIQA_MODEL_NAME="other")
        (warning,) = check_readiness(some, evaluate=False)
        assert warning.startswith(f"The model server {nobody} cannot be reached (")
        assert warning.endswith("The run goes on with the other servers of other.")
        mixed = pipeline_at(home, f"{server.url},{unlike.url}", AIMSCIQA_MODEL_NAME="other")
        with pytest.raises(ModelRefusedError, match=r"does not: it has unlike.* Nothing was started\."):
            check_readiness(mixed, evaluate=False)


def test_a_misspelt_model_is_refused_before_any_request_that_costs_money(home):
    with ModelServer(model="qwen-large") as server:
        pipeline = pipeline_at(home, server.url, AIMSCIQA_MODEL_NAME="qwen-larg")
        with pytest.raises(ModelRefusedError) as refused:
            check_readiness(pipeline, evaluate=False)
    assert str(refused.value) == (
        f"The model server {server.url} does not serve qwen-larg; it serves qwen-large. Nothing was started. "
        "Set AIMSCIQA_MODEL_NAME to the name of a model that it serves, or let it serve this one."
    )
    assert server.seen == []


def test_a_misspelt_judge_is_refused_with_the_setting_that_lists_it(home):
    with ModelServer(model="qwen-small") as server:
        pipeline = pipeline_at(home, server.url, AIMSCIQA_BENCHMARK_JUDGES="mistral-small")
        assert check_readiness(pipeline, evaluate=False) == []
        with pytest.raises(ModelRefusedError, match=r"started\. Set AIMSCIQA_BENCHMARK_JUDGES to the name"):
            check_readiness(pipeline, evaluate=True)
    assert server.seen == []


def test_an_address_without_v1_is_refused_with_the_one_to_set(home):
    with ModelServer(model="other") as server:
        pipeline = pipeline_at(home, server.origin, AIMSCIQA_MODEL_NAME="other")
        with pytest.raises(ModelRefusedError, match=rf"Set AIMSCIQA_MODEL_BASE_URL to {server.url}\."):
            check_readiness(pipeline, evaluate=False)
    assert server.seen == []


def test_a_server_that_wants_a_key_is_refused_unless_the_journal_knows_the_model(home, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    replies = {"GET /v1/models": (401, {"error": "who are you?"})}
    with FixedReplies(replies) as server:
        pipeline = pipeline_at(home, f"{server.origin}/v1", AIMSCIQA_MODEL_NAME="other")
        with pytest.raises(ModelRefusedError, match=r"OPENAI_API_KEY holds none\. Nothing was started\."):
            check_readiness(pipeline, evaluate=False)
        known = pipeline_at(home, f"{server.origin}/v1")
        forget_from(known.warehouse, "multi_hop")
        (warning,) = check_readiness(known, evaluate=False)
    assert "goes on with the replies of qwen-small in the journal" in warning


def test_with_replies_in_the_journal_a_server_that_is_down_is_a_warning(home, nobody):
    pipeline = pipeline_at(home, nobody)
    forget_from(pipeline.warehouse, "multi_hop")
    (warning,) = check_readiness(pipeline, evaluate=False)
    assert "goes on with the replies of qwen-small in the journal" in warning


@pytest.mark.parametrize(
    "retriever",
    [
        "server:e5",
        "text-embedding-ada-002",
        "bm25+voyage-3-large",
        "mine>cross/encoder",
    ],
)
def test_servers_of_retrievers_count_where_the_benchmark_runs(home, nobody, retriever):
    with ModelServer(model="qwen-small") as server:
        embedding = pipeline_at(
            home,
            server.url,
            AIMSCIQA_BENCHMARK_RETRIEVERS=f"bm25 {retriever}",
            AIMSCIQA_BENCHMARK_RETRIEVER_MODELS='{"mine": {"served": true}}',
            AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL=nobody,
        )
        assert check_readiness(embedding, evaluate=False) == []
        with pytest.raises(ModelUnavailableError, match=f"The embedding server {nobody} cannot be reached"):
            check_readiness(embedding, evaluate=True)


def test_a_retriever_of_a_server_without_an_address_is_refused_before_anything_is_made(home):
    with ModelServer(model="qwen-small") as server:
        pipeline = pipeline_at(home, server.url, AIMSCIQA_BENCHMARK_RETRIEVERS="voyage-3-large")
        with pytest.raises(RetrieverNotationError, match="AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL"):
            check_readiness(pipeline, evaluate=True)


def test_a_server_of_a_retrievers_own_is_looked_for_and_an_unverified_one_is_told(home, nobody):
    with ModelServer(model="qwen-small") as server, EmbeddingEndpoint() as endpoint:
        own = {
            "AIMSCIQA_BENCHMARK_RETRIEVERS": "bm25+voyage-3-large gritlm-7b",
            "AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL": nobody,
        }
        models = f'{{"voyage-3-large": {{"base_url": "{endpoint.url}"}}}}'
        up = pipeline_at(home, server.url, AIMSCIQA_BENCHMARK_RETRIEVER_MODELS=models, **own)
        (warning,) = check_readiness(up, evaluate=True)
        assert warning.startswith("The retriever gritlm-7b is unverified: its makers average over the tokens")
        models = f'{{"voyage-3-large": {{"base_url": "{nobody}"}}}}'
        own["AIMSCIQA_BENCHMARK_EMBEDDING_BASE_URL"] = endpoint.url
        down = pipeline_at(home, server.url, AIMSCIQA_BENCHMARK_RETRIEVER_MODELS=models, **own)
        with pytest.raises(ModelUnavailableError, match="or its base_url in AIMSCIQA_BENCHMARK_RETRIEVER_"):
            check_readiness(down, evaluate=True)


def test_servers_of_judges_count_where_the_benchmark_runs(home, nobody):
    with ModelServer(model="qwen-small") as server:
        judged = pipeline_at(home, server.url, AIMSCIQA_BENCHMARK_JUDGES=f"gpt-4o@{nobody}")
        with pytest.raises(ModelUnavailableError, match="The model server"):
            check_readiness(judged, evaluate=True)


def test_bert_score_that_cannot_be_had_is_told_before_the_answers_are_paid(home):
    with ModelServer(model="qwen-small") as server:
        wanted = {"AIMSCIQA_BENCHMARK_BERT_SCORE_MODEL": "nobody/has-this-model"}
        pipeline = pipeline_at(home, server.url, **wanted)
        assert check_readiness(pipeline, evaluate=False) == []
        (warning,) = check_readiness(pipeline, evaluate=True)
    assert warning.startswith("There will be no BERTScore: ")
    assert "aimsciqa reset --from benchmark" in warning


def test_bleurt_that_cannot_be_had_is_told_beside_bert_score(home, tmp_path):
    with ModelServer(model="qwen-small") as server:
        pipeline = pipeline_at(home, server.url, AIMSCIQA_BENCHMARK_BLEURT_FOLDER=str(tmp_path))
        (warning,) = check_readiness(pipeline, evaluate=True)
    assert warning.startswith(f"There will be no BLEURT: {tmp_path} is no folder of a model")


def test_a_server_that_accepts_and_does_not_answer_is_a_warning(home):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        pipeline = pipeline_at(home, address, AIMSCIQA_MODEL_NAME="other")
        (warning,) = check_readiness(pipeline, evaluate=False)
    assert warning.startswith(f"The server {address} is slow: it accepts connections, and did not answer")


def test_a_command_whose_server_is_down_ends_with_the_reason_and_exit_code_1(home, nobody):
    shell = Shell(home, model_backend="server", model_name="other", model_base_url=nobody)
    process = shell.start("run")
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 1, output
    assert f"The model server {nobody} cannot be reached" in output
    assert "Nothing was started. Start it, or mend AIMSCIQA_MODEL_BASE_URL." in output
    assert "Traceback" not in output


def test_a_command_whose_model_is_misspelt_ends_with_the_names_that_the_server_has(home):
    with ModelServer(model="qwen-large") as server:
        shell = QuickShell(home, model_backend="server", model_name="qwen-larg", model_base_url=server.url)
        output = shell("run", fails=1)
    assert f"The model server {server.url} does not serve qwen-larg; it serves qwen-large." in output
    assert "Traceback" not in output
    assert server.seen == []


def test_too_few_papers_end_a_run_before_it_begins(tmp_path):
    write_corpus(tmp_path / "papers", 2)
    pipeline = pipeline_at(tmp_path / "home")
    with pytest.raises(NoPapersError):
        check_readiness(pipeline, evaluate=True)
    pipeline.ingest(tmp_path / "papers")
    with pytest.raises(TooFewPapersError, match=r"^The corpus has 2 papers\. A question needs at least 3"):
        check_readiness(pipeline, evaluate=True)
