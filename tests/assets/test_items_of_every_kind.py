"""A system that nobody has written yet: its items, declared once, pass through every room that knows no
system.

Two kinds: a contest of three documents, of which none is searched for, and a review question that asks
for two papers among all and brings an evaluator of its own.
"""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from aimsciqa_resources.language_model.opening import OneModel

from aimsciqa_assets.benchmark.answering import assets as answering
from aimsciqa_assets.benchmark.retrieval import assets as retrieval
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.items import FORMS, ItemForm, Kind
from aimsciqa_assets.judging import assets as judging
from aimsciqa_assets.judging.audit.ratings import import_ratings
from aimsciqa_assets.judging.audit.sampling import sample
from aimsciqa_assets.judging.audit.sheet import csv_of
from aimsciqa_assets.judging.dimensions import LIKERT
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.queries import queries_in
from aimsciqa_assets.release import assets as release
from aimsciqa_assets.release.report import assets as report
from aimsciqa_assets.release.verifying import verify
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.settings.sections import AuditSettings
from tests.aim_sciqa_alone import AIM_SCIQA
from tests.fakes import SentenceModel, WordEncoder
from tests.release_corpus import Corpus, sentence
from tests.small_home import copy_of

pytestmark = pytest.mark.slow

ENVIRONMENT = AIM_SCIQA | {
    "AIMSCIQA_BENCHMARK_RETRIEVERS": "bm25 words",
    "AIMSCIQA_BENCHMARK_QUALITY_JUDGES": "gpt-a",
    "AIMSCIQA_JUDGE_MODEL_BASE_URL": "http://localhost:9/v1",
}
SELECTS = {
    "questions": """
-- One row: an item of the system.
select
    'c1' as item_id, 'contest' as variant, 'dev' as split,
    'Which gave most?' as question, 'All alike' as answer,
    null as query, null as evaluator, 'a model' as model
union all
select 'r1', 'review', 'dev', 'How much in all?', '3', 'paper on carotene', '{"gold": "Paper"}', 'a model'
""",
    "documents": """
-- One row: a document of an item.
select 'c1' as item_id, n as position, ['first', 'second', 'third'][n] as role, 'P' || (5 + n) as paper_id,
    false as in_hand, false as gold
from range(1, 4) as numbers(n)
union all
select 'r1', n, ['one', 'other'][n], 'P' || (6 + n), false, true
from range(1, 3) as numbers(n)
""",
    "quotes": """
-- One row: a quote of an item, which was made without a QA pair.
select
    'c1' as item_id, n as position, ['first', 'second', 'third'][n] as role, 'fact' as name,
    paragraph_id, evidence, evidence_start, evidence_end
from range(1, 4) as numbers(n)
inner join single_hop.qa_pairs on qa_id = 'q' || (5 + n) || '-3-0'
""",
}


class Model(SentenceModel):
    def _quality_judge(self, told) -> str:
        return json.dumps({"multi_hop": "Yes"} | dict.fromkeys(LIKERT, "Good"))


def holds_the_gold_words(evaluator: str, prediction: str) -> float:
    return float(json.loads(evaluator)["gold"] in prediction)


@pytest.fixture(scope="module")
def declared(tmp_path_factory) -> Iterator[ItemForm]:
    """The one declaration."""
    folder = tmp_path_factory.mktemp("made-up") / "selects"
    folder.mkdir()
    for part, select in SELECTS.items():
        (folder / f"{part}.sql").write_text(select.lstrip())
    form = ItemForm(
        "made_up",
        kinds=(
            Kind("contest", "Contest of three documents"),
            Kind("review", "Review question", ("oracle", "closed_book", "realistic")),
        ),
        evaluate=holds_the_gold_words,
        folder=folder,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(FORMS, form.name, form)
        yield form


@pytest.fixture(scope="module")
def world(tmp_path_factory, declared):
    """Ten papers with items of AIM-SciQA, and those of the other system."""
    folder = tmp_path_factory.mktemp("world")
    warehouse, _ = Corpus().write(folder, ENVIRONMENT)
    model = Model()
    resources = build_resources(
        Home(folder),
        Settings.preset_of("demo", ENVIRONMENT),
        language_models=OneModel(model),
        encoder=WordEncoder(),
    )
    instance = dg.DagsterInstance.ephemeral()
    parts = {"retriever": ["bm25", "words"], "answerer": ["extractive"], "judge": ["gpt-a"]}
    for part, names in parts.items():
        instance.add_dynamic_partitions(part, names)

    def make(*assets, part: str | None = None) -> None:
        result = dg.materialize(assets, resources=resources, instance=instance, partition_key=part)
        assert all(check.passed for check in result.get_asset_check_evaluations())

    def rows(query: str) -> list[tuple]:
        return warehouse.read(query).rows()

    make(retrieval.queries)
    make(retrieval.rankings, part="bm25")
    make(retrieval.rankings, part="words")
    make(retrieval.retrieval_scores)
    make(answering.answers, answering.judgements, part="extractive")
    make(answering.answering_scores, judging.gates)
    make(judging.ratings, part="gpt-a")
    make(release.items, release.files, report.reports)
    return folder, warehouse, model, rows


def test_a_made_up_system_reaches_every_room(world):
    home, warehouse, model, rows = world
    read_by_rooms(rows)
    asked_of_models(model, rows)
    sheet_for_people(home, warehouse)
    files_of_the_release(home / "releases" / "aimsciqa-release")
    page = (home / "report.html").read_text()
    assert "Which gave most?" in page
    assert "papers are right." in page
    assert "Contest of three documents" in page
    assert f'<mark class="fact" title="evidence of the fact QA pair">{sentence(7, 3, 0)}</mark>' in page
    assert offending(warehouse) == {}


def read_by_rooms(rows) -> None:
    made_up = "item_id in ('c1', 'r1')"
    assert rows(f"select item_id, cluster, query from benchmark.queries where {made_up}") == [
        ("c1", None, None),
        ("r1", None, "paper on carotene"),
    ]
    ranked = f"select distinct item_id, setting, candidates from benchmark.rankings where {made_up}"
    assert rows(ranked) == [("r1", "full", 10)]
    by_bm25 = "variant = 'review' and retriever = 'bm25'"
    scores = f"select measure, value from benchmark.retrieval_scores where {by_bm25}"
    places = "list_position(papers, 'P7'), list_position(papers, 'P8')"
    (first,) = rows(f"select {places} from benchmark.rankings where {by_bm25}")
    assert dict(rows(scores))["Recall@5"] == sum(place <= 5 for place in first) / 2
    assert rows("select setting, found_target from benchmark.answers where item_id = 'c1' order by 1") == [
        ("closed_book", None),
        ("first_only", None),
        ("oracle", None),
        ("second_only", None),
        ("third_only", None),
    ]
    assert rows("select setting from benchmark.answers where item_id = 'r1' order by 1") == [
        ("closed_book",),
        ("oracle",),
        ("realistic",),
    ]
    assert rows(
        "select setting, judge, kind, score from benchmark.judgements where item_id = 'r1' order by 1"
    ) == [
        ("closed_book", "evaluator", "evaluator", 0.0),
        ("oracle", "evaluator", "evaluator", 1.0),
        ("realistic", "evaluator", "evaluator", 1.0),
    ]
    gate = "select detail from benchmark.gates where item_id = 'c1' and gate = 'single_document'"
    assert [part.split(" alone")[0] for part in rows(gate)[0][0].split("; ")] == ["first", "second", "third"]
    assert rows(f"select count(*), count(score) from benchmark.ratings where {made_up}") == [(22 * 5, 22 * 5)]
    released = "select item_id, source_paper_id, target_paper_id, released from release.items"
    assert rows(f"{released} where {made_up} order by 1") == [
        ("c1", None, None, True),
        ("r1", None, None, True),
    ]


def asked_of_models(model: Model, rows) -> None:
    ((oracle,),) = rows("select answer_id from benchmark.answers where item_id = 'c1' and setting = 'oracle'")
    (asked,) = [request for request in model.asked if request.key == oracle]
    for paper, shown in zip((6, 7, 8), asked.variables["papers"], strict=True):
        assert shown["name"] == "paper"
        assert sentence(paper, 3, 0) in shown["text"]
    told = next(request.variables for request in model.asked if request.key == "c1/1")
    assert [document["title"] for document in told["documents"]] == ["Paper 6", "Paper 7", "Paper 8"]
    assert sentence(8, 3, 0) in told["documents"][2]["text"]


def sheet_for_people(home: Path, warehouse) -> None:
    drawn = sample("made_up", 10, 1, warehouse, AuditSettings())
    assert drawn.available == 2
    (header, *lines) = csv.reader(io.StringIO(csv_of(drawn.sheet).decode("utf-8-sig"), newline=""))
    assert header[:8] == [
        *("question", "answer", "first_evidence", "second_evidence", "third_evidence"),
        *("first_paper", "second_paper", "third_paper"),
    ]
    (line,) = [line for line in lines if line[0] == "Which gave most?"]
    assert line[3] == sentence(7, 3, 0)
    line[header.index("document_necessity (1, 2, 3, 4 or 5)")] = "4"
    rated = home / "rated.csv"
    with rated.open("w", newline="") as file:
        csv.writer(file).writerows([header, line])
    assert import_ratings(rated, "ann", warehouse).new == 1


def files_of_the_release(folder: Path) -> None:
    verdict = verify(folder)
    assert verdict.problems == ()
    assert verdict.manifest["rows"]["made_up"] == {"dev": 2, "test": 0}
    assert verdict.manifest["rows"]["multi_hop"] == {"dev": 2, "test": 1}
    comparison, review = map(json.loads, (folder / "data/made_up/dev.jsonl").read_text().splitlines())
    assert [document["role"] for document in comparison["documents"]] == ["first", "second", "third"]
    (quote,) = comparison["documents"][1]["quotes"]
    assert (quote["name"], quote["evidence"], quote["qa_id"]) == ("fact", sentence(7, 3, 0), None)
    assert (comparison["query"], review["query"]) == (None, "paper on carotene")
    queries = [json.loads(line)["_id"] for line in (folder / "beir/queries.jsonl").read_text().splitlines()]
    assert queries == ["i1", "i3", "r1", "i2"]
    assert (folder / "beir/qrels/dev.tsv").read_text().splitlines()[3:] == ["r1\tP7\t1", "r1\tP8\t1"]
    (entry, _) = json.loads((folder / "squad/made_up_dev.json").read_text())["data"]
    assert entry["title"] == "Paper 6 / Paper 7 / Paper 8"
    assert "config_name: made_up" in (folder / "README.md").read_text()


def offending(warehouse) -> dict[str, int]:
    """The SQL checks of the rooms that found something."""
    settings = Settings.preset_of("demo", ENVIRONMENT)
    checks = {
        name: query
        for name, query in queries_in("tests").items()
        if query.table.startswith(("benchmark.", "release."))
    }
    found = {name: warehouse.read(query.text, query.parameters(settings)) for name, query in checks.items()}
    return {name: rows.height for name, rows in found.items() if rows.height}


def test_a_quote_that_does_not_stand_there_is_found_in_the_release(world, tmp_path):
    home, _, _, _ = world
    folder = copy_of(home / "releases" / "aimsciqa-release", tmp_path / "aimsciqa-release")
    file = folder / "data/made_up/dev.jsonl"
    file.write_text(file.read_text().replace("carotene", "keratin"))
    assert any(problem.startswith("data/made_up/dev.jsonl differs") for problem in verify(folder).problems)
