"""The pipeline on the real engine. The model writes noise: none of it may pass for a grounded pair."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import dagster as dg
import pytest
from aimsciqa_resources.language_model import LanguageModel, Message, converse
from aimsciqa_resources.language_model.opening import LanguageModels
from aimsciqa_resources.language_model.settings import ModelSettings
from aimsciqa_resources.language_model.vllm_engine import VllmEngine
from rich.console import Console

from aimsciqa_assets.aim_sciqa.multi_hop.replies import Composition, Refusal, read_reply
from aimsciqa_assets.aim_sciqa.multi_hop.task import MULTI_HOP
from aimsciqa_assets.aim_sciqa.single_hop.task import SINGLE_HOP
from aimsciqa_assets.benchmark.answering.rag.flare import flare
from aimsciqa_assets.benchmark.answering.rag.inquiry import (
    Answered,
    Found,
    Inquiry,
    Library,
    Limits,
    Method,
    inquire,
)
from aimsciqa_assets.benchmark.answering.rag.replug import replug, weighted
from aimsciqa_assets.benchmark.answering.rag.tasks import ANSWER
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.findings.library import Shelf
from aimsciqa_assets.findings.trials import Rules, tried
from aimsciqa_assets.findings.wording import DraftFact, Wording
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.settings import Settings
from tests.fakes import WordEncoder, write_corpus
from tests.vllm.conftest import CACHE_BYTES

pytestmark = pytest.mark.slow

REASONS = {"evidence_not_found", "empty_evidence", "empty_question", "empty_answer"}
REASONS |= {"repeated", "low_alignment", "cut_off"}
TOLD = (
    "source_title source_section source_question source_answer target_title target_section target_question "
    "target_answer retrieval_question retrieval_answer"
).split()


OPTIONS = json.dumps({"max_model_len": 2048, "enforce_eager": True, "kv_cache_memory_bytes": CACHE_BYTES})


def settings_for(url: str, **more) -> ModelSettings:
    values = {"backend": "server", "name": "tiny", "base_url": url, "temperature": 0.8}
    return ModelSettings(**values | {"reply_tokens": 200, "in_flight": 16} | more)


def told(number: int, words: int = 40) -> dict[str, str]:
    return {
        "paper_title": "Zinc in maize",
        "section_title": "Results",
        "subsection": "",
        "keywords": "zinc",
        "paragraph": " ".join(f"Group {number} of cohort {word} rose." for word in range(words // 5)),
    }


def paragraph_requests(count: int):
    return [SINGLE_HOP.request(f"p{number}", **told(number)) for number in range(count)]


def engine_processes(session: int) -> list[str]:
    """The processes of engines in a session, without those that ended and that nobody waited for yet."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            # Its name stands in parentheses; then its state, its parent, its group and its session.
            name, _, rest = (process / "stat").read_text().rpartition(")")
            state, _, _, its_session, *_ = rest.split()
            if "(VLLM::" in name and int(its_session) == session and state != "Z":
                found.append(name.partition("(")[2])
    return found


def gauge(url: str, name: str) -> float:
    with urllib.request.urlopen(f"{url.removesuffix('/v1')}/metrics", timeout=5) as response:
        found = re.search(rf"^vllm:{name}{{.*}} (\S+)", response.read().decode(), flags=re.MULTILINE)
    return float(found[1])


def test_the_pipeline_through_the_server_keeps_no_noise(tmp_path, vllm_url):
    write_corpus(tmp_path / "papers", 6)
    shared = {"NAME": "tiny", "BACKEND": "server", "BASE_URL": vllm_url, "REPLY_TOKENS": "200"}
    environment = {f"AIMSCIQA_MODEL_{name}": value for name, value in shared.items()} | {
        "AIMSCIQA_MODEL_TEMPERATURE": "0.8",
        "AIMSCIQA_MODEL_FAILURE_SHARE": "1",
        "AIMSCIQA_RELATIONS_CLUSTER_SIZE": "2",
    }
    home = Home(tmp_path / "home")
    resources = build_resources(home, Settings.preset_of("demo", environment), encoder=WordEncoder())
    pipeline = Pipeline(home, resources, dg.DagsterInstance.ephemeral(), Console(quiet=True))
    pipeline.ingest(tmp_path / "papers")
    assert pipeline.run() == []
    read = pipeline.warehouse.read
    asked = read("select status, rejection_reason, reply from single_hop.extractions")
    assert asked.height == read("select count(*) as n from corpus.paragraphs")["n"][0] > 15
    assert set(asked["rejection_reason"].drop_nulls()) <= {"length_limit", "malformed_reply", "empty_reply"}
    pairs = read(
        """select pair.*, paragraph.text from single_hop.qa_pairs as pair
        join corpus.paragraphs as paragraph using (paragraph_id)"""
    )
    for pair in pairs.iter_rows(named=True):
        grounded = bool(pair["evidence"]) and pair["evidence"] in pair["text"]
        assert grounded or pair["status"] == "rejected"
        assert pair["status"] == "kept" or pair["rejection_reason"] in REASONS
    calls = read("select * from ops.llm_calls where purpose = 'answer'")
    assert calls.height == asked.height
    assert calls["prompt_tokens"].min() > 300
    assert calls["cached_tokens"].max() > 200
    assert calls.filter(calls["finish_reason"] == "length")["reply_tokens"].to_list() == [200] * len(
        calls.filter(calls["finish_reason"] == "length")
    )
    before = gauge(vllm_url, "request_success_total")
    again = Pipeline(home, resources, dg.DagsterInstance.ephemeral(), Console(quiet=True))
    with again.warehouse.get_connection() as connection:
        connection.execute("delete from ops.materializations where table_name = 'single_hop.extractions'")
    assert again.run() == []
    assert gauge(vllm_url, "request_success_total") == before
    assert read("select status, rejection_reason, reply from single_hop.extractions").equals(asked)


def test_replies_keep_to_the_schema_and_the_grammar(tmp_path, vllm_url):
    model = LanguageModels(tmp_path / "journal").open(settings_for(vllm_url))
    replies = [reply for reply in model.replies(paragraph_requests(20)) if not reply.truncated]
    assert replies
    assert all(reply.text.startswith('{"pairs":[') and reply.text.endswith("]}") for reply in replies)
    values = {name: f"The {name} of this item." for name in TOLD}
    items = [MULTI_HOP.request(f"r{n}", **values | {"source_title": f"Zinc {n}"}) for n in range(8)]
    written = list(model.replies(items))
    assert all(
        reply.truncated or isinstance(read_reply(reply.text), Composition | Refusal) for reply in written
    )
    assert all(reply.text.startswith(("<outputs>", "Cannot generate")) for reply in written)


def test_a_paragraph_over_the_context_is_divided(tmp_path, vllm_url):
    model = LanguageModels(tmp_path / "journal").open(settings_for(vllm_url))
    (outcome,) = converse(model, [SINGLE_HOP.ask("p", **told(0, words=1500))])
    assert outcome.text is not None
    assert outcome.parts >= 2


def test_leaving_in_the_middle_frees_the_engine(tmp_path, vllm_url):
    model = LanguageModels(tmp_path / "journal").open(settings_for(vllm_url, reply_tokens=600))
    replies = model.replies(paragraph_requests(100))
    next(replies)
    replies.close()
    give_up = time.monotonic() + 20
    while gauge(vllm_url, "num_requests_running") and time.monotonic() < give_up:
        time.sleep(0.2)
    assert gauge(vllm_url, "num_requests_running") == gauge(vllm_url, "num_requests_waiting") == 0


def test_an_unknown_model_is_told_with_those_that_are_there(tmp_path, vllm_url):
    from aimsciqa_resources.language_model.interface import ModelRefusedError

    model = LanguageModels(tmp_path / "journal").open(settings_for(vllm_url, name="large"))
    with pytest.raises(ModelRefusedError, match=r"large at .* is not there .* It has: tiny"):
        list(model.replies(paragraph_requests(3)))


def test_the_command_line_with_the_engine_in_process(tmp_path, tiny_model):
    """`aimsciqa run` with the backend vllm; afterwards the journal answers without an engine."""
    write_corpus(tmp_path / "papers", 4)
    environment = os.environ | {
        "AIMSCIQA_HOME": str(tmp_path / "home"),
        "AIMSCIQA_MODEL_BACKEND": "vllm",
        "AIMSCIQA_MODEL_NAME": str(tiny_model),
        "AIMSCIQA_MODEL_ENGINE_OPTIONS": OPTIONS,
        "AIMSCIQA_MODEL_REPLY_TOKENS": "60",
        "AIMSCIQA_MODEL_TEMPERATURE": "0.8",
        "AIMSCIQA_MODEL_FAILURE_SHARE": "1",
        "AIMSCIQA_RELATIONS_CLUSTER_SIZE": "2",
    }
    aimsciqa = Path(sys.executable).with_name("aimsciqa")
    seen: set[str] = set()

    def run(*words: str) -> str:
        told, complained = tmp_path / "told", tmp_path / "complained"
        with told.open("w") as output, complained.open("w") as errors:
            command = subprocess.Popen(
                [aimsciqa, *words], env=environment, stdout=output, stderr=errors, start_new_session=True
            )
            give_up = time.monotonic() + 400
            while command.poll() is None and time.monotonic() < give_up:
                seen.update(engine_processes(command.pid))
                time.sleep(0.2)
        assert command.poll() == 0, told.read_text()[-2000:] + complained.read_text()[-3000:]
        # The engine sees by itself that whoever asked it is gone.
        give_up = time.monotonic() + 30
        while engine_processes(command.pid) and time.monotonic() < give_up:
            time.sleep(0.2)
        assert engine_processes(command.pid) == []
        return told.read_text()

    run("ingest", str(tmp_path / "papers"))
    # A model with random weights gives no items, which is a failure unless single batches are asked for.
    run("run", "--quiet", "--batch", "batch-0001")
    assert "VLLM::EngineCor" in seen
    # The papers are too long for this model's context, so Findings reads none of them.
    counted = "select count(*) as n, sum(reply_tokens) as t from ops.llm_calls where outcome <> 'too_long'"
    calls = run("sql", counted, "--format", "csv")
    count, tokens = map(int, calls.splitlines()[1].split(","))
    assert count >= 10
    assert tokens > count
    assert str(count) in run("journal")


def test_requests_about_one_draft_share_the_prompt_up_to_the_question(tmp_path, vllm_url):
    blocks = [
        {"section": "S", "kind": "text", "text": f"Village {place} grew {place} t of millet. "}
        | {"paper_id": paper, "paragraph_id": f"{paper}{place}"}
        for paper in "AB"
        for place in range(5)
    ]
    fact = {"statement": "s", "value_text": "1", "unit": "t", "measure_id": None}
    library = Shelf(
        {"A": "One", "B": "Two"},
        blocks,
        [fact | {"paper_id": paper, "finding_id": paper} for paper in "AB"],
        references={},
        passages=0,
        text_tokens=10_000,
    )
    facts = tuple(DraftFact(paper, paper, "s", "1", "t", "Village 1 grew 1 t of millet.") for paper in "AB")
    model = LanguageModels(tmp_path / "journal").open(settings_for(vllm_url, reply_tokens=20))
    hits, queries = (gauge(vllm_url, f"prefix_cache_{name}_total") for name in ("hits", "queries"))
    for number in range(6):
        question = f"How much millet grew in village {number}?"
        draft = Wording("value_comparison", question, "It was 1 t.", facts)
        request = next(tried(f"d{number}", draft, library, Rules(1, 1, 50)))
        list(model.replies([request]))
    hits = gauge(vllm_url, "prefix_cache_hits_total") - hits
    queries = gauge(vllm_url, "prefix_cache_queries_total") - queries
    # The first of six requests is new, and the others differ from it in the question and its facts.
    assert hits > 0.7 * queries, f"The prefix cache served {hits / queries:.0%} of the prompt tokens."


PAPERS = {
    "p1": "Zinc of wheat\n\nGrain zinc fell by 3 mg in the pots.",
    "p2": "Iron of rice\n\nGrain iron rose by 5 mg in the field.",
    "p3": "Lead of barley\n\nLeaf lead was not measured.",
}


def asked_by(method: Method, model: LanguageModel, **limits) -> Answered:
    """What a RAG baseline comes to that finds three papers, whatever it searches for."""

    def search(query, _without, count):
        return [Found(paper, score, query) for paper, score in (("p1", 2.0), ("p2", 1.5), ("p3", 0.5))][
            :count
        ]

    library = Library(search, lambda papers: {paper: PAPERS[paper] for paper in papers}, Limits(**limits))
    question = Inquiry("k", "How did iron of rice change?", (), library)
    (answered,) = converse(model, [inquire(method, question)])
    return answered


@pytest.fixture(scope="module")
def own_engine(tiny_model) -> Iterator[dict[str, str]]:
    """Settings of the engine in this process, which is loaded once for all tests."""
    own = {"backend": "vllm", "name": str(tiny_model), "engine_options": OPTIONS}
    yield own
    VllmEngine(settings_for("", **own)).unload()


@pytest.fixture
def both_models(tmp_path, vllm_url, own_engine) -> list[LanguageModel]:
    """The model on the server, and in this process."""
    common = {"reply_tokens": 24, "temperature": 0.0}
    return [
        LanguageModels(tmp_path / f"{name}.sqlite").open(settings_for(vllm_url, **common | more))
        for name, more in (("server", {}), ("vllm", own_engine))
    ]


def test_flare_searches_by_the_probabilities_of_the_tokens(both_models):
    for model in both_models:
        answered = asked_by(flare, model, output_tokens=20)
        drafts = [step for step in answered.steps if step.kind == "draft"]
        # A model of random weights is sure of nothing: every sentence is searched for and written again.
        assert drafts
        assert all(0 < step.number < 0.1 for step in drafts)
        searches = [step for step in answered.steps if step.kind == "search"]
        assert [step.query for step in searches] == ["How did iron of rice change?"] * len(drafts)
        assert answered.outcome.reason is None
        assert answered.read == ("p1", "p2", "p3")


def test_replug_scores_each_answer_behind_each_paper(both_models):
    for model in both_models:
        answered = asked_by(replug, model, output_tokens=8)
        candidates = [step for step in answered.steps if step.kind == "candidate"]
        weights = next(step.scores for step in answered.steps if step.kind == "weights")
        assert len(candidates) > 1
        for step in candidates:
            # Some eight tokens of the two thousand, each about as likely as the others.
            assert len(step.scores) == 3
            assert all(-100 < score < -20 for score in step.scores)
            assert len(set(step.scores)) == 3
            assert step.number == pytest.approx(weighted(weights, step.scores))
        best = max(candidates, key=lambda step: step.number)
        assert answered.outcome.value == best.text.strip()


def test_what_the_engine_scores_is_what_it_said_with_these_probabilities(both_models):
    for model in both_models:
        plain = ANSWER.request("k", question="Q?", documents=[{"name": "document", "text": PAPERS["p2"]}])
        wanted = replace(plain, logprobs=0, reply_tokens=8)
        (said,) = model.replies([wanted])
        messages = (*plain.messages, Message("assistant", "".join(one.token for one in said.logprobs)))
        length = said.calls[0].usage.prompt
        (again,) = model.replies([replace(plain, messages=messages, reply_tokens=1, scored_from=length)])
        # The text may be cut into other tokens than it was written in, and then it has another probability.
        if [one.token for one in again.scored] == [one.token for one in said.logprobs]:
            numbers = [one.logprob for one in again.scored]
            assert numbers == pytest.approx([one.logprob for one in said.logprobs], abs=0.05)
        assert "".join(one.token for one in again.scored) == messages[-1].text


def test_replug_writes_token_by_token(both_models):
    for model in both_models:
        answered = asked_by(replug, model, output_tokens=5, replug="tokens")
        tokens = [step for step in answered.steps if step.kind == "token"]
        assert 0 < len(tokens) <= 5
        assert all(0 < step.number < 0.1 for step in tokens)
        assert answered.outcome.value == "".join(step.text for step in tokens).strip()
