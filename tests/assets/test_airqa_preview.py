"""What runs of AirQA would ask: the next requests, and all turns that agents may take."""

import dagster as dg
import pytest
from aimsciqa_resources.language_model.settings import ModelSettings
from rich.console import Console

from aimsciqa_assets.airqa.results import assets as _assets
from aimsciqa_assets.cli.foretelling import foretold_runs
from aimsciqa_assets.cli.later_turns import agent_turns
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.settings.airqa import AirqaSettings
from tests.airqa_home import resources_at
from tests.airqa_runs import example_shape, judged_shape, take
from tests.model_server import ModelServer

assert _assets
pytestmark = pytest.mark.slow


def pipeline_at(folder, url, **settings):
    resources = resources_at(folder, url, airqa_baselines="agentic_hybrid", airqa_turns=4, **settings)
    return Pipeline(Home(folder), resources, dg.DagsterInstance.ephemeral(), Console(quiet=True))


def told(pipeline):
    now, later = foretold_runs(pipeline, 0)
    return [(one.task, one.requests, one.known) for one in now], [(one.task, one.to_send) for one in later]


@pytest.mark.parametrize(
    ("asked", "requests", "tokens"),
    [
        # 100 tokens that every turn shows; a turn before has 5,000 of an observation and 10 of a reply.
        (0, 4, 4 * 100 + (0 + 1 + 2 + 2) * 5010),
        (1, 3, 3 * 100 + (1 + 2 + 2) * 5010),
        (4, 0, 0),
    ],
)
def test_an_agent_takes_all_turns_and_sees_as_many_as_its_window_holds(asked, requests, tokens):
    later = agent_turns(ModelSettings(reply_tokens=10), AirqaSettings(turns=4, window=2), 100, asked)
    assert (later.to_send, later.prompt_tokens) == (requests, tokens)


def test_turns_that_are_known_are_not_counted_again(tmp_path):
    def reply(body):
        done = sum(message["role"] == "assistant" for message in body["messages"])
        return "[Thought]: so\n[Action]: " + ("Query(sql='select 1')", "Answer(answer=3)")[done]

    with ModelServer(answer=reply) as server:
        assert told(pipeline_at(tmp_path, server.url)) == ([("airqa_agent", 3, 0)], [("airqa_agent", 9)])
        assert server.seen == []
        pipeline = pipeline_at(tmp_path, server.url, airqa_sample=1)
        assert pipeline.answer_examples() == []
        # One example has its two turns; of the others each may take three after the first.
        now, later = told(pipeline_at(tmp_path, server.url))
        assert (now, later) == ([("airqa_agent", 4, 2)], [("airqa_agent", 6)])
        assert len(server.seen) == 2


def test_judges_are_asked_once_for_each_answer_that_needs_one_but_not_of_their_own_family(tmp_path):
    judge = {"judge_model_backend": "server", "judge_model_base_url": "http://127.0.0.1:9/v1"}
    for name, judged in (("other", [("airqa_reference_answer", 4)]), ("m", [])):
        chosen = judge | {"judge_model_name": name, "airqa_repeats": 2}
        pipeline = pipeline_at(tmp_path, "http://127.0.0.1:9/v1", **chosen)
        take(tmp_path, pipeline.resources, *(judged_shape(one, "a cat") for one in "ab"), example_shape("c"))
        _, later = told(pipeline)
        # Three examples were there before; each of the six is answered twice.
        assert later == [("airqa_agent", 36), *judged]
