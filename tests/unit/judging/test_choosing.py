"""Which judges are chosen, and why the others are not."""

from aimsciqa_assets.judging.choosing import Candidate, choose_judges
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
