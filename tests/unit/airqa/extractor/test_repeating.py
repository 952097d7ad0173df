import random

import pytest

from aimsciqa_assets.airqa.extractor.filters import content_words, in_common
from aimsciqa_assets.airqa.extractor.repeating import Asked


def test_a_question_repeats_the_earliest_one_that_is_like_it_in_its_scope():
    asked = Asked(0.75)
    asked.add("single p1", "e1", "Which rice grew tall in clay pots?")
    asked.add("single p1", "e2", "Which rice grew tall in sandy pots?")
    asked.add("single p2", "e3", "Which maize grew tall?")
    assert asked.first_like("single p1", "What rice grew tall in pots?") == "e1"
    assert asked.first_like("single p1", "Sandy pots: which rice grew tall?") == "e2"
    assert asked.first_like("single p1", "Which maize grew tall?") is None
    assert asked.first_like("single p2", "Which rice grew tall in clay pots?") is None
    assert asked.first_like("single p1", "Why is it?") is None


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.8, 1.0])
def test_it_finds_what_a_comparison_with_all_finds(share):
    drawn = random.Random(7)
    questions = [
        " ".join(f"w{min(drawn.randrange(14), drawn.randrange(14))}" for _ in range(drawn.randrange(9)))
        for _ in range(200)
    ]
    asked, kept = Asked(share), []
    for number, question in enumerate(questions):
        words = content_words(question)
        like = (one for one, other in kept if in_common(words, other) >= share)
        assert asked.first_like("all", question) == next(like, None)
        asked.add("all", f"e{number}", question)
        kept.append((f"e{number}", words))
