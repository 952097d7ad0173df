"""Exact match, token F1 and ROUGE-L against implementations written for this test alone."""

import random
import re
import string
from collections import Counter

import pytest

from aimsciqa.measures.answers import exact_match, normalised, rouge_l, token_f1

WORDS = [
    *"the a an zinc iron fell rose by of in group was were The An A Zinc IRON".split(),
    *"12.6 1,500 mg/kg 25-hydroxyvitamin (n=12) 'rice' p<0.05 µg β-carotene thesis another".split(),
    *". , ; - ! ?".split(),
]


def pairs(count):
    dice = random.Random(20241)
    for _ in range(count):
        answer = dice.choices(WORDS, k=dice.randint(0, 30))
        prediction = [dice.choice(WORDS) if dice.random() < 0.4 else word for word in answer]
        if dice.random() < 0.3:
            prediction = dice.choices(WORDS, k=dice.randint(0, 30))
        yield " ".join(answer), " ".join(prediction)


def squad_normalise(text):
    text = "".join(character for character in text.lower() if character not in set(string.punctuation))
    text = re.sub(re.compile(r"\b(a|an|the)\b", re.UNICODE), " ", text)
    return " ".join(text.split())


def squad_f1(answer, prediction):
    gold, given = squad_normalise(answer).split(), squad_normalise(prediction).split()
    same = sum((Counter(gold) & Counter(given)).values())
    if len(gold) == 0 or len(given) == 0:
        return int(gold == given)
    if same == 0:
        return 0
    precision, recall = same / len(given), same / len(gold)
    return 2 * precision * recall / (precision + recall)


def lcs_f1(answer, prediction):
    one, other = (re.sub(r"[^a-z0-9]+", " ", text.lower()).split() for text in (answer, prediction))
    if not one or not other:
        return 0.0
    lengths = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, word in enumerate(one):
        for j, against in enumerate(other):
            longest = max(lengths[i][j + 1], lengths[i + 1][j])
            lengths[i + 1][j + 1] = lengths[i][j] + 1 if word == against else longest
    common = lengths[-1][-1]
    precision, recall = common / len(other), common / len(one)
    return 2 * precision * recall / (precision + recall) if common else 0.0


def test_a_thousand_pairs_score_as_with_the_squad_script_and_an_lcs():
    for answer, prediction in pairs(1000):
        assert normalised(answer) == squad_normalise(answer)
        assert exact_match(answer, prediction) == (squad_normalise(answer) == squad_normalise(prediction))
        assert token_f1(answer, prediction) == pytest.approx(squad_f1(answer, prediction), abs=1e-9)
        assert rouge_l(answer, prediction) == pytest.approx(lcs_f1(answer, prediction), abs=1e-9)


def test_literals():
    assert exact_match("The zinc fell.", "zinc  fell") == 1
    assert token_f1("zinc fell by 3 mg", "zinc rose by 3 mg") == pytest.approx(0.8)
    assert rouge_l("zinc fell by 3 mg", "by 3 mg zinc fell") == pytest.approx(0.6)
    assert rouge_l("studies fell", "study fell") == pytest.approx(0.5)  # no stemmer
