import json
import re
from pathlib import Path

import pytest
from aimsciqa_resources.language_model.interface import ModelRequest
from hypothesis import given, settings
from hypothesis import strategies as st

from aimsciqa_assets import stand_in
from aimsciqa_assets.stand_in import StandInModel
from aimsciqa_assets.stand_in.single_hop import compose, questions

TITLE = "Fortification of school porridge with zinc: a trial in rural Malawi"
KEYWORDS = "zinc fortification; school porridge"


def variables(paragraph, **changes):
    values = {"paper_title": TITLE, "section_title": "Results", "subsection": "", "keywords": KEYWORDS}
    return {**values, "paragraph": paragraph, **changes}


def asked(paragraph, **changes):
    return [(found.question, found.answer) for found in questions(variables(paragraph, **changes))]


# sentence, the question, the answer; an answer of None is the sentence itself
SENTENCES = [
    (
        "The mean serum zinc concentration was 12.4 µmol/L in the fortified group after 12 weeks.",
        "What was the mean serum zinc concentration in the fortified group after 12 weeks?",
        None,
    ),
    (
        "A total of 214 children aged 6 to 9 years were enrolled in the school feeding trial [12].",
        "How many children aged 6 to 9 years were enrolled in the school feeding trial?",
        "A total of 214 children aged 6 to 9 years were enrolled in the school feeding trial.",
    ),
    (
        "However, about 38% of the households in the dry zone used unsafe water (Fig. 2).",
        "What percentage of the households in the dry zone used unsafe water?",
        "About 38% of the households in the dry zone used unsafe water.",
    ),
    (
        "Grain iron content in the hybrid lines ranged from 41 to 78 mg/kg (Banda et al., 2019).",
        "What was the range of grain iron content in the hybrid lines?",
        "Grain iron content in the hybrid lines ranged from 41 to 78 mg/kg.",
    ),
    (
        "Serum ferritin was significantly higher in the fortified group than in the control group.",
        "How did serum ferritin compare in the fortified group with that in the control group?",
        None,
    ),
    (
        "The new hybrid had a higher grain zinc content than the local landrace.",
        "How did the new hybrid compare with the local landrace in terms of grain zinc content?",
        None,
    ),
    (
        "Germination for 48 h reduced the phytate content of sorghum flour.",
        "How did germination for 48 h affect the phytate content of sorghum flour?",
        None,
    ),
    (
        "Plasma retinol concentrations increased from 0.8 to 1.1 µmol/L in the supplemented women.",
        "How did plasma retinol concentrations change in the supplemented women?",
        None,
    ),
    (
        "A linear mixed model was used to estimate the effect of drought on grain yield.",
        "In the study of school porridge, what was used to estimate the effect of drought on grain yield?",
        None,
    ),
    (
        "Maternal anaemia was associated with low birth weight in the coastal villages.",
        "What was maternal anaemia associated with?",
        None,
    ),
    (
        "Lake flies are a common source of protein for fishing communities.",
        "What are lake flies a common source of?",
        None,
    ),
    (
        "Ulcerative stem rot is a fungal disease that destroys young sorghum plants.",
        "What is ulcerative stem rot?",
        None,
    ),
    (
        "The first outbreak of stem rot in Malawi was reported in 1987.",
        "When was the first outbreak of stem rot in Malawi reported?",
        None,
    ),
    (
        "We measured haemoglobin in capillary blood using a portable photometer.",
        "How was haemoglobin in capillary blood measured?",
        None,
    ),
    (
        "To estimate zinc intake in the school children, we weighed all meals on three days.",
        "What was done to estimate zinc intake in the school children?",
        None,
    ),
    (
        "The results showed that zinc deficiency impairs linear growth in young children.",
        "How does zinc deficiency affect linear growth in young children?",
        "Zinc deficiency impairs linear growth in young children.",
    ),
    (
        "The SbZIP7 gene encodes a zinc transporter of the plasma membrane.",
        "Which gene encodes a zinc transporter of the plasma membrane?",
        None,
    ),
    (
        "Chronic zinc deficiency leads to stunted growth and poor immunity.",
        "What does chronic zinc deficiency lead to?",
        None,
    ),
    (
        "Yields in the northern districts were low because of late sowing.",
        "Why were yields in the northern districts low?",
        None,
    ),
    (
        "Sorghum accounted for 31% of the daily zinc intake.",
        "What percentage of the daily zinc intake did sorghum account for?",
        None,
    ),
    (
        "Anopheles mosquitoes transmitted malaria in the villages of the lake.",
        "What did Anopheles mosquitoes transmit in the villages of the lake?",
        None,
    ),
    (
        "Zinc supplements had no effect on the height of the school children.",
        "What effect did zinc supplements have on the height of the school children?",
        None,
    ),
    (
        "Maize is the most important staple crop in central Malawi.",
        "What is the most important staple crop in central Malawi?",
        None,
    ),
    (
        "Maize yields fell in 2016, but sorghum yields were reduced by drought in both seasons of 2017.",
        None,
        None,
    ),
    (
        "Infection with T. vivax causes a critical and often fatal disease in cattle of West Africa.",
        "What does infection with T. vivax cause?",
        None,
    ),
]


@pytest.mark.parametrize(("sentence", "question", "answer"), SENTENCES)
def test_a_clear_sentence_gives_its_question(sentence, question, answer):
    expected = [] if question is None else [(question, answer or sentence)]
    assert asked(sentence)[: len(expected) or None] == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "It was significantly higher in the fortified group than in the control group.",
        "These children were enrolled in the school feeding trial of the district.",
        "The former was associated with low birth weight in the coastal villages.",
        "Their serum zinc concentration was 12.4 µmol/L in the fortified group.",
        "No significant difference in body weight was found between the zinc group and the placebo group.",
        "There were 16 boarding schools in the northern district.",
        "The values in the two groups were 12.4 and 9.8 µmol/L, as shown in Table 2.",
        "Zinc in school porridge and its effects on the growth of children.",
        "Was zinc associated with linear growth in the children of the north?",
        "Serum zinc (measured in the morning was associated with the growth of children.",
        "The results of the trial are consistent with those of the other groups.",
        "Several genes of the plant are associated with the uptake of zinc in roots.",
        "Zinc was not associated with linear growth in the children of the north.",
        "Smith et al. found that zinc was associated with growth in the children.",
        "Le zinc était associé à la croissance des enfants dans les villages de la côte.",
        "Yes.",
        "",
    ],
)
def test_an_uncertain_sentence_gives_nothing(sentence):
    assert asked(sentence) == []


def test_a_question_without_a_setting_gets_a_topic_from_the_keywords_or_not_at_all():
    sentence = "The samples were analysed using a portable photometer in the laboratory."
    assert asked(sentence)[0][0].startswith("In the study of school porridge, how were the samples")
    assert asked(sentence, keywords="", paper_title="Zinc can improve what children eat") == []


def test_the_evidence_is_the_sentence_as_it_stands_and_the_answer_is_cleaned():
    sentence = "Moreover, chronic zinc deficiency leads to stunted growth [3, 4] and poor immunity (Table 1)."
    (found,) = questions(variables(f"All of this is known. {sentence} So it goes."))
    assert found.evidence == sentence
    assert found.answer == "Chronic zinc deficiency leads to stunted growth and poor immunity."


def test_names_keep_their_capital_and_other_words_lose_it():
    assert (
        asked("Zika virus is a flavivirus that is transmitted by mosquitoes.")[0][0] == "What is Zika virus?"
    )
    assert asked("Stem rot is a fungal disease that kills plants.")[0][0] == "What is stem rot?"


def test_a_further_clause_is_left_out_of_the_answer():
    sentence = "Chronic zinc deficiency leads to stunted growth, and the disease was first seen in 1961."
    assert asked(sentence) == [
        ("What does chronic zinc deficiency lead to?", "Chronic zinc deficiency leads to stunted growth.")
    ]


def test_a_paragraph_gives_at_most_four_triplets_and_none_twice():
    paragraph = " ".join(sentence for sentence, *_ in SENTENCES)
    found = [question for question, _ in asked(f"{paragraph} {paragraph}")]
    assert len(found) == 4
    assert len(set(found)) == 4


WORDS = st.sampled_from(
    """The the A zinc Zinc group children soil yield was were is are has had can be been increased
    reduced contains showed that than higher 12 mg/kg 38% of in by from to and , (p < 0.05) [3] ( ) ; using
    measured associated with We it significantly 1987 °C . ? "" used found because which 5 °C between not
    more""".split()
)


@settings(deadline=None)
@given(st.text() | st.lists(WORDS, max_size=40).map(lambda words: " ".join(words) + "."), st.text())
def test_any_paragraph_gives_grounded_well_formed_triplets(paragraph, title):
    for found in questions(variables(paragraph, paper_title=title)):
        assert found.evidence in paragraph
        assert found.answer.endswith(".")
        assert found.question.endswith("?")
        assert found.question.count("?") == 1
        assert "  " not in found.question
        assert not found.question[0].islower()
        assert not re.search(r"\[\d|Fig\.", found.question + found.answer)


NUMBER = st.integers(2, 999).map(str) | st.sampled_from(["12.4", "0.05", "seven"])
NUMBERED = st.sampled_from(
    [
        "The mean serum zinc concentration was {} mg in the fortified group.",
        "A total of {} children from coastal villages were enrolled in the porridge trial.",
        "Grain iron content in the hybrid lines ranged from {} to {} mg/kg.",
        "The seed store of the district contained {} landraces of sorghum.",
        "Sun drying increased the shelf life of the leaves by {}% in the humid season.",
        "Sorghum accounted for {}% of the daily zinc intake.",
    ]
)


@settings(deadline=None)
@given(NUMBERED, NUMBER, NUMBER)
def test_no_question_about_a_number_contains_it(sentence, first, second):
    for question, _ in asked(sentence.format(first, second)):
        assert not {first, second} & set(re.findall(r"[\w.]+", question.rstrip("?")))


@given(st.sampled_from(["increased", "reduced", "impairs", "enhances", "lowered", "prevents"]))
def test_no_question_about_an_effect_contains_its_direction(verb):
    (question, _), *_ = asked(f"Germination for 48 h {verb} the phytate content of sorghum flour.")
    assert verb not in question
    assert "affect the phytate content of sorghum flour" in question


def request(task, key, paragraph):
    return ModelRequest(task, key, variables(paragraph), ())


def test_the_model_answers_every_request_in_order_and_a_failure_stays_alone(monkeypatch):
    def compose_or_fail(values):
        if values["paragraph"] == "bad":
            raise KeyError("broken")
        return "[]"

    monkeypatch.setitem(stand_in._COMPOSE, "single_hop", compose_or_fail)
    model = StandInModel()
    requests = [
        request("single_hop", "1", "bad"),
        request("single_hop", "3", ""),
    ]
    first, third = model.replies(requests)
    assert (first.key, first.text, first.failure) == ("1", None, "KeyError: 'broken'")
    assert (third.key, third.text, third.failure) == ("3", "[]", None)


def test_the_reply_is_the_json_list_that_a_model_would_send():
    (reply,) = StandInModel().replies([request("single_hop", "1", SENTENCES[0][0])])
    assert json.loads(reply.text) == [
        {"question": SENTENCES[0][1], "evidence": SENTENCES[0][0], "answer": SENTENCES[0][0]}
    ]
    assert compose({}) == "[]"


def test_the_revision_is_a_hash_of_the_rules():
    assert StandInModel().name == "extractive"
    assert re.fullmatch(r"[0-9a-f]{12}", StandInModel().revision)


def test_the_revision_changes_with_the_words(monkeypatch):
    before, read = stand_in._source_hash.__wrapped__(), Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"x" * (path.name == "words.toml"))
    assert stand_in._source_hash.__wrapped__() != before


@pytest.mark.parametrize(
    "sentence",
    [
        "These findings in rural children indicate that zinc porridge reduces the risk of stunting.",
        "Finger millet and sorghum grain varieties contain a number of nutritionally essential macro‐ and "
        "micronutrients.",
    ],
)
def test_no_answer_points_back_or_breaks_off(sentence):
    answers = [answer for _, answer in asked(sentence)]
    assert not [answer for answer in answers if answer.startswith("These") or answer.endswith("‐.")]
