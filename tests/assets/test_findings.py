"""Findings from papers to items, by a model of the tests' own, through the tables."""

import json
from pathlib import Path

import pytest
from aimsciqa_resources.language_model.interface import Call, ModelReply

import aimsciqa
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.platform.queries import Query, queries_in
from aimsciqa_assets.release.layout import releases_in
from aimsciqa_assets.release.verifying import verify
from tests.findings_model import RANKED, FindingsModel, finding, write_field_papers
from tests.findings_pipeline import ON, PAPER, add, asked, between, pipeline_of, rows
from tests.small_home import copy_of
from tests.some_steps import run_some
from tests.two_batches import CLUSTER, pipeline_at

pytestmark = pytest.mark.slow

EDITED = {
    "reason": "the year is missing",
    "failed": [2],
    "action": "edit",
    "question": "How does grain zinc in 2001 compare between the fields of village 1 and village 3?",
    "answer": "It was 21 mg per kg in village 1 and 23 mg per kg in village 3.",
    "facts": [
        {
            "paper": "A",
            "statement": "s",
            "value": "21",
            "quote": "Grain zinc was 21 mg per kg",
            "place": "P1",
        },
        {"paper": "B", "statement": "s", "value": "23", "quote": "Grain zinc | 23 mg per kg"},
    ],
}


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[Pipeline, FindingsModel]:
    model = FindingsModel(
        challenges={between(1, 2): {"reason": "no such field", "action": "drop"}},
        readings={
            between(1, 3): EDITED,
            between(2, 3): {"reason": "nobody asks", "failed": [1], "action": "keep"},
        },
    )
    folder = tmp_path_factory.mktemp("findings")
    pipeline = pipeline_of(folder, model)
    add(pipeline, folder, 4)
    return pipeline, model


def test_a_paper_is_read_into_grounded_findings(made):
    pipeline, _ = made
    query = f"""
        select number, evidence, status, rejection_reason, cited from findings.findings
        where paper_id = '{PAPER}2' order by number
    """
    assert rows(pipeline, query) == [
        (1, "Grain zinc was 22 mg per kg.", "kept", None, ""),
        (2, "Yield | 2 t per ha", "kept", None, ""),
        (3, "Grain zinc | 22 mg per kg", "kept", None, ""),
        (4, "This stands nowhere.", "rejected", "evidence_not_found", ""),
        (5, "Earlier work found 21 mg of grain zinc [1].", "kept", None, "[1]"),
    ]


def test_drafters_see_from_which_of_the_papers_a_finding_is_taken(made):
    _, model = made
    taken = {
        line.partition("taken from ")[2].partition("]")[0]
        for asked in model.asked
        if asked.task == "findings_drafting"
        for line in "\n".join(asked.variables["groups"]).splitlines()
        if '"Earlier work found 21 mg' in line
    }
    assert taken == {"paper A, its [1"}


def test_groups_share_a_measure_or_a_citation_or_surround_a_paper(made):
    pipeline, _ = made
    groups = "select kind, label, papers, count(*) from findings.groups group by all order by all"
    assert rows(pipeline, groups) == [
        ("citation", "grain zinc, cited", 2, 3),
        ("measure", "grain yield", 4, 1),
        ("measure", "grain zinc", 4, 1),
        ("paper", "findings of a paper and those most like them", 4, 4),
    ]


def test_a_draft_passes_challenge_and_two_readers_or_is_rejected_with_the_reason(made):
    pipeline, _ = made
    fates = dict(rows(pipeline, "select question, rejection_reason from findings.items"))
    assert fates[between(1, 2)] == "dropped_by_challenge"
    assert fates[between(2, 3)] == "criterion_failed"
    assert fates[between(1, 4)] is None
    # The edited question passed two readers of a second round.
    assert fates[EDITED["question"]] is None
    turns = f"""
        select round, reader, action from findings.readings join findings.items using (draft_id)
        where items.question = '{EDITED["question"]}' order by 1, 2
    """
    assert rows(pipeline, turns) == [(1, 1, "edit"), (2, 1, "keep"), (2, 2, "keep")]


def test_an_item_has_its_facts_with_exact_quotes_and_its_computations(made):
    pipeline, _ = made
    facts = f"""
        select facts.position, facts.role, facts.value, facts.evidence, paragraphs.kind
        from findings.facts join findings.items using (item_id)
        join corpus.paragraphs on facts.paragraph_id = paragraphs.paragraph_id
        where items.question = '{EDITED["question"]}'
            and facts.evidence
            = substring(paragraphs.text, evidence_start + 1, evidence_end - evidence_start)
        order by 1
    """
    assert rows(pipeline, facts) == [
        (1, "first", 21.0, "Grain zinc was 21 mg per kg", "text"),
        (2, "second", 23.0, "Grain zinc | 23 mg per kg", "table"),
    ]
    computed = f"""
        select expression, result from findings.computations join findings.items using (item_id)
        where items.question = '{between(1, 4)}'
    """
    assert rows(pipeline, computed) == [("f2 - f1", "3")]


@pytest.mark.parametrize(("named", "agrees"), [((), True), (("A",), False), (("Z", "none"), False)])
def test_a_model_that_names_other_papers_by_their_cards_disagrees(tmp_path, named, agrees):
    pipeline = pipeline_of(tmp_path, FindingsModel(relabelled=named))
    add(pipeline, tmp_path, 2)
    assert run_some(pipeline, "findings.relabellings") == []
    relabelled = "select distinct len(shown), agrees from findings.relabellings"
    assert rows(pipeline, relabelled) == [(2, agrees)]


def test_items_reach_the_common_form(made):
    pipeline, _ = made
    accepted = rows(pipeline, "select count(*) from findings.items where status = 'accepted'")[0][0]
    query = Query("test", "select count(distinct item_id), count(*) from item_quotes").text
    assert rows(pipeline, query) == [(accepted, 2 * accepted)]
    assert rows(pipeline, queries_in("tests")["findings_facts_are_exact_quotes"].text) == []


def test_a_later_batch_asks_about_its_papers_and_the_groups_that_it_changes(tmp_path):
    model = FindingsModel()
    pipeline = pipeline_of(tmp_path, model)
    add(pipeline, tmp_path, 4)
    before = asked(model)
    assert before["reading"] == 4
    earlier = rows(pipeline, "select * from findings.groups order by all")
    model.asked.clear()
    add(pipeline, tmp_path, 2, first=5)
    after = asked(model)
    assert after["reading"] == 2
    new = rows(pipeline, "select * from findings.groups where batch = 'batch-0001' order by all")
    assert new == earlier
    query = """
        select count(*) from findings.groups where batch = 'batch-0002' and group_id not in (
            select group_id from findings.group_findings join findings.papers using (paper_id)
            where papers.batch = 'batch-0002'
        )
    """
    assert rows(pipeline, query) == [(0,)]
    names = "select count(*), count(distinct since) from findings.measures"
    assert rows(pipeline, names) == [(2, 1)]


def test_measures_are_named_when_all_replies_are_there(tmp_path):
    class Silent(FindingsModel):
        def replies(self, requests):
            for request in requests:
                if request.task == "findings_vocabulary" and not self.named:
                    call = Call("reply", request.key, from_journal=False, outcome="timeout", passing=True)
                    yield ModelReply(request.key, None, "timeout", calls=(call,))
                else:
                    yield from super().replies([request])

    model = Silent()
    model.named = False
    pipeline = pipeline_of(tmp_path, model)
    write_field_papers(tmp_path / "papers", 3)
    pipeline.ingest(tmp_path / "papers")
    (failure,) = run_some(pipeline, "findings.groups")
    assert "1 of 1 requests that name measures of batch-0001 had no reply" in failure.message
    assert rows(pipeline, "select count(*) from findings.measures") == [(0,)]
    model.named = True
    assert run_some(pipeline, "findings.groups") == []
    assert ("measure", "grain zinc") in rows(pipeline, "select kind, label from findings.groups")


def test_groups_are_made_anew_when_findings_get_other_measures(tmp_path):
    pipeline = pipeline_of(tmp_path, FindingsModel())
    add(pipeline, tmp_path, 3)
    grouped = "select list(distinct kind order by kind) from findings.groups"
    before = rows(pipeline, grouped)
    # As if the terms had had names of their own when the groups were made: no group shared a measure.
    with pipeline.warehouse.get_connection() as connection:
        connection.execute("update findings.group_findings set measure_id = finding_id")
        connection.execute("delete from findings.groups where kind = 'measure'")
    assert rows(pipeline, grouped) == [(["citation", "paper"],)]
    assert run_some(pipeline, "findings.groups") == []
    assert rows(pipeline, grouped) == before == [(["citation", "measure", "paper"],)]


ZINC = "Grain zinc was 28 mg per kg."
MAD_READINGS = {
    5: [1, 2],
    6: {"card": {}, "findings": [finding(1, "Grain zinc was 21 mg per kg.", "P1", "m", "21", "")]},
    7: {"card": {}, "findings": [finding(n, "7", "P1", f"measure {n}", "7", "") for n in range(400)]},
    8: {
        "card": {"design": None, "description": "d" * 10**5},
        "findings": [
            finding(1, ZINC, "P1", "a", "28", "mg") | {"repeats": 2, "contradicts": 2},
            finding(2, ZINC, "P1", "b", "28", "mg") | {"repeats": 1, "contradicts": 1, "direction": None},
            finding(3, ZINC, "P1", "c", "28", "%") | {"count": "5 of 0"},
            finding(10**20, ZINC, "P1", "d", "28", "%") | {"count": "1" * 10**4, "spread": "95% CI 30 to 20"},
            finding(5, ZINC, "P1", "e" * 10**6, "28", "%"),
            finding(6, ZINC, "P1", "f", "2 x 10^400", "%"),
            {"statement": "The rest of it is missing."},
        ],
    },
}
MAD_COMPUTATIONS = {between(1, 3): "f1 / (f2 - f2)", between(1, 4): "1e999", between(2, 3): "~" * 400 + "f1"}


def mad(request, text: str) -> str:
    """A reply as a model gives it that has lost its mind."""
    told, reply = request.variables, json.loads(text)
    if request.task == "findings_reading":
        return json.dumps(MAD_READINGS.get(int(told["title"].split()[2]), reply))
    if request.task == "findings_vocabulary":
        invented = {
            "existing": 99,
            "name": "invented",
            "definition": "d",
            "members": [{"term": 99}, {"term": -1}],
        }
        return json.dumps({"names": [invented, *reply["names"], *reply["names"]]})
    if request.task == "findings_drafting" and reply["drafts"]:
        first = reply["drafts"][0]
        facts = first["facts"]
        for draft in reply["drafts"]:
            if draft["question"] in MAD_COMPUTATIONS:
                expression = MAD_COMPUTATIONS[draft["question"]]
                draft["computations"] = [{"expression": expression, "result": "2"}]
        reply["drafts"] += [
            first,
            first | {"group": 99},
            first | {"group": -1, "facts": []},
            first | {"facts": [*facts, facts[0] | {"paper": "Q"}]},
            first | {"facts": [facts[0] | {"paper": facts[1]["paper"]}, facts[1]]},
        ]
    return json.dumps(reply)


def test_a_model_gone_mad_leaves_rejected_rows_and_spoils_nothing_else(tmp_path):
    more = {"AIMSCIQA_CORPUS_PAPERS_PER_BATCH": "8", "AIMSCIQA_FINDINGS_DRAFTS_PER_GROUP": "10"}
    pipeline = pipeline_of(tmp_path, FindingsModel(spoil=mad), **more)
    add(pipeline, tmp_path, 8)
    papers = "select right(paper_id, 1), findings, rejection_reason from findings.papers order by 1"
    assert rows(pipeline, papers)[4:] == [
        ("5", 0, "malformed_reply"),
        ("6", 1, "no_finding"),
        ("7", 400, None),
        ("8", 7, None),
    ]
    query = "select number, rejection_reason from findings.findings where paper_id = $paper order by 1"
    of_paper = pipeline.warehouse.read(query, {"paper": f"{PAPER}8"})
    assert dict(of_paper.rows()) == {
        **{1: None, 2: None, 3: "count_above_total", 4: None, 5: "long_finding", 6: None},
        7: "evidence_not_found",
    }
    kept = f"select count(*) from findings.measured where paper_id = '{PAPER}7'"
    assert rows(pipeline, kept) == [(40,)]
    drafts = "select distinct rejection_reason from findings.drafts where rejection_reason is not null"
    assert {reason for (reason,) in rows(pipeline, drafts)} == {
        *("repeated_draft", "same_facts", "unknown_fact", "unknown_group", "no_question"),
    }
    fates = rows(pipeline, "select question, rejection_reason from findings.items")
    assert {reason for question, reason in fates if question in MAD_COMPUTATIONS} == {"computation_fails"}
    assert (between(2, 4), None) in fates
    names = "select distinct name from findings.measures where name in ('invented', 'grain zinc')"
    assert rows(pipeline, names) == [("grain zinc",)]


@pytest.fixture(scope="module")
def released(tmp_path_factory) -> tuple[Pipeline, FindingsModel, Path]:
    """A release of two comparisons and the ranking of three papers, with a model's answers."""
    folder, model = tmp_path_factory.mktemp("released"), FindingsModel(sets=True)
    environment = ON | {"AIMSCIQA_RELEASE_GATES": "", "AIMSCIQA_BENCHMARK_ANSWERING_SETTINGS": "oracle alone"}
    pipeline = pipeline_at(folder / "home", model=model, environment=environment)
    write_field_papers(folder / "papers", 3)
    pipeline.ingest(folder / "papers")
    assert run_some(pipeline, "release.files", "benchmark.answering_scores") == []
    return pipeline, model, releases_in(folder / "home") / "aimsciqa-release"


def ranking_in(release: aimsciqa.Release) -> str:
    question = RANKED.format(villages="village 1, village 2, village 3")
    return next(item.item_id for item in release.items if item.question == question)


def test_answers_are_scored_by_the_facts_that_they_state(released):
    pipeline, _, folder = released
    query = """
        select setting, measure, judge, value, answers, unscored from benchmark.answering_scores
        where
            variant = 'findings_set_comparison'
            and measure like 'fact_%'
            and setting in ('oracle', 'first_only')
        order by all
    """
    assert rows(pipeline, query) == [
        ("first_only", "fact_precision", "", 1.0, 1, None),
        ("first_only", "fact_recall", "rules", 1 / 3, 1, 0),
        ("oracle", "fact_precision", "", 1.0, 1, None),
        ("oracle", "fact_recall", "rules", 1.0, 1, 0),
    ]
    release = aimsciqa.load(folder)
    ranking = ranking_in(release)
    found = release.evaluate_answers({ranking: "23 mg per kg, 22 mg per kg and 40 mg per kg."})
    values = {name: found.values[name][ranking] for name in ("fact_recall (rules)", "fact_precision")}
    assert values == {"fact_recall (rules)": 2 / 3, "fact_precision": 2 / 3}
    right = release.evaluate_answers({item.item_id: item.answer for item in release.items})
    assert right.mean("fact_recall (rules)") == right.mean("fact_precision") == 1.0


def test_models_are_shown_the_tables_of_papers_whose_facts_stand_there(released):
    _, model, _ = released
    texts = [
        paper["text"]
        for asked in model.asked
        if asked.task == "answering"
        for paper in asked.variables["papers"]
    ]
    assert texts
    assert all("Grain zinc | 2" in text and "Millet of village" in text for text in texts)


def test_a_release_verifies_and_every_answer_follows_from_its_facts(released):
    _, _, folder = released
    assert verify(folder).problems == ()
    release = aimsciqa.load(folder)
    ranking = ranking_in(release)
    assert [fact["value"] for fact in release.stated_facts[ranking]] == [21.0, 22.0, 23.0]
    assert [(part["expression"], part["result"]) for part in release.computations[ranking]] == [
        ("rank(f1, f2, f3)", "f3 > f2 > f1"),
        ("total(f1, f2, f3)", "66"),
    ]


@pytest.mark.parametrize(
    ("file", "field", "cell", "problems"),
    [
        (
            "stated_facts.jsonl",
            "value",
            32.0,
            [
                "f2 has other numbers than its quote",
                "rank(f1, f2, f3) gives f2 > f3 > f1, and computations.jsonl has f3 > f2 > f1",
                "the query of rank(f1, f2, f3) gives f2 > f3 > f1, and computations.jsonl has f3 > f2 > f1",
                "total(f1, f2, f3) gives 76.0, and computations.jsonl has 66",
                "the query of total(f1, f2, f3) gives 76.0, and computations.jsonl has 66",
            ],
        ),
        ("stated_facts.jsonl", "evidence", "It was 22 mg.", []),
        (
            "computations.jsonl",
            "result",
            "66.5",
            [
                "total(f1, f2, f3) gives 66.0, and computations.jsonl has 66.5",
                "the query of total(f1, f2, f3) gives 66.0, and computations.jsonl has 66.5",
                "the answer states 66, which no quote has and no computation gives",
            ],
        ),
        (
            "computations.jsonl",
            "query",
            "copy (select 1) to '/tmp/x.csv'",
            ["the query of total(f1, f2, f3) is another one"],
        ),
    ],
)
def test_verify_names_the_item_and_the_expression_of_a_changed_cell(
    released, tmp_path, file, field, cell, problems
):
    folder = copy_of(released[2], tmp_path / "release")
    ranking = ranking_in(aimsciqa.load(folder))
    lines = [json.loads(line) for line in (folder / file).read_text().splitlines()]
    for line in lines:
        if line["item_id"] == ranking and line["position"] == 2:
            line[field] = cell
    (folder / file).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    checksum, *found = verify(folder).problems
    assert checksum == f"checksum differs from SHA256SUMS (1): {file}"
    named = [problem.removeprefix(f"{ranking}: ") for problem in found if problem.startswith(ranking)]
    assert named == problems
    inexact = [problem for problem in found if problem.startswith("evidence is an exact quote")]
    assert [ranking in problem for problem in inexact] == [True] * (field == "evidence")


@pytest.mark.parametrize(("tables", "asked_about"), [("false", 6), ("true", 8)])
def test_aim_sciqa_asks_about_tables_only_if_a_setting_says_so(tmp_path, tables, asked_about):
    environment = CLUSTER | {"AIMSCIQA_SINGLE_HOP_TABLES": tables}
    pipeline = pipeline_at(tmp_path / "home", environment=environment)
    write_field_papers(tmp_path / "papers", 2)
    pipeline.ingest(tmp_path / "papers")
    assert run_some(pipeline, "single_hop.extractions") == []
    assert rows(pipeline, "select count(*) from single_hop.extractions") == [(asked_about,)]
