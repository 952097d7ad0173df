"""EXTRACTOR over papers that have everything, and a scripted model that goes wrong on purpose."""

import json
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from zlib import crc32

import duckdb
import pytest

from aimsciqa_assets.airqa.examples.checks import problems_of
from aimsciqa_assets.airqa.examples.example import Example
from aimsciqa_assets.airqa.extractor.exporting import export
from aimsciqa_assets.airqa.extractor.reading import Choice
from aimsciqa_assets.airqa.extractor.windows import Cut
from aimsciqa_assets.airqa.store.searching import StoreSearchError
from aimsciqa_assets.settings import Settings, SettingsError
from tests.extractor_home import make, resources_at
from tests.extractor_model import NAME, ScriptedModel, number_of, reason_of
from tests.model_server import ModelServer, NullContent, Refusal
from tests.paper_stores import rows

pytestmark = pytest.mark.slow

WANTED = [
    ("comprehensive", "image", 1),
    ("comprehensive", "table", 1),
    ("comprehensive", "text", 1),
    ("multiple", None, 3),
    ("retrieval", None, 3),
    ("single", "image", 1),
    ("single", "table", 1),
    ("single", "text", 1),
]
ACCEPTED = """
select kind, element, count(*)::int from extractor.examples where status = 'accepted' group by all
order by all
"""
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    with ModelServer(answer=ScriptedModel()) as server:
        resources = resources_at(tmp_path_factory.mktemp("home"), server.url, examples=12)
        make(resources)
    return resources, server


def test_the_quotas_of_all_kinds_and_elements_are_met(made):
    resources, _ = made
    assert rows(resources, ACCEPTED) == WANTED
    merged = "select count(*)::int from extractor.examples where rejection_reason = 'merged'"
    assert rows(resources, merged) == [(6,)]
    counted = (
        "select sum(wanted)::int, sum(accepted)::int, sum(merged)::int, sum(missing)::int, sum(tries)::int, "
        "(select count(*)::int from extractor.examples) from extractor.quotas"
    )
    assert rows(resources, counted) == [(12, 12, 6, 0, 18, 18)]
    # No element of the store is used twice, and no paper twice for the same element.
    twice = (
        "select evidence_table, evidence_key from extractor.examples where kind <> 'multiple' "
        "group by all having count(*) > 1"
    )
    assert rows(resources, twice) == []


def test_every_example_is_one_that_airqa_takes(made):
    resources, _ = made
    shapes = rows(resources, "select shape, example_id from extractor.examples where status = 'accepted'")
    examples = [Example.model_validate_json(shape) for shape, _ in shapes]
    assert problems_of(examples) == []
    assert [example.uuid for example in examples] == [example_id for _, example_id in shapes]
    assert {example.annotator for example in examples} == {"aimsciqa"}


def test_evidence_stands_in_the_store_and_a_quote_is_exact(made):
    resources, _ = made
    found = rows(
        resources,
        "select evidence, evidence_table, evidence_page from extractor.examples "
        "where element = 'text' and kind = 'comprehensive'",
    )
    ((quote, table, page),) = found
    # The model put two blanks and a line break into it.
    assert re.fullmatch(r"The yield of q\d+s\d was \d+ kg on a plot\.", quote)
    assert (table, page) == ("sections", 1)


def test_a_multiple_example_joins_two_singles_of_different_papers(made):
    resources, _ = made
    (row,) = rows(
        resources,
        "select question, answer, evaluator, tags, anchor_pdf, parts from extractor.examples "
        "where kind = 'multiple' order by example_id limit 1",
    )
    question, answer, evaluator, tags, anchors, parts = row
    of_parts = "select question, answer, papers from extractor.examples where example_id = '{}'"
    singles = [rows(resources, of_parts.format(part))[0] for part in parts]
    assert all(single[0] in question for single in singles)
    assert json.loads(answer) == [json.loads(single[1]) for single in singles]
    assert anchors == [single[2][0] for single in singles]
    assert len(set(anchors)) == 2
    assert json.loads(evaluator)["eval_kwargs"]["eval_func_list"] == ["eval_int_exact_match"] * 2
    assert (tags[0], tags[-1]) == ("multiple", "objective")


def test_the_actor_is_never_told_the_paper_that_it_has_to_find(made):
    resources, server = made
    shown = [
        seen.body["messages"][1]["content"]
        for seen in server.seen
        if "You do not have the papers" in seen.body["messages"][0]["content"]
    ]
    finding = [task for task in shown if "The question names no paper: find it." in task]
    assert len(finding) == 3 * 6
    assert not any(UUID.search(task) for task in finding)
    assert all(UUID.search(task) for task in shown if task not in finding)
    hidden = "select distinct kind from extractor.examples where len(anchor_pdf) = 0 order by 1"
    assert rows(resources, hidden) == [("comprehensive",), ("retrieval",)]


def test_a_trajectory_keeps_every_turn_and_takes_no_loss_on_a_wrong_action(made):
    resources, _ = made
    told = (
        "select distinct ended, score, alone, alone_score, turns, wrong_actions, status "
        "from extractor.trajectories"
    )
    assert rows(resources, told) == [("answered", 1, '"I do not know"', 0, 3, 1, "accepted")]
    of_turns = (
        "select turn, error, loss, status, rejection_reason from extractor.turns group by all order by 1"
    )
    assert rows(resources, of_turns) == [
        (1, None, True, "accepted", None),
        (2, "unknown_action", False, "rejected", "unknown_action"),
        (3, None, True, "accepted", None),
    ]
    (turn,) = rows(
        resources,
        "select said, action, observation from extractor.turns where turn = 1 group by all",
    )
    assert turn[1] == (
        '{"action": "Query", "arguments": {"sql": "select count(*)::int as papers from metadata"}}'
    )
    assert turn[2].startswith('{"papers":20}')
    ((batches, system, task),) = rows(
        resources,
        "select count(distinct batch), any_value(system), any_value(task) from extractor.trajectories",
    )
    assert batches == 2
    assert system.startswith("You answer questions about scientific papers.")
    assert "Question: " in task


def test_filters_are_verdicts(made):
    resources, _ = made
    found = rows(
        resources,
        "select filter, verdict, count(*)::int from extractor.verdicts "
        "join extractor.examples using (example_id) where kind = 'retrieval' group by all order by 1",
    )
    assert found == [
        ("accepts_its_answer", "passed", 3),
        ("answer_correct", "passed", 3),
        ("evidence_is_exact", "passed", 3),
        ("is_no_duplicate", "passed", 3),
        ("keeps_the_answer", "none", 3),
        ("keeps_the_title", "passed", 3),
        ("not_answerable_alone", "passed", 3),
        ("rejects_others", "passed", 3),
        ("solved_by_tools", "passed", 3),
    ]


def test_every_fault_ends_in_its_own_reason_and_the_quotas_are_met_all_the_same(tmp_path):
    model = ScriptedModel(share := 0.92)
    with ModelServer(answer=model) as server:
        resources = resources_at(tmp_path, server.url, papers=60, examples=12, tries=40)
        make(resources)
    expected = Counter(
        reason
        for tried in model.explored.values()
        if (reason := reason_of(*tried.split(), share)) is not None
    )
    # The first of those that ask the same is none too many.
    expected["near_duplicate"] -= 1
    found = Counter(
        dict(
            rows(
                resources,
                "select rejection_reason, count(*)::int from extractor.examples "
                "where status = 'rejected' and rejection_reason <> 'merged' group by all",
            )
        )
    )
    assert found == +expected
    assert len(found) >= 12
    assert rows(resources, ACCEPTED) == WANTED
    counted = rows(
        resources,
        "select (select count(*) from extractor.examples), sum(tries), sum(missing) from extractor.quotas",
    )
    assert counted == [(len(model.explored) + 3, len(model.explored) + 3, 0)]
    # Whatever was looked at has a verdict, and fails by one filter at most.
    failed = (
        "select max(n) from (select count(*) as n from extractor.verdicts where verdict = 'failed' "
        "group by example_id)"
    )
    assert rows(resources, failed) == [(1,)]


def test_refusals_and_empty_replies_are_reasons_and_other_tries_take_their_place(tmp_path):
    def plan(seen):
        system, task = (message["content"] for message in seen.body["messages"][:2])
        drawn = crc32(task.encode()) % 3
        if system.startswith("You write questions about"):
            return (Refusal("no"), NullContent(), None)[drawn]
        return Refusal("no") if "You do not have the papers" in system and not drawn else None

    chosen = {"kinds": "single:1", "tries": 20, "AIMSCIQA_EXTRACTOR_MODEL_FAILURE_SHARE": 1}
    with ModelServer(answer=ScriptedModel(), plan=plan) as server:
        resources = resources_at(tmp_path, server.url, papers=20, examples=6, **chosen)
        make(resources)
    found = rows(
        resources, "select distinct coalesce(rejection_reason, 'none') from extractor.examples order by 1"
    )
    assert found == [("empty_reply",), ("none",), ("refused",)]
    assert rows(resources, "select sum(accepted)::int, sum(missing)::int from extractor.quotas") == [(6, 0)]
    told = (
        "select distinct ended, status, rejection_reason, score, turns from extractor.trajectories order by 1"
    )
    assert rows(resources, told) == [
        ("answered", "accepted", None, 1, 3),
        ("failed", "rejected", "refused", None, 0),
    ]


def test_what_is_missing_is_explained(tmp_path):
    chosen = {
        "kinds": "single:1 retrieval:1 multiple:1",
        "elements": "table:1",
        "evaluators": "eval_int_exact_match:3",
        "tries": 2,
        "alone": "false",
    }
    with ModelServer(answer=ScriptedModel()) as server:
        resources = resources_at(tmp_path, server.url, papers=6, examples=18, **chosen)
        make(resources)
    told = (
        "select kind, element, evaluator, wanted, accepted, missing, why from extractor.quotas order by all"
    )
    assert rows(resources, told) == [
        ("all", "all", "eval_int_exact_match", 3, 3, 0, None),
        ("multiple", "all", "all", 6, 0, 6, "no_singles"),
        ("retrieval", "all", "all", 6, 6, 0, None),
        ("single", "table", "all", 6, 3, 3, "no_seeds"),
    ]
    reasons = (
        "select rejection_reason, any_value(detail) from extractor.examples where kind = 'single' group by 1"
    )
    assert sorted(rows(resources, reasons), key=str) == [
        ("surplus", "3 examples have eval_int_exact_match"),
        (None, None),
    ]
    assert rows(resources, "select distinct alone, alone_score from extractor.trajectories") == [(None, None)]


class Knowing(ScriptedModel):
    """A model that knows every answer without looking."""

    def __call__(self, body):
        if "You may be given" in body["messages"][0]["content"]:
            return json.dumps({"answer": number_of(NAME.findall(body["messages"][1]["content"])[0])})
        return super().__call__(body)


def test_a_trajectory_is_rejected_by_the_filters_that_are_named(tmp_path):
    chosen = {"kinds": "single:1", "filters": "not_answerable_alone answer_correct", "error_removal": "none"}
    with ModelServer(answer=Knowing()) as server:
        resources = resources_at(tmp_path, server.url, papers=6, examples=2, **chosen)
        make(resources)
    told = "select distinct status, rejection_reason, score, alone_score from extractor.trajectories"
    assert rows(resources, told) == [("rejected", "answerable_alone", 1, 1)]
    assert rows(resources, "select distinct loss, status, rejection_reason from extractor.turns") == [
        (False, "rejected", "answerable_alone")
    ]
    failed = "select distinct filter from extractor.verdicts where verdict = 'failed' order by 1"
    assert rows(resources, failed) == [("not_answerable_alone",), ("solved_by_tools",)]


def test_without_a_store_or_a_model_it_says_what_to_do(tmp_path):
    resources = resources_at(tmp_path, "http://127.0.0.1:9/v1", papers=2, examples=1)
    (tmp_path / "airqa" / "papers.duckdb").unlink()
    with pytest.raises(StoreSearchError, match="`aimsciqa airqa store FOLDER` makes it"):
        make(resources)
    with pytest.raises(SettingsError, match="needs a language model"):
        Settings.preset_of("demo", {"AIMSCIQA_EXTRACTOR_EXAMPLES": "1"})


def test_while_no_example_is_wanted_what_was_made_stays(tmp_path):
    with ModelServer(answer=ScriptedModel()) as server:
        make(resources_at(tmp_path, server.url, papers=4, examples=2, kinds="single:1"))
        paid = len(server.seen)
        off = resources_at(tmp_path, server.url)
        make(off)
        assert len(server.seen) == paid
    assert [len(rows(off, f"from extractor.{name}")) for name in TABLES] == [2, 2, 2, 6, 18]


TABLES = ("examples", "quotas", "trajectories", "turns", "verdicts")


def test_another_retriever_makes_the_trajectories_anew_and_what_it_replaced_is_forgotten(tmp_path):
    class Searching(ScriptedModel):
        """A model that looks for the yields of plots."""

        def __call__(self, body):
            reply = super().__call__(body)
            return reply.replace("Query(sql=", "Retrieve(query=") if "Query(sql=" in reply else reply

    def kept():
        with closing(sqlite3.connect(tmp_path / "airqa" / "observations.sqlite")) as file:
            (counted,) = file.execute(
                "select count(*), (select count(*) from uses_by_run) from observations"
            ).fetchall()
            return counted

    observed = "select observation from extractor.turns where turn = 1 order by example_id"
    with ModelServer(answer=Searching()) as server:
        chosen = {"papers": 4, "examples": 2, "kinds": "single:1"}
        resources = resources_at(tmp_path, server.url, **chosen)
        make(resources)
        by_vectors, in_file = rows(resources, observed), kept()
        resources = resources_at(tmp_path, server.url, AIMSCIQA_AIRQA_RETRIEVER="bm25", **chosen)
        make(resources)
    assert len(by_vectors) == 2
    assert rows(resources, observed) != by_vectors
    assert in_file == kept() == (2, 2)


@pytest.mark.long
def test_another_number_of_examples_gives_what_it_gives_in_a_new_home_and_asks_nothing_twice(tmp_path):
    with ModelServer(answer=ScriptedModel(0.3)) as server:
        for examples in (8, 4, 12):
            changed = resources_at(tmp_path / "changed", server.url, examples=examples)
            make(changed)
        assert len({seen.key for seen in server.seen}) == len(server.seen)
        fresh = resources_at(tmp_path / "fresh", server.url, examples=12)
        make(fresh)
    for table in TABLES:
        assert rows(changed, f"from extractor.{table}") == rows(fresh, f"from extractor.{table}")


def test_a_store_without_anything_to_ask_about_gives_no_example_and_says_why(tmp_path):
    with ModelServer(answer=ScriptedModel()) as server:
        resources = resources_at(tmp_path, server.url, papers=2, examples=4)
        with duckdb.connect(str(tmp_path / "airqa" / "papers.duckdb")) as store:
            store.execute("update metadata set title = ' '")
        make(resources)
        assert server.seen == []
    told = "select kind, sum(missing)::int, any_value(why) from extractor.quotas group by all order by 1"
    assert rows(resources, told) == [
        ("comprehensive", 1, "no_seeds"),
        ("multiple", 1, "no_singles"),
        ("retrieval", 1, "no_seeds"),
        ("single", 1, "no_seeds"),
    ]
    assert [len(rows(resources, f"from extractor.{table}")) for table in TABLES] == [0, 6, 0, 0, 0]


@pytest.mark.long
def test_two_runs_at_once_ask_and_write_what_one_does(tmp_path):
    with ModelServer(answer=ScriptedModel(0.3), latency=lambda _number: 0.02) as server:
        alone = resources_at(tmp_path / "alone", server.url, examples=8)
        make(alone)
        paid = len(server.seen)
        shared = resources_at(tmp_path / "shared", server.url, examples=8)
        command = [sys.executable, "-m", "tests.extractor_home", str(tmp_path / "shared"), server.url]
        both = [subprocess.Popen([*command, "examples=8"], cwd=Path(__file__).parents[2]) for _ in range(2)]
        assert [process.wait() for process in both] == [0, 0]
        assert len(server.seen) == 2 * paid
    for table in TABLES:
        assert rows(shared, f"from extractor.{table}") == rows(alone, f"from extractor.{table}")


def model_in_flight(requests):
    """Settings of all three models: so many requests at once."""
    return {
        f"AIMSCIQA_{task}_MODEL_{name}": str(requests)
        for task in ("EXTRACTOR", "TRACKER", "ACTOR")
        for name in ("IN_FLIGHT", "MOST_IN_FLIGHT")
    }


def exported(resources, folder):
    """The files of an export of the trajectories, by name."""
    folder.mkdir()
    export(resources["warehouse"], folder, Cut(), Choice())
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize(
    ("examples", "papers", "in_flight"),
    [
        pytest.param(24, 40, 3, marks=pytest.mark.long),
        pytest.param(500, 500, 8, marks=pytest.mark.nightly),
    ],
)
def test_a_killed_run_pays_only_what_was_in_flight_again_and_ends_the_same(
    tmp_path, examples, papers, in_flight
):
    settings = {"examples": str(examples)} | model_in_flight(in_flight)
    with ModelServer(answer=ScriptedModel(0.3)) as server:
        whole = resources_at(tmp_path / "whole", server.url, papers=papers, **settings)
        make(whole)
        paid = len(server.seen)
    with ModelServer(answer=ScriptedModel(0.3), latency=lambda _number: 0.02) as server:
        resources_at(tmp_path / "killed", server.url, papers=papers, **settings)
        command = [sys.executable, "-m", "tests.extractor_home", str(tmp_path / "killed"), server.url]
        command += [f"{name}={value}" for name, value in settings.items()]
        for stopped_at in (paid // 5, paid // 2):
            process = subprocess.Popen(command, cwd=Path(__file__).parents[2])
            while len(server.seen) < stopped_at:
                assert process.poll() is None
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
            process.wait()
        killed = resources_at(tmp_path / "killed", server.url, papers=papers, **settings)
        make(killed)
        asked = Counter(seen.key for seen in server.seen)
    assert paid <= asked.total() <= paid + 2 * in_flight
    assert asked.total() - len(asked) <= 2 * in_flight
    for table in TABLES:
        query = f"from extractor.{table} order by all"
        assert rows(killed, query) == rows(whole, query)
    files = exported(killed, tmp_path / "export")
    assert files == exported(whole, tmp_path / "export of whole")
    assert files["sharegpt.jsonl"].count(b"\n") > examples
