"""`aimsciqa metrics`: what Prometheus reads of a home, and files of docker/ that name no other metric."""

import json
import re
import urllib.request
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import pytest
import yaml
from dagster._core.remote_origin import (
    GrpcServerCodeLocationOrigin,
    RemoteJobOrigin,
    RemoteRepositoryOrigin,
)
from prometheus_client.parser import text_string_to_metric_families

from aimsciqa_assets.cli.metrics.declared import METRICS
from aimsciqa_assets.cli.pipeline import open_instance
from aimsciqa_assets.platform.home import Home
from tests.fakes import write_corpus
from tests.shell import ROOT, QuickShell, Shell
from tests.small_home import copy_of, pipeline_at

NAMES = {metric.name for metric in METRICS}
DOCKER = ROOT / "docker"
CALLS = """
insert into ops.llm_calls by name
select
    number::varchar as call_id, 'batch-0001' as part, 'multi_hop.items' as table_name, 'multi_hop' as task,
    number::varchar as "key", 1 as number, 'answer' as purpose, 'qwen' as model, '' as model_revision,
    '{}' as sampling, number::varchar as fingerprint, number = 3 as from_journal,
    if(number = 4, 'permanent', 'ok') as outcome, '' as detail, false as passing, 'stop' as finish_reason,
    1 as attempts, 1.5 as latency_seconds, 100 as prompt_tokens, 60 as cached_tokens, 20 as reply_tokens,
    5 as reasoning_tokens, 0.25 as cost, '' as answered_at
from range(1, 5) as calls (number)
"""
SERVER = GrpcServerCodeLocationOrigin(host="localhost", port=4000, location_name="aimsciqa")
ORIGIN = RemoteJobOrigin(RemoteRepositoryOrigin(SERVER, "__repository__"), "nothing")
REJECTIONS = "insert into ops.rejections values ('single_hop.qa_pairs', 'evidence \"not\" found', 7)"
LOOKS = """
insert into ops.pmc_looks by name
select
    'a' as look_id, 'news' as kind, '' as search, '2026-01-01' as until, 'E-utilities' as found_by,
    0 as found, 0 as looked_at, 0 as fetched, 0 as replaced, 0 as relabelled, 0 as retired, 0 as passed_over,
    0 as failed,
    '2026-01-02T03:04:05+00:00' as started_at, 1.0 as seconds
"""


def make_home(folder: Path) -> None:
    write_corpus(folder / "papers", 3)
    pipeline = pipeline_at(folder / "home")
    pipeline.ingest(folder / "papers")
    with pipeline.warehouse.get_connection() as connection:
        for statement in (CALLS, REJECTIONS, LOOKS):
            connection.execute(statement)
    with open_instance(Home(folder / "home")) as instance:
        for status in (dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.FAILURE):
            for _ in range(2):
                nothing = dg.GraphDefinition("nothing").to_job()
                instance.create_run_for_job(nothing, status=status, remote_job_origin=ORIGIN)


@pytest.fixture
def home(made_once, tmp_path, monkeypatch) -> Path:
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    return copy_of(made_once("metrics-home", make_home) / "home", tmp_path / "home")


def samples(text: str) -> dict[str, dict[tuple[str, ...], float]]:
    """The values of each metric by the values of its labels, in the order of the alphabet of their names."""
    return {
        family.name: {
            tuple(value for _, value in sorted(sample.labels.items())): sample.value
            for sample in family.samples
        }
        for family in text_string_to_metric_families(text)
    }


@pytest.mark.slow
def test_the_figures_are_those_of_the_home(home):
    text = QuickShell(home)("metrics")
    found = samples(text)
    assert NAMES - set(found) == {
        "aimsciqa_daemon_heartbeat_timestamp_seconds",
        "aimsciqa_nightly_last_success_timestamp_seconds",
    }
    assert set(found) <= NAMES
    assert "# TYPE aimsciqa_model_requests gauge\n" in text
    assert found["aimsciqa_collector_success"] == {
        ("warehouse",): 1,
        ("plan",): 1,
        ("dagster",): 1,
        ("home",): 1,
    }
    assert found["aimsciqa_model_requests"] == {
        ("qwen", "ok", "server", "multi_hop"): 2,
        ("qwen", "ok", "journal", "multi_hop"): 1,
        ("qwen", "permanent", "server", "multi_hop"): 1,
    }
    assert found["aimsciqa_model_tokens"] == {
        ("prompt", "qwen", "multi_hop"): 400,
        ("cached", "qwen", "multi_hop"): 240,
        ("reply", "qwen", "multi_hop"): 80,
        ("reasoning", "qwen", "multi_hop"): 20,
    }
    assert found["aimsciqa_model_cost"] == {("qwen", "multi_hop"): 1.0}
    assert found["aimsciqa_rejected_rows"] == {('evidence "not" found', "single_hop.qa_pairs"): 7}
    assert found["aimsciqa_pmc_look_timestamp_seconds"] == {
        ("news",): datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC).timestamp()
    }
    assert found["aimsciqa_rows"] == {("corpus.input_files",): 3}
    runs = found["aimsciqa_runs"]
    assert (runs["QUEUED",], runs["FAILURE",], runs["SUCCESS",]) == (2, 2, 0)
    parts = found["aimsciqa_step_parts"]
    assert {state: parts[state, "corpus.papers"] for state in ("current", "due", "waits", "failed")} == {
        "current": 0,
        "due": 1,
        "waits": 0,
        "failed": 0,
    }
    sizes = found["aimsciqa_home_bytes"]
    assert sizes["warehouse",] == (home / "warehouse.duckdb").stat().st_size
    assert sizes["files",] == sum(
        path.stat().st_size for path in (home / "files").rglob("*") if path.is_file()
    )
    assert sizes["releases",] == 0


@pytest.mark.slow
def test_what_cannot_be_read_is_told_and_the_other_figures_are_there(home):
    (home / "warehouse.duckdb").write_bytes(b"no database " * 1000)
    said = QuickShell(home)("metrics")
    assert f"no figures of warehouse: {home}/warehouse.duckdb is damaged or not a database" in said
    found = samples("\n".join(line for line in said.splitlines() if not line.startswith("no figures")))
    assert found["aimsciqa_collector_success"] == {
        ("warehouse",): 0,
        ("plan",): 0,
        ("dagster",): 1,
        ("home",): 1,
    }
    assert "aimsciqa_model_requests" not in found
    assert found["aimsciqa_runs"]["QUEUED",] == 2


@pytest.mark.slow
def test_they_are_served_on_this_machine_and_read_anew_each_time(home):
    process = Shell(home).start("metrics", "--serve", "0")
    try:
        address = process.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/metrics", address)

        def rejected() -> dict:
            with urllib.request.urlopen(address, timeout=120) as answer:
                return samples(answer.read().decode())["aimsciqa_rejected_rows"]

        assert rejected() == {('evidence "not" found', "single_hop.qa_pairs"): 7}
        pipeline = pipeline_at(home)
        with pipeline.warehouse.get_connection() as connection:
            connection.execute("update ops.rejections set rows = 8")
        assert rejected() == {('evidence "not" found', "single_hop.qa_pairs"): 8}
    finally:
        process.terminate()
        process.wait(timeout=60)


def test_names_follow_the_conventions_of_prometheus():
    for metric in METRICS:
        assert re.fullmatch(r"aimsciqa_[a-z_]+", metric.name)
        assert not metric.name.endswith(("_total", "_count", "_sum", "_bucket")), "these are of counters"
        assert all(re.fullmatch(r"[a-z]+", label) for label in metric.labels)
    timed = {metric.name for metric in METRICS if "timestamp" in metric.name or "duration" in metric.name}
    assert all(name.endswith("_seconds") for name in timed)


def test_the_page_lists_every_metric():
    rows = re.findall(
        r"^\| `(\w+)` \| (.*?) \| (.+) \|$", (ROOT / "docs" / "metrics.md").read_text(), re.MULTILINE
    )
    assert rows == [
        (metric.name, ", ".join(f"`{label}`" for label in metric.labels), metric.meaning)
        for metric in METRICS
    ]


def named_in(query: str) -> set[str]:
    return set(re.findall(r"\baimsciqa_\w+", query))


def test_the_dashboard_asks_only_for_what_there_is():
    board = json.loads((DOCKER / "grafana" / "aimsciqa.json").read_text())
    assert board["schemaVersion"] == 39
    panels = board["panels"]
    assert [panel["id"] for panel in panels] == list(range(1, len(panels) + 1))
    asked = set()
    for panel in panels:
        place = panel["gridPos"]
        assert 0 <= place["x"] <= place["x"] + place["w"] <= 24
        assert panel["type"] in {"stat", "table", "timeseries"}
        assert panel["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
        assert len({target["refId"] for target in panel["targets"]}) == len(panel["targets"])
        for target in panel["targets"]:
            assert named_in(target["expr"])
            asked |= named_in(target["expr"])
            labels = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            known = {label for metric in METRICS if metric.name in target["expr"] for label in metric.labels}
            assert labels <= known
    assert [one["name"] for one in board["templating"]["list"]] == ["datasource", "task"]
    assert asked <= NAMES
    # What only tells versions and times of its own has no panel.
    assert NAMES - asked == {
        "aimsciqa_info",
        "aimsciqa_oldest_queued_run_timestamp_seconds",
        "aimsciqa_pmc_look_timestamp_seconds",
    }


def test_panels_do_not_overlap():
    panels = json.loads((DOCKER / "grafana" / "aimsciqa.json").read_text())["panels"]
    taken = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels)
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(taken) == len(set(taken))


def test_alerts_and_scrapes_name_what_there_is():
    scrapes = yaml.safe_load((DOCKER / "prometheus" / "prometheus.yml").read_text())
    assert {one["job_name"]: one["static_configs"] for one in scrapes["scrape_configs"]} == {
        "aimsciqa": [{"targets": ["code-location:9464"]}],
        "vllm": [{"targets": ["vllm:8000"]}],
    }
    (file,) = scrapes["rule_files"]
    (group,) = yaml.safe_load((DOCKER / "prometheus" / file).read_text())["groups"]
    asked = [named_in(rule["expr"]) for rule in group["rules"]]
    assert len(asked) == 7
    assert all(asked)
    assert set.union(*asked) <= NAMES
    assert all(rule["annotations"]["summary"] for rule in group["rules"])
