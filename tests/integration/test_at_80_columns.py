"""What commands print fits into a terminal of 80 columns, and no value is cut."""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.fakes import write_corpus
from tests.model_server import ModelServer
from tests.shell import QuickShell
from tests.small_home import SMALL

pytestmark = pytest.mark.slow

WIDTH = 80
COMMANDS = (
    ("status",),
    ("status", "--why"),
    ("settings",),
    ("settings", "--changed"),
    ("prompts", "list"),
    ("journal",),
    ("items",),
    ("items", "--rejected", ""),
    ("audit", "sample", "--kind", "multi_hop", "--n", "2"),
    ("run",),
    ("run", "--preview", "2"),
)


@pytest.fixture(scope="module")
def shell(tiny_encoder) -> Iterator[QuickShell]:
    """Twelve papers, run to the end by a served model, in a home with a short path, for paths stay whole."""
    with TemporaryDirectory() as folder, ModelServer(model="qwen-small") as server:
        settings = {"model_base_url": server.url, "benchmark_retrievers": "bm25"}
        made = QuickShell(Path(folder) / "home", width=WIDTH, **settings | tiny_encoder)
        # More papers than there are, so that the run warns of small clusters.
        made.environment |= SMALL | {"AIMSCIQA_RELATIONS_CLUSTER_SIZE": "30"}
        write_corpus(Path(folder) / "papers", 12)
        made.output = made("ingest", str(Path(folder) / "papers")) + made("run")
        yield made


def assert_fits(output: str) -> None:
    too_long = [line for line in output.splitlines() if len(line) > WIDTH]
    assert too_long == []
    assert "…" not in output
    assert output.strip()


def test_a_whole_run_fits(shell):
    assert_fits(shell.output)
    for rule in ("Rows", "Kept and rejected", "Calls of language models", "Answering", "Next"):
        assert re.search(rf"─ {rule} ─", shell.output)
    assert "Small clusters: " in shell.output
    assert "No release: " in shell.output


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_each_command_fits(shell, words):
    assert_fits(shell(*words))


def test_a_preview_of_everything_fits(shell):
    """Another model has to be asked everything, at a price."""
    with TemporaryDirectory() as folder:
        prices = Path(folder) / "prices.csv"
        prices.write_text("model,input,cached_input,output\na-model-of-another-name,2,,8\n")
        other = QuickShell(shell.home, width=WIDTH)
        other.environment = shell.environment | {
            "AIMSCIQA_MODEL_NAME": "a-model-of-another-name",
            "AIMSCIQA_MODEL_PRICES": str(prices),
            "AIMSCIQA_BENCHMARK_JUDGES": "judge-a",
        }
        output = other("run", "--preview", "2")
    assert_fits(output)
    assert "What later steps would ask at most: an estimate" in output
    # The columns stand beside each other.
    assert re.search(r"task +model +requests +known +tokens in +tokens out +cost", output)
