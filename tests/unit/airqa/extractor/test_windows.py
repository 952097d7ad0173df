"""The sliding window, the removal of errors, and the paper's ablations, on two fixed trajectories."""

import pytest
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.airqa.extractor.windows import Cut, LeftOut, Sample, samples_of
from tests.extractor_trajectories import read_both

pytestmark = pytest.mark.slow

PAPER = {
    "long:1": [1],
    "long:3": [1, 2, 3],
    "short:1": [1],
    "short:2": [1, 2],
}
VIEWING = {
    "long:5": [1, 2, 3, 4, 5],
    "long:6": [1, 2, 3, 4, 5, 6],
    "long:7": [2, 3, 4, 5, 6, 7],
    "long:8": [3, 4, 5, 6, 7, 8],
}
WRONG = {"long:2": [1, 2], "long:4": [1, 2, 3, 4]}


@pytest.fixture
def cut_by(tmp_path):
    found = read_both(Warehouse(str(tmp_path / "w.duckdb")), lambda arguments: "images/page.png")

    def cut_all(cut):
        samples = [one for trajectory in found for one in samples_of(trajectory, cut)]
        kept = [one for one in samples if isinstance(one, Sample)]
        left = [one for one in samples if isinstance(one, LeftOut)]
        return (
            {one.sample_id: [turn.number for turn in one.turns] for one in kept},
            {one.sample.sample_id: one.reason for one in left},
            {one.sample_id: [turn.number for turn in one.learnt] for one in kept},
        )

    return cut_all


def test_as_in_the_paper_a_sample_has_five_turns_before_it_and_none_ends_with_an_error(cut_by):
    samples, left_out, learnt = cut_by(Cut())
    assert samples == PAPER
    assert learnt == {"long:1": [1], "long:3": [3], "short:1": [1], "short:2": [2]}
    viewing = dict.fromkeys(("long:5", "long:6", "long:7", "long:8"), "view")
    assert left_out == {"long:2": "wrong_action", "long:4": "wrong_action"} | viewing


def test_with_view_samples_that_look_at_pictures_stay(cut_by):
    samples, left_out, _ = cut_by(Cut(views=True))
    assert samples == PAPER | VIEWING
    assert left_out == {"long:2": "wrong_action", "long:4": "wrong_action"}


def test_without_removal_samples_that_end_with_an_error_stay(cut_by):
    samples, left_out, learnt = cut_by(Cut(removes_errors=False, views=True))
    assert samples == PAPER | VIEWING | WRONG
    assert left_out == {}
    assert learnt["long:4"] == [4]


def test_without_a_window_a_sample_is_a_whole_trajectory(cut_by):
    samples, left_out, learnt = cut_by(Cut(window=0, views=True))
    assert samples == {"long:8": [1, 2, 3, 4, 5, 6, 7, 8], "short:2": [1, 2]}
    assert learnt == samples
    assert left_out == {}


def test_with_neither_window_nor_removal_all_is_learnt(cut_by):
    samples, left_out, learnt = cut_by(Cut(window=0, removes_errors=False))
    assert samples == {"short:2": [1, 2]}
    assert left_out == {"long:8": "view"}
    assert learnt == samples


def test_a_smaller_window_shows_fewer_turns(cut_by):
    samples, _, _ = cut_by(Cut(window=1))
    assert samples == {
        "long:1": [1],
        "long:3": [2, 3],
        "long:7": [6, 7],
        "long:8": [7, 8],
        "short:1": [1],
        "short:2": [1, 2],
    }


def test_a_sample_whose_picture_is_gone_is_left_out(tmp_path):
    found = read_both(Warehouse(str(tmp_path / "w.duckdb")), lambda arguments: None)
    left = [one for one in samples_of(found[0], Cut(views=True)) if isinstance(one, LeftOut)]
    assert [(one.sample.last.number, one.reason) for one in left] == [
        (2, "wrong_action"),
        (4, "wrong_action"),
        (6, "no_picture"),
        (7, "no_picture"),
        (8, "no_picture"),
    ]


def test_a_trajectory_without_an_answer_ends_with_its_last_error(tmp_path):
    (long, _) = read_both(Warehouse(str(tmp_path / "w.duckdb")))
    unfinished = type(long)(long.example_id, long.kind, long.system, long.task, long.turns[:4])
    (one,) = samples_of(unfinished, Cut(window=0))
    assert isinstance(one, LeftOut)
    assert one.reason == "wrong_action"
    empty = type(long)(long.example_id, long.kind, long.system, long.task, ())
    assert list(samples_of(empty, Cut())) == list(samples_of(empty, Cut(window=0))) == []
