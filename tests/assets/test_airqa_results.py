"""Verdicts, labels, scores and comparisons of runs made by hand, as steps over a home."""

import dagster as dg
import pytest
from aimsciqa_resources.language_model.opening import OneModel
from rich.console import Console

from aimsciqa_assets.airqa.results import assets as _assets
from aimsciqa_assets.cli.pipeline import Pipeline
from aimsciqa_assets.definitions import build_resources
from aimsciqa_assets.platform.home import Home
from aimsciqa_assets.platform.running import bring_up_to_date
from aimsciqa_assets.platform.steps import STEPS, StepRun
from aimsciqa_assets.settings import Settings
from tests.airqa_home import resources_at as with_papers
from tests.airqa_runs import answer_row, failed_row, judged_shape, run_row, take, turn_row, write_rows
from tests.airqa_runs import example_shape as shape
from tests.fakes import WordEncoder

assert _assets
pytestmark = pytest.mark.slow


class Judge:
    """Finds an answer right that has the word cat; says nothing about dogs."""

    name, revision, sampling = "j-1", "1", ""

    def __init__(self):
        self.asked = 0

    def replies(self, requests):
        from aimsciqa_resources.language_model import ModelReply

        for request in requests:
            self.asked += 1
            told = request.variables["prediction"]
            text = None if "dog" in told else f"```\n{'cat' in told}\n```"
            yield ModelReply(request.key, text, None if text else "timeout")


def resources_at(folder, judge=None, **settings):
    environment = {f"AIMSCIQA_{name}".upper(): str(value) for name, value in settings.items()}
    if judge:
        environment |= {
            "AIMSCIQA_JUDGE_MODEL_BACKEND": "server",
            "AIMSCIQA_JUDGE_MODEL_NAME": "j-1",
            "AIMSCIQA_JUDGE_MODEL_BASE_URL": "http://127.0.0.1:9",
            "AIMSCIQA_JUDGE_MODEL_FAILURE_SHARE": "1",
        }
    made = Settings.preset_of("demo", environment)
    return build_resources(
        Home(folder), made, language_models=OneModel(judge or Judge()), encoder=WordEncoder()
    )


def make(resources, table, part=""):
    step = STEPS[f"airqa.{table}"]
    return bring_up_to_date(step, StepRun.of(step, part, resources))


def rows(resources, query):
    return resources["warehouse"].read(query).rows()


RUNS = {"good": ("4", "a cat"), "bad": ("5", "a dog")}


@pytest.fixture
def home(tmp_path):
    def filled(judge=None):
        resources = resources_at(tmp_path / "home", judge)
        take(tmp_path, resources, shape("e1"), judged_shape("e2", "a cat"), shape("e3"))
        answers = [
            answer_row(run, f"e{n}", answer) for run, of in RUNS.items() for n, answer in enumerate(of, 1)
        ]
        answers += [failed_row("good", "e3"), answer_row("bad", "e3", "[]", status="out_of_turns")]
        turns = [turn_row("bad", "e3", n, "Query", {"sql": "select 1"}, "[]") for n in (1, 2)]
        runs = [run_row(run) for run in RUNS]
        write_rows(resources["warehouse"], runs=runs, answers=answers, turns=turns)
        for run in RUNS:
            make(resources, "verdicts", run)
            make(resources, "labels", run)
        make(resources, "scores")
        return resources

    return filled


VERDICTS = "select run_id, example_id, score, judge, stand_in, reason from airqa.verdicts order by 1, 2"


def test_a_model_judges_and_failures_are_shown(home):
    judge = Judge()
    resources = home(judge)
    assert rows(resources, VERDICTS) == [
        ("bad", "e1", 0, None, False, None),
        ("bad", "e2", 0, "j-1", False, "no_reply"),
        ("bad", "e3", 0, None, False, None),
        ("good", "e1", 1, None, False, None),
        ("good", "e2", 1, "j-1", False, None),
        ("good", "e3", 0, None, False, "no_answer"),
    ]
    assert judge.asked == 2


@pytest.mark.parametrize("lets", [False, True])
def test_a_judge_does_not_judge_its_own_family_unless_the_settings_let_it(tmp_path, lets):
    judge = Judge()
    resources = resources_at(tmp_path / "home", judge, benchmark_same_family=lets)
    take(tmp_path, resources, shape("e1"), judged_shape("e2", "a cat"))
    answers = [answer_row("own", "e1", "4"), answer_row("own", "e2", "a cat")]
    runs = [run_row("own", model="j-1")]
    write_rows(resources["warehouse"], runs=runs, answers=answers, turns=[])
    make(resources, "verdicts", "own")
    make(resources, "scores")
    by_judge = ("own", "e2", 1, "j-1", False, None)
    if not lets:
        by_judge = ("own", "e2", None, "j-1", False, "same_family")
    assert rows(resources, VERDICTS) == [("own", "e1", 1, None, False, None), by_judge]
    assert judge.asked == lets
    scores = "select count, correct, judged from airqa.scores where tag = 'total'"
    assert rows(resources, scores) == [(1 + lets, 1 + lets, int(lets))]


def test_without_a_judge_model_the_stand_in_judges_and_says_so(home):
    resources = home()
    found = [row for row in rows(resources, VERDICTS) if row[1] == "e2"]
    name = "lexical stand-in (no model)"
    assert found == [("bad", "e2", 0, name, True, None), ("good", "e2", 1, name, True, None)]
    scores = "select run_id, count, correct, judged, stand_in, failed from airqa.scores where tag = 'total'"
    assert rows(resources, f"{scores} order by 1") == [("bad", 3, 0, 1, 1, 0), ("good", 3, 2, 1, 1, 1)]
    compared = "select run_id, other, difference, better, worse from airqa.comparisons where tag = 'total'"
    assert rows(resources, compared) == [("bad", "good", pytest.approx(-2 / 3), 0, 2)]


def test_labels_of_the_runs(home):
    query = "select run_id, example_id, label, turn, correct from airqa.labels order by all"
    assert rows(home(), query) == [
        ("bad", "e1", "lack_of_context", None, False),
        ("bad", "e2", "lack_of_context", None, False),
        ("bad", "e3", "missing_paper", None, False),
        ("bad", "e3", "out_of_turns", None, False),
        ("bad", "e3", "repetition", 2, False),
        ("good", "e1", "lack_of_context", None, True),
        ("good", "e2", "lack_of_context", None, True),
        ("good", "e3", "no_answer", None, False),
    ]


def test_nothing_is_made_again_without_a_change_and_a_changed_example_is_scored_again(home, tmp_path):
    resources = home()
    assert make(resources, "verdicts", "good")
    assert make(resources, "scores")
    take(tmp_path, resources, shape("e1", 5), replace=True)
    assert not make(resources, "verdicts", "good")
    assert not make(resources, "verdicts", "bad")
    assert not make(resources, "scores")
    scores = "select run_id, correct from airqa.scores where tag = 'total' order by 1"
    assert rows(resources, scores) == [("bad", 1), ("good", 1)]


def test_a_baseline_is_run_scored_and_not_scored_again(tmp_path):
    resources = with_papers(tmp_path / "home", airqa_baselines="question_only full_text")
    pipeline = Pipeline(
        Home(tmp_path / "home"), resources, dg.DagsterInstance.ephemeral(), Console(quiet=True)
    )
    assert pipeline.answer_examples() == []
    found = rows(
        resources,
        "select baseline, count, correct, judged from airqa.scores "
        "join (select distinct run_id, baseline from airqa.runs) using (run_id) "
        "where tag = 'total' order by 1",
    )
    assert [row[:2] for row in found] == [("full_text", 3), ("question_only", 3)]
    assert rows(resources, "select count(*) from airqa.comparisons where tag = 'total'") == [(1,)]
    made = "select table_name, part, fingerprint from ops.materializations order by all"
    before = rows(resources, made)
    assert pipeline.answer_examples() == []
    assert rows(resources, made) == before
