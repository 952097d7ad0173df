"""The baselines of AirQA over three small papers and a scripted server: what each asks, and what it gives."""

import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aimsciqa_assets.settings import Settings, SettingsError
from aimsciqa_assets.settings.airqa_runs import runs_of
from aimsciqa_assets.tables import TABLES
from tests.airqa_home import answer, resources_at, uuids
from tests.drawn_papers import drawn_paper
from tests.model_server import ModelServer
from tests.paper_stores import insert, rows

pytestmark = pytest.mark.slow


def one_answer(_body) -> str:
    return '{"answer": "3 mg"}'


def asked_about(server, question):
    """The task message of the first request about an example."""
    found = [seen for seen in server.seen if question in str(seen.body["messages"][1]["content"])]
    return found[0].body["messages"][1]["content"]


ZINC = "By how much did grain zinc fall in wheat?"
LEAD = "Which paper did not measure lead?"
QUESTION = f"Question: {ZINC}\nAnswer format: A text."
SHOWN = {
    "question_only": f"<paper>\nTitle: Zinc of wheat\n</paper>\n\n{QUESTION}",
    "title_abstract": f"<paper>\nTitle: Zinc of wheat\n\nGrain zinc fell.\n</paper>\n\n{QUESTION}",
    "full_text": "<paper>\nTitle: Zinc of wheat\n\nGrain zinc fell by 3 mg in wheat.\n\n"
    f"Pots held ten litres.\n</paper>\n\n{QUESTION}",
    "rag": "<paper>\nTitle: Zinc of wheat\n</paper>\n\n"
    "<passage>\nPaper: Zinc of wheat, page 1\n\nGrain zinc fell by 3 mg in wheat.\n</passage>\n\n"
    "<passage>\nPaper: Zinc of wheat, page 1\n\nGrain zinc fell by 3 mg in wheat.\n</passage>\n\n"
    f"{QUESTION}",
}


@pytest.mark.parametrize("baseline", SHOWN)
def test_what_a_baseline_without_an_agent_shows(tmp_path, baseline):
    with ModelServer(answer=one_answer) as server:
        resources = resources_at(tmp_path, server.url, airqa_baselines=baseline, airqa_passages=2)
        run_id = answer(resources)
    assert asked_about(server, ZINC) == SHOWN[baseline]
    sent = server.seen[0].body
    assert (sent["temperature"], sent["top_p"], sent["max_tokens"]) == (0.7, 0.95, 1500)
    found = rows(resources, "select example_id, status, answer, turns, reason from airqa.answers order by 1")
    assert found == [(f"e{n}", "answered", '"3 mg"', 1, None) for n in (1, 2, 3)]
    told = rows(resources, "select run_id, repeat, baseline, model, examples, summaries from airqa.runs")
    assert told == [(run_id, 1, baseline, "m", 3, 0 if baseline == "rag" else None)]
    turns = rows(resources, "select turn, action, arguments, error from airqa.turns where example_id = 'e1'")
    assert turns == [(1, "Answer", '{"answer": "3 mg"}', None)]


ACTIONS = {
    "agentic_rag": "Retrieve(query='grain zinc', limit=1)",
    "agentic_text2sql": "Query(sql='select title from metadata order by title limit 1')",
    "agentic_hybrid": "Query(sql='select count(*)::int as papers from metadata')",
}
OBSERVED = {
    # Only the papers that the question names are searched.
    "agentic_rag": '"score":0.8165,"text":"Grain zinc fell."}\n',
    "agentic_text2sql": '{"title":"Iron of rice"}\n',
    "agentic_hybrid": '{"papers":3}\n',
}
ALL_SHOWN = "\nIn total, 1 rows are displayed in JSON format."


def acting(*actions, answer="Answer(answer=3)"):
    """Takes these actions, one after the other, then answers."""

    def reply(body) -> str:
        done = sum(message["role"] == "assistant" for message in body["messages"])
        return f"[Thought]: so\n[Action]: {[*actions, answer][done]}"

    return reply


@pytest.mark.parametrize("baseline", ACTIONS)
def test_an_agent_acts_on_the_store_and_answers(tmp_path, baseline):
    with ModelServer(answer=acting(ACTIONS[baseline])) as server:
        resources = resources_at(tmp_path, server.url, airqa_baselines=baseline)
        answer(resources)
    found = rows(resources, "select distinct status, answer, turns from airqa.answers")
    assert found == [("answered", "3", 2)]
    last = next(
        seen.body["messages"]
        for seen in server.seen
        if len(seen.body["messages"]) == 4 and ZINC in seen.body["messages"][1]["content"]
    )
    system, task, said, told = (message["content"] for message in last)
    assert "### Answer" in system
    assert f"Question: {ZINC}" in task
    assert said == f"[Thought]: so\n[Action]:\n{ACTIONS[baseline]}"
    assert told.endswith(OBSERVED[baseline] + ALL_SHOWN)
    of_turns = "select turn, thought, action, action_text, observation, error from airqa.turns "
    turns = rows(resources, f"{of_turns} where example_id = 'e1' order by 1")
    name = ACTIONS[baseline].partition("(")[0]
    assert turns == [
        (1, "so", name, said, told.removeprefix("[Observation]:\n"), None),
        (2, "so", "Answer", "[Thought]: so\n[Action]:\nAnswer(answer=3)", None, None),
    ]


@pytest.mark.parametrize("retriever", ["bm25", "encoder+bm25"])
def test_retrieve_by_words(tmp_path, retriever):
    chosen = {"airqa_baselines": "agentic_rag", "airqa_retriever": retriever}
    with ModelServer(answer=acting("Retrieve(query='grain fell', limit=1)")) as server:
        resources = resources_at(tmp_path, server.url, **chosen)
        if retriever == "bm25":
            (tmp_path / "airqa" / "vectors.arrow").unlink()
        answer(resources)
    of_turns = "select distinct observation from airqa.turns where turn = 1 and example_id = 'e1'"
    ((seen,),) = rows(resources, of_turns)
    assert '"title":"Zinc of wheat"' in seen
    assert '"text":"Grain zinc fell."' in seen
    ((settings,),) = rows(resources, "select settings from airqa.runs")
    assert json.loads(settings)["retriever"] == retriever


def test_observations_that_nobody_needs_any_more_are_removed(tmp_path):
    def kept():
        with sqlite3.connect(tmp_path / "airqa" / "observations.sqlite") as file:
            return file.execute("select count(distinct run_id), count(*) from uses_by_run").fetchall()

    with ModelServer(answer=acting(ACTIONS["agentic_rag"])) as server:
        answer(resources_at(tmp_path, server.url, airqa_baselines="agentic_rag"))
        assert kept() == [(1, 3)]
        # The same run with another deadline: it observes anew.
        answer(resources_at(tmp_path, server.url, airqa_baselines="agentic_rag", airqa_query_seconds=5))
        assert kept() == [(1, 3)]
        answer(resources_at(tmp_path, server.url, airqa_baselines="agentic_rag", airqa_window=4))
        assert kept() == [(2, 6)]


def test_structured_tool_calls_go_out_and_come_back(tmp_path):
    class Calling(ModelServer):
        def good_reply(self, seen):
            done = any(message["role"] == "tool" for message in seen.body["messages"])
            name, arguments = ("Answer", {"answer": ["a"]}) if done else ("Query", {"sql": "select 1 as one"})
            function = {"name": name, "arguments": json.dumps(arguments)}
            called = {"content": None, "tool_calls": [{"id": "x", "type": "function", "function": function}]}
            return self.reply(seen, called, "tool_calls")

    with Calling() as server:
        chosen = {"airqa_baselines": "agentic_hybrid", "airqa_action_format": "tools"}
        resources = resources_at(tmp_path, server.url, **chosen)
        # `reply` counts the words of every message.
        server.answer = lambda _body: ""
        answer(resources)
    assert rows(resources, "select distinct status, answer, turns from airqa.answers") == [
        ("answered", '["a"]', 2)
    ]
    offered = [tool["function"]["name"] for tool in server.seen[0].body["tools"]]
    assert offered == ["Retrieve", "Query", "Answer"]
    last = next(seen for seen in server.seen if len(seen.body["messages"]) == 4).body["messages"]
    assert last[2]["tool_calls"][0]["function"] == {
        "name": "Query",
        "arguments": '{"sql": "select 1 as one"}',
    }
    assert last[3]["role"] == "tool"
    assert last[3]["content"].startswith('[Observation]:\n{"one":1}')


def test_an_agent_looks_at_the_page_of_a_stored_pdf(tmp_path):
    look = "View(paper_id='{}', page_number=2, bounding_box=[0, 0, 100, 50])"
    actions: list[str] = []

    def reply(body) -> str:
        return acting(*actions)(body)

    with ModelServer(answer=reply) as server:
        chosen = {"airqa_baselines": "agentic_rag", "airqa_view": "true", "airqa_sample": 1}
        resources = resources_at(tmp_path, server.url, **chosen)
        papers = uuids(tmp_path)
        stored = papers["Zinc of wheat"]
        actions += [look.format(stored), look.format(papers["Iron of rice"])]
        read = {column.name: None for column in TABLES["airqa.papers"].columns}
        read |= {"batch": "b1", "uuid": stored, "source": "pdf"}
        read["file_id"] = resources["files"].put_bytes(drawn_paper())
        insert(resources["warehouse"], {"airqa.papers": [read]})
        answer(resources)
    of_turns = "select action, error, has_image, observation from airqa.turns order by turn"
    seen = rows(resources, of_turns)
    assert [one[:3] for one in seen] == [
        ("View", None, True),
        ("View", "no_such_paper", False),
        ("Answer", None, False),
    ]
    assert seen[0][3] == f"The picture shows the box [0, 0, 100, 50] on page 2 of {stored}."
    told, picture = server.seen[1].body["messages"][-1]["content"]
    assert told["text"] == f"[Observation]: {seen[0][3]}"
    assert picture["image_url"]["url"].startswith("data:image/png;base64,")


def test_text2sql_writes_one_statement_and_answers_from_its_result(tmp_path):
    def reply(body) -> str:
        asked = body["messages"][-1]["content"]
        if body["messages"][0]["content"].startswith("You answer questions about scientific papers with"):
            return "I count.\n```sql\nselect count(*)::int as papers from metadata\n```"
        if "That reply cannot be used" in asked:
            return '{"answer": 3}'
        return "3 papers"

    with ModelServer(answer=reply) as server:
        resources = resources_at(tmp_path, server.url, airqa_baselines="text2sql", airqa_sample=1)
        answer(resources)
    of_turns = "select turn, action, arguments, observation, error from airqa.turns order by 1"
    shown = '{"papers":3}\n\nIn total, 1 rows are displayed in JSON format.'
    assert rows(resources, of_turns) == [
        (1, "Query", '{"sql": "select count(*)::int as papers from metadata"}', shown, None),
        # An answer that cannot be read is asked for once more.
        (2, None, None, None, "unparsable"),
        (3, "Answer", '{"answer": 3}', None, None),
    ]
    assert rows(resources, "select status, answer, turns from airqa.answers") == [("answered", "3", 3)]
    told = server.seen[1].body["messages"][1]["content"]
    assert told.startswith(
        f"Statement:\n```sql\nselect count(*)::int as papers from metadata\n```\n\nResult:\n{shown}\n\n"
    )


def test_repeats_have_replies_of_their_own_and_a_larger_sample_pays_for_the_new_examples_alone(tmp_path):
    chosen = {"airqa_baselines": "agentic_hybrid"}
    with ModelServer(answer=acting(ACTIONS["agentic_hybrid"])) as server:
        answer(resources_at(tmp_path, server.url, airqa_repeats=2, airqa_sample=1, **chosen))
        assert len(server.seen) == 4
        resources = resources_at(tmp_path, server.url, airqa_repeats=2, airqa_sample=2, **chosen)
        answer(resources)
        assert len(server.seen) == 8
    found = rows(resources, "select repeat, count(*) from airqa.answers group by all order by 1")
    assert found == [(1, 2), (2, 2)]
    assert rows(resources, "select repeat, examples from airqa.runs order by 1") == [(1, 2), (2, 2)]


STEPS_OF_SQL = [f"Query(sql='select {number} as n, random() as drawn')" for number in range(8)]
SCORED = (
    "select example_id, repeat, status, answer, turns, input_tokens, output_tokens from airqa.answers "
    "order by all"
)
SEEN = "select example_id, repeat, turn, observation, error from airqa.turns order by all"


@pytest.mark.long
def test_a_killed_run_pays_only_what_was_in_flight_again_and_ends_the_same(tmp_path):
    """The statements draw at random: were one carried out again, the model would be asked something else."""
    chosen = {"airqa_baselines": "agentic_hybrid", "airqa_repeats": "2", "airqa_window": "20"}
    chosen |= {"airqa_model_in_flight": "3", "airqa_model_most_in_flight": "3"}
    command = [sys.executable, "-m", "tests.airqa_home", str(tmp_path)]
    with ModelServer(answer=acting(*STEPS_OF_SQL), latency=lambda _number: 0.02) as server:
        command += [server.url, *(f"{name}={value}" for name, value in chosen.items())]
        for stopped_at in (7, 25):
            process = subprocess.Popen(command, cwd=Path(__file__).parents[2])
            while len(server.seen) < stopped_at:
                assert process.poll() is None
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
            process.wait()
        resources = resources_at(tmp_path, server.url, **chosen)
        answer(resources)
        # Six dialogues of nine turns; at each kill three requests were in flight at most.
        assert 54 <= len(server.seen) <= 54 + 2 * 3
        asked = {seen.key for seen in server.seen}
        scored, seen = rows(resources, SCORED), rows(resources, SEEN)
        assert {one[2:5] for one in scored} == {("answered", "3", 9)}
        # A sixth of a second later, and from the journal alone.
        paid = len(server.seen)
        with resources["warehouse"].get_connection() as connection:
            connection.execute("delete from ops.materializations where table_name like 'airqa.%'")
        answer(resources)
        assert (rows(resources, SCORED), rows(resources, SEEN)) == (scored, seen)
        assert len(server.seen) == paid
    # The two repeats of an example ask the same: no other observation was ever shown.
    assert len(asked) == 27


def test_a_model_that_does_not_answer_leaves_a_reason_in_every_row(tmp_path):
    with ModelServer(answer=acting(), context=50) as server:
        chosen = {"airqa_baselines": "agentic_rag", "airqa_model_failure_share": 1}
        resources = resources_at(tmp_path, server.url, **chosen)
        answer(resources)
    found = rows(resources, "select status, answer, reason, turns from airqa.answers")
    assert found == [("failed", None, "too_long", 0)] * 3


def test_rules_answer_for_four_baselines_and_the_others_say_what_they_need(tmp_path):
    resources = resources_at(tmp_path, airqa_baselines="full_text")
    answer(resources)
    assert rows(resources, "select example_id, answer from airqa.answers order by 1") == [
        ("e1", '"Grain zinc fell by 3 mg in wheat."'),
        ("e2", '"Grain zinc fell by 3 mg in wheat."'),
        ("e3", '"I cannot tell without the papers."'),
    ]
    with pytest.raises(
        SettingsError, match=r"agentic_rag needs a language model\. Set AIMSCIQA_AIRQA_MODEL_BACKEND"
    ):
        Settings.preset_of("demo", {"AIMSCIQA_AIRQA_BASELINES": "agentic_rag"})


def test_a_run_has_an_id_of_its_own_for_whatever_changes_its_replies():
    def ids(**changed):
        base = {
            "baselines": "agentic_rag",
            "model_backend": "server",
            "model_base_url": "http://localhost/v1",
        }
        chosen = {**base, "model_name": "m", **changed}
        environment = {f"AIMSCIQA_AIRQA_{name.upper()}": str(value) for name, value in chosen.items()}
        return [*runs_of(Settings.preset_of("demo", environment))]

    (one,) = ids()
    assert one.startswith("agentic_rag-")
    assert ids(repeats=3, sample=5, passages=2, model_in_flight=3) == [one]
    for changed in ({"temperature": 0.6}, {"window": 4}, {"action_format": "xml"}, {"model_name": "n"}):
        assert ids(**changed) != [one]
    assert len(set(ids(models="a b@http://localhost:1/v1 recorded:jane", baselines="rag agentic_rag"))) == 6


def test_without_a_store_the_run_says_what_to_set(tmp_path):
    resources = resources_at(tmp_path, airqa_baselines="full_text")
    (tmp_path / "airqa" / "papers.duckdb").unlink()
    with pytest.raises(RuntimeError, match=r"no paper store at .*`aimsciqa airqa store FOLDER` makes it"):
        answer(resources)
