"""The arithmetic of costs, on numbers that can be done in the head."""

import json
from dataclasses import replace

import pytest

from benchmarks.million.costs import Assumptions, Prices, as_json, cost_of, of_file, workers_for_a_day
from benchmarks.million.growth import Fit, Law
from benchmarks.million.points import (
    CALLS,
    CANDIDATES,
    FAR,
    FILE,
    LAKE,
    MEMORY,
    NEAR,
    OWN,
    PAIRS,
    PARTS,
    RECORDS,
    STEPS,
    STORED,
)

PRICES = Prices(
    s3_gb_month=0.02,
    s3_1000_gets=0.001,
    s3_1000_puts=0.01,
    core_hour=0.05,
    gpu_hour=3.0,
    postgres_hour=0.5,
    postgres_gb_month=0.1,
)
ASSUMED = Assumptions(
    papers_per_batch=500,
    similarity_memory_mib=6,
    times_candidates=1,
    triplets_of_a_paper=36,
    prompt_tokens_per_second=2_500,
    reply_tokens_per_second=250,
    texts_per_second=40,
    journal_bytes=1e5,
    seconds_of_a_get=0.6,
    gets_at_once=1,
    read_bytes_per_second=1.2e12 / 3600,
    seconds_of_a_publication=1,
    written_bytes_per_second=5e9 / 1800,
)
LAWS = {
    **{f"stored: {part}": {"papers": 1e6} for part in STORED},
    **{f"GETs: {step}": {"batches": 1250} for step in STEPS if step != PAIRS},
    # A paper of each 32 is a candidate of a source, so all are of some source; 4096 questions are a part.
    f"GETs: {PAIRS}": {"more parts": 500},
    **{f"bytes read: {step}": {"papers x batches": 2e8} for step in STEPS},
    "CPU seconds": {"batches": 1800, "papers": 99},
    "candidates": {"papers x papers": 1 / 32},
    "parts": {"parts by the rule": 1},
    # 1800 publications read 1.2 TB of records, for an hour.
    "bytes of the records": {"batches x batches": 1.2e12 / 1800 / 4},
    "CPU seconds of the records": {"batches": 1},
    "rows of relations.embeddings": {"papers": 3 * 12},
    "files": {"once": 4, "batches": 23},
    "bytes of memory": {"papers": 100, "candidates of a batch": 64},
    "publications": {"batches": 900},
    "seconds of Postgres": {"batches": 900},
    "PUTs": {"batches": 1000},
    "bytes of the catalogue": {"batches": 5e8},
    "bytes of files": {"papers": 2e6},
    "rows of relations.section_pairs": {"papers x papers": 0.004},
    f"seconds: {PAIRS}": {"papers x papers": 0.0036},
    f"seconds: {NEAR}": {"papers x papers": 0.0009},
    f"seconds: {FAR}": {"papers x batches": 0.45},
    f"seconds: {OWN}": {"papers": 1.8},
    "requests": {"papers": 10},
    "multi-hop requests": {"relations": 1},
    "prompt characters": {"papers": 30_000},
    "multi-hop prompt characters": {"relations": 2_000},
    "reply characters": {"papers": 200},
    "triplets": {"papers": 2},
    "multi-hop reply characters": {"relations": 0},
}
FITS = {
    name: Fit(Law(name, tuple(grown), 0.1), tuple(map(float, grown.values()))) for name, grown in LAWS.items()
}


def test_every_law_that_a_cost_needs_is_one_of_those_that_are_fitted():
    assert LAWS.keys() <= {
        law.quantity for law in (*CALLS, *CANDIDATES, *FILE, *LAKE, *MEMORY, *PARTS, *RECORDS)
    }


def test_storage_reads_hours_and_money_of_a_thousand_papers():
    cost = cost_of(1000, FITS, PRICES, ASSUMED)
    assert cost.batches == 2
    assert cost.stored_gb == pytest.approx(
        dict.fromkeys(STORED, 1.0) | {"ingested files": 2.0, "catalogue and journal": 2.3}
    )
    assert (cost.files, cost.gets, cost.puts, cost.candidate_pairs) == (50, 6000, 2000, 31_250)
    assert cost.parts == 4
    assert cost.read_tb == pytest.approx(1.2 + 1.2)
    assert (cost.requests, cost.prompt_tokens, cost.reply_tokens) == (13_000, 9e6, 9e5)
    # An hour of comparing and an hour of the other steps, on two cores; an hour each of batches and records.
    assert cost.core_hours == pytest.approx(2 + 2 + 1 + 1)
    # An hour until the first byte of each request, and an hour for each 1.2 TB.
    assert cost.waiting_hours == pytest.approx(1 + 2)
    assert cost.memory_gb == pytest.approx(1e-4 + 64 * 31_250 / 2 / 1e9 + 6 * 2**20 / 1e9)
    assert cost.postgres_hours == pytest.approx(0.5)
    assert cost.publication_hours == pytest.approx(1)
    assert cost.gpu_hours == pytest.approx(1 + 1 + 1)
    assert cost.price == pytest.approx(
        {
            "storage": 7 * 0.02 + 2.3 * 0.1,
            "requests": 0.006 + 0.02,
            "cores": 6 * 2 * 0.05,
            "GPUs": 9,
            "Postgres": 12,
        }
    )
    assert cost.total == pytest.approx(21.996)
    assert (cost.workers_for_a_day, cost.gpus_for_a_day) == (1, 1)


def test_longer_vectors_are_stored_read_written_and_compared_in_proportion():
    cost, longer = (cost_of(1000, FITS, PRICES, replace(ASSUMED, dimension=size)) for size in (384, 1152))
    assert longer.stored_gb["vectors"] == 3 * cost.stored_gb["vectors"]
    assert longer.stored_gb["texts"] == cost.stored_gb["texts"]
    assert longer.read_tb == pytest.approx((1 + 2 * 3) * 0.4 + 1.2)
    assert longer.core_hours == pytest.approx(3 * 2 + 2 + 1 + 1)
    assert (cost.parts, longer.parts) == (2 * 2, 2 * 5)
    assert longer.publication_hours == pytest.approx(0.5 + 0.5 * 7 / 5)


def test_more_papers_with_a_common_keyword_give_more_pairs_and_more_to_compare():
    cost, more = (cost_of(1000, FITS, PRICES, replace(ASSUMED, times_candidates=times)) for times in (1, 2))
    assert (more.candidate_pairs, more.section_pairs) == (2 * cost.candidate_pairs, 2 * cost.section_pairs)
    assert more.memory_gb > 1.1 * cost.memory_gb
    assert more.core_hours == pytest.approx(2 * 2 + 2 + 1 + 1)


def test_workers_do_their_hours_in_what_publication_leaves_of_a_day():
    assert workers_for_a_day(40, 4) == 2
    assert workers_for_a_day(41, 4) == 3
    assert workers_for_a_day(1, 24) == 0


def test_a_file_replaces_some_prices_and_assumptions(tmp_path):
    (tmp_path / "prices.json").write_text(json.dumps({"currency": "EUR", "gpu_hour": 2, "dimension": 1024}))
    prices, assumed = of_file(tmp_path / "prices.json")
    assert (prices.currency, prices.gpu_hour, prices.core_hour) == ("EUR", 2, Prices().core_hour)
    assert (assumed.dimension, assumed.papers_per_batch) == (1024, 500)
    assert of_file(None) == (Prices(), Assumptions())
    (tmp_path / "prices.json").write_text('{"gpu": 2}')
    with pytest.raises(ValueError, match=r"prices\.json holds gpu; known are "):
        of_file(tmp_path / "prices.json")


def test_numbers_are_written_with_four_digits():
    told = as_json(cost_of(1000, FITS, PRICES, ASSUMED))
    assert told["total"] == 22.0
    assert told["price"]["requests"] == 0.026
    assert told["papers"] == 1000
