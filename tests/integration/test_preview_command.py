"""`aimsciqa run --preview`: it foretells the run that its other options ask for."""

import re

import pytest

from tests.aim_sciqa_alone import AIM_SCIQA
from tests.fakes import write_corpus
from tests.shell import QuickShell

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def three_batches(tiny_encoder, tmp_path_factory) -> QuickShell:
    """Three batches of three papers with their items; the last was taken in after the others were made."""
    folder = tmp_path_factory.mktemp("three")
    settings = {"corpus_papers_per_batch": "3", "relations_cluster_size": "3"} | tiny_encoder
    shell = QuickShell(folder / "home", **settings)
    shell.environment |= AIM_SCIQA
    for papers, batches in ((6, ("batch-0001", "batch-0002")), (9, ("batch-0003",))):
        write_corpus(folder / "papers", papers)
        shell("ingest", str(folder / "papers"))
        chosen = [word for batch in batches for word in ("--batch", batch)]
        shell("run", "--quiet", "--only-items", *chosen)
    return shell


def due(output: str) -> list[str]:
    return [line.removeprefix("due").strip() for line in output.splitlines() if line.startswith("due ")]


def test_with_only_items_nothing_of_the_evaluation_is_listed(three_batches):
    assert "Everything is up to date." in three_batches("run", "--preview", "0", "--only-items")
    assert any(line.startswith("benchmark.") for line in due(three_batches("run", "--preview", "0")))


def test_with_refresh_finished_batches_are_listed(three_batches):
    output = three_batches("run", "--preview", "0", "--only-items", "--refresh")
    assert "relations.section_pairs of batch-0001, batch-0002" in due(output)


def test_with_batch_only_that_batch_is_listed(three_batches):
    output = three_batches("run", "--preview", "0", "--only-items", "--refresh", "--batch", "batch-0002")
    assert "relations.section_pairs of batch-0002" in due(output)
    assert "batch-0001" not in output
    assert "batch-0099" in three_batches("run", "--preview", "0", "--batch", "batch-0099", fails=True)


def test_what_waits_is_told_with_number_and_price(three_batches, tmp_path):
    prices = tmp_path / "prices.csv"
    prices.write_text("model,input,cached_input,output\nm,1,,1000000\n")
    asking = {"model_backend": "server", "model_name": "m", "model_base_url": "http://localhost:9/v1"}
    shell = QuickShell(three_batches.home)
    shell.environment |= three_batches.environment
    shell.environment |= {f"AIMSCIQA_{name}".upper(): value for name, value in asking.items()}
    shell.environment |= {"AIMSCIQA_MODEL_PRICES": str(prices), "AIMSCIQA_MODEL_REPLY_TOKENS": "1"}
    output = shell("run", "--preview", "1", "--only-items")
    now, at_most = output.split("What later steps would ask at most: an estimate")
    # Each paper has an abstract and two sections of a paragraph each; a token of a reply costs 1.
    assert re.search(r"single_hop +m +27 +0 +[\d,]+ +unknown +at most 27\.\d\d\n", now)
    assert "none yet" in now
    # Three relations of either variant for each of eight sources: the first paper has no references.
    assert re.search(r"multi_hop +m +48 +[\d,]+ +unknown +at most 48\.\d\d\n", at_most)
    assert "Nobody was asked, and nothing was written." in at_most
