"""The platform of docker/ without containers: its commands, its environment, its health checks, its queue."""

import json
import shutil
import tempfile
import urllib.request
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.compose_file import DOCKER
from tests.deployment import Deployment, postgres_programs, wait_until

PAPERS = sorted((DOCKER.parent / "examples" / "demo_corpus").glob("*.xml"))[:4]

NODES = "{ assetNodes { assetKey { path } opNames repository { name location { name } } } }"
LAUNCH = """mutation LaunchPipelineExecution($executionParams: ExecutionParams!) {
  launchPipelineExecution(executionParams: $executionParams) {
    __typename
    ... on LaunchRunSuccess { run { runId } }
    ... on PythonError { message }
  }
}"""
RUN = """query Run($runId: ID!) {
  runOrError(runId: $runId) { ... on Run { status eventConnection { events { __typename } } } }
}"""


class WebUI:
    """What a person does in the web UI, by the requests that it sends."""

    def __init__(self, deployment: Deployment) -> None:
        self.address = f"http://127.0.0.1:{deployment.ports['3000']}/graphql"

    def ask(self, query: str, **variables: object) -> dict:
        request = urllib.request.Request(
            self.address,
            json.dumps({"query": query, "variables": variables}).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as reply:
            answer = json.load(reply)
        assert "errors" not in answer, answer
        return answer["data"]

    def materialize(self, step: str, batch: str) -> str:
        """All tables of a step, for one batch; the id of the run."""
        nodes = [node for node in self.ask(NODES)["assetNodes"] if step in node["opNames"]]
        repository = nodes[0]["repository"]
        parameters = {
            "selector": {
                "repositoryLocationName": repository["location"]["name"],
                "repositoryName": repository["name"],
                "pipelineName": "__ASSET_JOB",
                "assetSelection": [node["assetKey"] for node in nodes],
            },
            "mode": "default",
            "runConfigData": {},
            "executionMetadata": {"tags": [{"key": "dagster/partition", "value": batch}]},
        }
        launched = self.ask(LAUNCH, executionParams=parameters)["launchPipelineExecution"]
        assert launched["__typename"] == "LaunchRunSuccess", launched
        return launched["run"]["runId"]

    def run(self, run_id: str) -> dict:
        return self.ask(RUN, runId=run_id)["runOrError"]

    def has_ended(self, run_id: str) -> bool:
        return self.run(run_id)["status"] in {"SUCCESS", "FAILURE", "CANCELED"}


@pytest.fixture
def deployment() -> Iterator[Deployment]:
    postgres = postgres_programs()
    if postgres is None:
        warnings.warn("Postgres is not installed: Dagster's records were in SQLite", stacklevel=1)
    # Not below pytest's folder, which nobody else may enter: Postgres runs as another user.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        started = Deployment(Path(folder), postgres, AIMSCIQA_CORPUS_PAPERS_PER_BATCH="2")
        try:
            yield started
        finally:
            started.kill()


@pytest.mark.slow
def test_the_services_run_a_batch_from_the_web_ui_and_stop(deployment, tmp_path):
    papers = tmp_path / "papers"
    papers.mkdir()
    for paper in PAPERS:
        shutil.copy(paper, papers)

    for service in ("daemon", "webserver"):
        deployment.up(service)
    for service in ("daemon", "webserver"):
        deployment.wait_for_health(service)
    assert deployment.healthy >= {"code-location", "daemon", "webserver"}
    ingested = deployment.exec("code-location", "aimsciqa", "ingest", str(papers))
    assert "4 new files" in ingested.stdout, ingested.stdout + ingested.stderr

    web_ui = WebUI(deployment)
    run_id = web_ui.materialize("parsed_papers", "batch-0002")
    wait_until(lambda: web_ui.has_ended(run_id), "the run ended")
    run = web_ui.run(run_id)
    assert run["status"] == "SUCCESS", deployment.log("code-location")
    # The web server only puts a run into the queue; who starts it is the daemon.
    happened = {event["__typename"] for event in run["eventConnection"]["events"]}
    assert {"RunEnqueuedEvent", "RunStartingEvent", "RunSuccessEvent"} <= happened
    query = "select batch, count(*) as papers from corpus.papers group by batch"
    asked = deployment.exec("code-location", "aimsciqa", "sql", query, "--format", "json")
    assert json.loads(asked.stdout) == [{"batch": "batch-0002", "papers": 2}]
    assert (deployment.dagster_home / "history").exists() == (deployment.postgres is None)

    assert len(deployment.processes()) >= len(deployment.running)
    assert set(deployment.down().values()) == {0}
    wait_until(lambda: deployment.processes() == [], "nothing is left")
