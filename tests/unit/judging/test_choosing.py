"""Which judges are chosen, and why the others are not."""

from aimsciqa_assets.judging.choosing import Candidate, choice_rows, choose_judges
from aimsciqa_assets.platform.frames import frame_of

# Alpha, kappa and average SD; those of the two first named are shapes of the paper's Table 12.
JUDGES = {
    "gemma-3-27b-it": (0.732, 0.562, 0.191),
    "gpt-4o": (0.650, 0.570, 0.250),
    "llama-3.3-70b-instruct": (0.500, 0.400, 0.300),
    "claude-3-7-sonnet": (0.900, 0.800, 0.050),
    "constant": (None, None, 0.0),
    "all": (0.99, 0.99, 0.0),
}


def reliability(judges=JUDGES, dimension="overall"):
    return frame_of(
        "benchmark.reliability",
        [
            {
                "judge": judge,
                "dimension": dimension,
                "items": 50,
                "raters": 5,
                "mean": 4.0,
                "krippendorff_alpha": alpha,
                "fleiss_kappa": kappa,
                "average_sd": spread,
            }
            for judge, (alpha, kappa, spread) in judges.items()
        ],
    )


def test_the_most_reliable_judges_of_other_families_are_chosen():
    assert choose_judges(reliability(), ["anthropic/claude-opus"], 2) == [
        Candidate("gemma-3-27b-it", 4 / 3, None),
        Candidate("gpt-4o", 5 / 3, None),
        Candidate("llama-3.3-70b-instruct", 3.0, "less_reliable"),
        Candidate("constant", None, "not_measured"),
        Candidate("claude-3-7-sonnet", None, "own_family"),
    ]


def test_every_generator_leaves_its_family_out():
    found = choose_judges(reliability(), ["claude-opus", "google/gemini-2.0-flash"], 9)
    chosen = [one.judge for one in found if one.reason is None]
    assert chosen == ["gpt-4o", "llama-3.3-70b-instruct"]
    assert [one.judge for one in found if one.reason == "own_family"] == [
        "claude-3-7-sonnet",
        "gemma-3-27b-it",
    ]


def test_equal_judges_are_chosen_by_name_and_other_dimensions_do_not_count():
    equal = reliability({"b": (0.5, 0.5, 0.1), "a": (0.5, 0.5, 0.1)})
    assert [one.judge for one in choose_judges(equal, [], 2)] == ["a", "b"]
    assert [one.mean_rank for one in choose_judges(equal, [], 2)] == [1.5, 1.5]
    assert choose_judges(equal, [], 2, "fluency") == []
    assert choose_judges(reliability({}), [], 2) == []


def test_a_judge_is_of_the_family_of_what_its_server_calls_it():
    names = {"my-judge": (0.9, 0.9, 0.1), "other": (0.5, 0.5, 0.2)}
    found = choose_judges(
        reliability(names), ["claude-opus"], 2, called=lambda name: {"my-judge": "claude-3"}.get(name, name)
    )
    assert [(one.judge, one.reason) for one in found] == [("other", None), ("my-judge", "own_family")]


def test_a_judge_that_gave_no_score_is_not_left_out():
    found = choose_judges(
        reliability({"a": (0.5, 0.5, 0.2)}), ["qwen-max"], 2, unscored=["a", "qwq-32b", "mute"]
    )
    assert [(one.judge, one.reason) for one in found] == [
        ("a", None),
        ("mute", "not_measured"),
        ("qwq-32b", "own_family"),
    ]
    rows = list(choice_rows(reliability({"a": (0.5, 0.5, 0.2)}), found, ["qwen-max"], chosen_only=True))
    assert [(row["items"], row["detail"]) for row in rows][1:] == [
        (0, "it gave no score"),
        (0, "of a family that wrote items: qwen-max"),
    ]


def test_every_judge_has_a_row_with_its_figures_and_why():
    writers = ["anthropic/claude-opus"]
    candidates = choose_judges(reliability(), writers, 1)
    rows = list(choice_rows(reliability(), candidates, writers, chosen_only=True))
    table = frame_of("benchmark.judge_choice", rows)
    columns = ("judge", "place", "chosen", "counts", "rejection_reason", "detail")
    assert table.select(columns).rows() == [
        ("gemma-3-27b-it", 1, True, True, None, "alpha 0.732, kappa 0.562, SD 0.191: mean rank 1.33"),
        ("gpt-4o", 2, False, False, "less_reliable", "alpha 0.650, kappa 0.570, SD 0.250: mean rank 1.67"),
        (
            *("llama-3.3-70b-instruct", 3, False, False, "less_reliable"),
            "alpha 0.500, kappa 0.400, SD 0.300: mean rank 3.00",
        ),
        (
            *("constant", None, False, False, "not_measured"),
            "alpha undefined, kappa undefined, SD 0.000: it rated once, or gave the same rating everywhere",
        ),
        (
            *("claude-3-7-sonnet", None, False, False, "own_family"),
            "of a family that wrote items: anthropic/claude-opus",
        ),
    ]
    every = choice_rows(reliability(), candidates, writers, chosen_only=False)
    assert [row["counts"] for row in every] == [True] * 5
