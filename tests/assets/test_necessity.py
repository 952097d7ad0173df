"""The necessity ledger from warehouse to rows: planted items by rules, and by models that follow a script."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator

import duckdb
import polars as pl
import pytest
from aimsciqa_resources.language_model import ModelReply, ModelRequest

from aimsciqa_assets.judging.necessity import guessing
from aimsciqa_assets.platform.queries import queries_in
from aimsciqa_assets.settings import Settings
from aimsciqa_assets.tables.quality import READINGS
from tests import planted_items
from tests.necessity_home import computed, declare, made, verdicts, warehouse_at

pytestmark = pytest.mark.slow

TARN, VARN = "01", "13"
ASKED = {
    "NECESSITY_MODELS": "reader",
    "ANSWERING_MODEL_BACKEND": "server",
    "ANSWERING_MODEL_NAME": "reader",
    "ANSWERING_MODEL_BASE_URL": "http://localhost:9/v1",
}
RULE_TESTS = ["answerability", "bridge_masked", "difficulty", "guessing", "shortcut", "twin"]


class Reader:
    """Reads who led the Tarn Expedition and where that person was born, in the documents and nowhere else."""

    name = "reader"
    revision = "1"
    sampling = ""

    def __init__(self) -> None:
        self.asked: list[ModelRequest] = []

    def replies(self, requests: Iterable[ModelRequest]) -> Iterator[ModelReply]:
        for request in requests:
            self.asked.append(request)
            yield ModelReply(request.key, json.dumps(getattr(self, f"_{request.task}")(request.variables)))

    def _necessity_answer(self, told):
        return {"answer": self.answer(" ".join(one["text"] for one in told["documents"]), told["question"])}

    def answer(self, text, question):
        leader = re.search(r"led by the surveyor ([\w ]+)\.", text)
        town = leader and re.search(rf"{leader[1]} was born in (\w+)", text)
        return town[1] if town and "[…]" not in question else "I cannot tell."

    def _necessity_counterfactual(self, told):
        return {"old": "Kelvik", "new": "Brunnen", "answer": "Brunnen"}

    def _necessity_mark(self, told):
        return {"mark": "right" if told["prediction"] == told["answer"] else "wrong"}


class Memoriser(Reader):
    """Knows the answer by heart, whatever it reads."""

    def answer(self, text, question):
        return "Kelvik"


def test_planted_faults_are_caught_and_sound_items_pass_on_their_way_through_the_form(tmp_path, monkeypatch):
    declare(tmp_path / "form", monkeypatch)
    warehouse = warehouse_at(tmp_path)
    ledger = made(tmp_path)["necessity"]
    failed = ledger.filter(pl.col("verdict") == "fail").select("item_id", "test").rows()
    faults = planted_items.faults()
    assert {item for item, _ in failed} == {item for item, fault in faults.items() if fault}
    assert {(item, fault) for item, fault in faults.items() if fault} <= set(failed)
    assert sorted(ledger.filter(pl.col("item_id") == TARN)["test"]) == sorted(
        [*RULE_TESTS, "counterfactual", "renamed"]
    )
    rest = ledger.filter(pl.col("model") == "none").select("item_id", "test", "verdict", "detail").rows()
    assert (TARN, "renamed", "unknown", "no_model") in rest
    assert (VARN, "renamed", "not_applicable", "no hop builds on an earlier one") in rest
    assert (VARN, "counterfactual", "unknown", "no_model") in rest
    rates = made(tmp_path)["necessity_rates"]
    bridge = rates.filter(variant="bridge", test="bridge_masked", model="rules").row(0, named=True)
    counts = Counter(ledger.filter(variant="bridge", test="bridge_masked")["verdict"])
    assert counts == {"pass": bridge["passed"], "fail": bridge["failed"]}
    assert (bridge["unknown"], bridge["not_applicable"]) == (0, 0)
    assert bridge["low"] < bridge["value"] < bridge["high"]
    checks = {name: one for name, one in queries_in("tests").items() if one.table.startswith("quality.")}
    assert len(checks) == 4
    settings = Settings.preset_of("demo", {})
    for name, check in checks.items():
        assert warehouse.read(check.text, check.parameters(settings)).is_empty(), name


@pytest.mark.parametrize(
    ("statement", "check"),
    [
        ("delete from quality.necessity where test = 'twin'", "necessity_ledger_holds_every_item"),
        ("update quality.necessity set item_id = 'gone'", "necessity_ledger_holds_every_item"),
        ("update quality.necessity set verdict = 'pass'", "what_no_model_took_is_unknown"),
        ("update quality.twins set twin_paper_id = 'tarn'", "twins_are_papers_of_their_own"),
        ("update quality.twins set paper_id = 'venn'", "twins_are_papers_of_their_own"),
        ("update quality.necessity_rates set failed = 3", "necessity_rates_count_the_ledger"),
        (
            "update quality.necessity_rates set value = 2, low = 0, high = 1",
            "necessity_rates_count_the_ledger",
        ),
    ],
)
def test_a_check_finds_what_was_changed_by_hand(tmp_path, monkeypatch, statement, check):
    declare(tmp_path / "form", monkeypatch, [TARN])
    warehouse = warehouse_at(tmp_path)
    made(tmp_path)
    query = queries_in("tests")[check]
    parameters = query.parameters(Settings.preset_of("demo", {}))
    assert warehouse.read(query.text, parameters).is_empty()
    with warehouse.get_connection() as connection:
        connection.execute(statement)
    assert not warehouse.read(query.text, parameters).is_empty()


def test_a_reader_who_needs_both_documents_passes_an_item_in_every_test(tmp_path, monkeypatch):
    declare(tmp_path / "form", monkeypatch, [TARN])
    warehouse_at(tmp_path)
    found = made(tmp_path, Reader(), **ASKED)
    tests = [*RULE_TESTS, "counterfactual", "renamed"]
    tests.remove("difficulty")
    assert verdicts(found["necessity"], TARN, "reader") == dict.fromkeys(sorted(tests), "pass")
    trials = {(row["reading"], row["role"]): row for row in found["trials"].iter_rows(named=True)}
    assert Counter(reading for reading, _ in trials) == Counter(READINGS) + Counter(["alone"])
    told = trials["renamed", None]
    (old, new) = told["changed"].split(" → ")
    assert (old, told["prediction"]) == ("Ilse Mortan", "Kelvik")
    assert new not in json.dumps(planted_items.rows())
    changed = trials["counterfactual", "second"]
    assert (changed["expected"], changed["prediction"], changed["changed"]) == (
        *("Brunnen", "Brunnen"),
        "Kelvik → Brunnen",
    )
    assert trials["masked", "second"]["question"] == "In which town was […] born?"
    assert trials["masked", "second"]["documents"][0] == "mortan"
    assert "tarn" not in trials["masked", "second"]["documents"]
    assert trials["negatives", None]["documents"][:2] == ["tarn", "mortan"]
    assert len(trials["negatives", None]["documents"]) == 12
    assert trials["twin", "second"]["documents"][0] == "tarn"
    assert (trials["none", None]["prediction"], trials["none", None]["score"]) == (None, 0.0)
    assert {row["judge"] for row in trials.values()} == {"lexical"}


def test_an_item_that_a_model_knows_by_heart_fails(tmp_path, monkeypatch):
    declare(tmp_path / "form", monkeypatch, [TARN])
    warehouse_at(tmp_path)
    found = made(tmp_path, Memoriser(), **ASKED)
    assert verdicts(found["necessity"], TARN, "reader") == {
        "answerability": "fail",
        "bridge_masked": "fail",
        "counterfactual": "fail",
        "guessing": "fail",
        "renamed": "pass",
        "shortcut": "fail",
        "twin": "fail",
    }
    assert verdicts(found["necessity"], TARN, "rules")["answerability"] == "pass"


def test_what_the_benchmark_asked_is_not_asked_again(tmp_path, monkeypatch):
    declare(tmp_path / "form", monkeypatch, [TARN])
    settings = {"oracle": 1.0, "first_only": 0.0, "second_only": 0.0, "closed_book": 1.0}
    judged = [
        {"answer_id": setting, "judge": "j", "answerer": "reader", "item_id": TARN, "setting": setting}
        | {"kind": "model", "score": score}
        for setting, score in settings.items()
    ]
    warehouse_at(tmp_path, judgements=judged)
    model = Reader()
    found = made(tmp_path, model, **ASKED)
    assert set(found["trials"]["reading"]) == {
        *("negatives", "masked", "renamed", "counterfactual", "third", "twin")
    }
    of_reader = verdicts(found["necessity"], TARN, "reader")
    assert (of_reader["answerability"], of_reader["guessing"]) == ("fail", "fail"), (
        "it knew it without papers"
    )
    assert found["difficulty"]["pass_rate"].to_list() == [1.0]


def test_a_judge_of_another_family_marks_the_answers(tmp_path, monkeypatch):
    declare(tmp_path / "form", monkeypatch, [TARN])
    warehouse_at(tmp_path)
    judge = {"BENCHMARK_JUDGES": "reader gpt-5", "JUDGE_MODEL_BASE_URL": "http://localhost:9/v1"}
    model = Reader()
    found = made(tmp_path, model, **ASKED, **judge)
    assert set(found["trials"]["judge"]) == {"gpt-5"}
    marked = [request for request in model.asked if request.task == "necessity_mark"]
    assert len(marked) == found["trials"]["prediction"].count() > 0
    assert found["trials"].filter(reading="all")["score"].to_list() == [1.0]


def test_a_value_that_is_not_in_the_quote_leaves_the_test_undecided(tmp_path, monkeypatch):
    class Careless(Reader):
        def _necessity_counterfactual(self, told):
            return {"old": "Paris", "new": "Rome", "answer": "Rome"}

    declare(tmp_path / "form", monkeypatch, [TARN])
    warehouse_at(tmp_path)
    ledger = made(tmp_path, Careless(), **ASKED)["necessity"]
    assert ledger.filter(test="counterfactual").select("model", "verdict", "detail").rows() == [
        ("reader", "unknown", "counterfactual: value_not_in_quote")
    ]


def _tests(found):
    return sorted(set(found["necessity"]["test"]))


def _trials(found):
    return found["trials"].height


def _failed(test):
    return lambda found: found["necessity"].filter(test=test, verdict="fail").height


EFFECTS = [
    ("NECESSITY_TESTS", "guessing twin", _tests),
    ("NECESSITY_RETRIEVER", "words", lambda found: found["searches"]["score"].sum()),
    ("NECESSITY_TOP_K", "3", lambda found: found["searches"].height),
    ("NECESSITY_QUESTION_SHARE", "1", _failed("answerability")),
    ("NECESSITY_LEAD", "9", _failed("bridge_masked")),
    ("NECESSITY_QUOTA", "1", _failed("difficulty")),
    ("NECESSITY_PRIOR_SHARE", "0.55", _failed("guessing")),
]


@pytest.mark.parametrize(("variable", "value", "seen"), EFFECTS, ids=[one[0] for one in EFFECTS])
def test_a_setting_changes_the_ledger(tmp_path, monkeypatch, variable, value, seen):
    monkeypatch.setattr(guessing, "_SMALLEST_PRIOR", 3)
    declare(tmp_path / "form", monkeypatch)
    warehouse_at(tmp_path)
    before = seen(made(tmp_path))
    assert seen(made(tmp_path, **{variable: value})) != before


def test_so_many_items_are_asked_about(tmp_path, monkeypatch):
    declare(tmp_path / "form", monkeypatch, ["01", "02", "03", "15", "16"])
    warehouse_at(tmp_path)
    model = Reader()
    found = made(tmp_path, model, **ASKED, NECESSITY_ITEMS="1")
    assert sorted(found["trials"].group_by("variant").agg(pl.col("item_id").n_unique()).rows()) == [
        ("bridge", 1),
        ("similar", 1),
    ]
    of_reader = found["necessity"].filter(model="reader", test="counterfactual")
    assert Counter(of_reader.select("verdict", "detail").rows())["unknown", "not asked"] == 3
    renamed = found["necessity"].filter(model="reader", test="renamed")["verdict"]
    assert Counter(renamed)["not_applicable"] == 2


def test_items_of_the_chosen_kinds_are_asked_about(tmp_path, monkeypatch):
    declare(tmp_path / "form", monkeypatch, ["01", "02", "03", "15", "16"])
    warehouse_at(tmp_path)
    found = made(tmp_path, Reader(), **ASKED, NECESSITY_KINDS="similar")
    assert set(found["trials"]["variant"]) == {"similar"}
    assert set(found["necessity"].filter(model="rules")["variant"]) == {"bridge", "similar"}


def test_a_model_is_shown_what_is_quoted_first_and_so_many_words_at_most(tmp_path, monkeypatch):
    declare(tmp_path / "form", monkeypatch, [TARN])
    warehouse_at(tmp_path, more=["In which town was she born? " + "Nobody says. " * 20, "Reeds. " * 60])

    def shown(**settings):
        model = Reader()
        made(tmp_path, model, **ASKED, **settings)
        told = [request.variables for request in model.asked if "documents" in request.variables]
        texts = {
            one["text"]
            for variables in told
            for one in variables["documents"]
            if one["title"] == "Ilse Mortan"
        }
        return max(texts, key=len)

    assert "Reeds." in shown()
    cut = shown(NECESSITY_DOCUMENT_WORDS="62")
    assert "Nobody says." in cut
    assert "drew maps of the harbour" in cut
    assert "Reeds." not in cut


def test_the_gate_stands_where_the_release_names_it_and_counts_the_tests_of_the_settings(
    tmp_path, monkeypatch
):
    faults = {item: fault for item, fault in planted_items.faults().items() if fault in (None, "guessing")}
    declare(tmp_path / "form", monkeypatch, list(faults))
    queries = [
        {"item_id": item, "question": f"{item}?", "cluster": None, "random_cluster": None} for item in faults
    ]
    warehouse_at(tmp_path, queries=queries)
    made(tmp_path)

    def failed(**settings):
        gates = computed(tmp_path, "benchmark.gates", **settings).filter(gate="necessity")
        return gates.height, {
            row["item_id"] for row in gates.iter_rows(named=True) if row["verdict"] == "fail"
        }

    guessed = {item for item, fault in faults.items() if fault}
    assert failed() == (0, set())
    assert failed(RELEASE_GATES="necessity") == (25, guessed)
    assert failed(RELEASE_GATES="necessity", NECESSITY_GATING="shortcut twin") == (25, set())
    detail = computed(tmp_path, "benchmark.gates", RELEASE_GATES="necessity").filter(
        gate="necessity", verdict="fail"
    )["detail"]
    assert "guessing by rules" in detail[0]
    # What the extractive reader fails counts for nothing.
    with duckdb.connect(str(tmp_path / "warehouse.duckdb")) as connection:
        connection.execute("update quality.necessity set model = 'extractive' where test = 'guessing'")
    assert failed(RELEASE_GATES="necessity", NECESSITY_GATING="guessing") == (25, set())
