"""The parts of a composition by rules: questions read, answers told and cut, facts compared, clues."""

import pytest

from aimsciqa_assets.stand_in.composition.answers import read_answer
from aimsciqa_assets.stand_in.composition.clues import clue
from aimsciqa_assets.stand_in.composition.questions import read_question
from aimsciqa_assets.stand_in.composition.relation import CorePair, compared
from aimsciqa_assets.stand_in.composition.shortening import shortened
from aimsciqa_assets.stand_in.composition.standings import Amount, agreement, reported, standing


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        ("How did ferritin change after six months?", "the change in ferritin after six months"),
        ("How does drought affect grain yield?", "the effect of drought on grain yield"),
        ("What effect did eugenol extract have on glucose in rats?",
         "the effect of eugenol extract on glucose in rats"),
        ("How was grain iron measured in hybrids?", "the way grain iron was measured in hybrids"),
        ("How many nurses were enrolled in Hanoi?", "the number of nurses enrolled in Hanoi"),
        ("What percentage of girls were anaemic?", "the percentage of girls who were anaemic"),
        ("At what temperature were the pools stored?", "the temperature at which the pools were stored"),
        ("To what extent did masks lower transmission?", "the extent to which masks lowered transmission"),
        ("Why was Setaria chosen as a model?", "the reason why Setaria was chosen as a model"),
        ("What was microcephaly associated with in Peru?", None),
        ("What did masks reduce in patients?", None),
        ("Which genes were upregulated under drought?", "the genes upregulated under drought"),
        ("Did masks reduce the risk of infection?", None),
        ("Does millet contain more iron than rice?", None),
        ("How can wet soils affect grain iron?", "the effect that wet soils can have on grain iron"),
        ("How many SNPs (See Methods) were called?", "the number of SNPs called"),
        ("How can grain iron significantly be improved?",
         "the way grain iron can significantly be improved"),
        ("How common was anaemia among girls?", None),
        ("How long did the RNA persist in semen?", None),
        ("Who conducted the trial?", None),
        ("What is Setaria viridis?", "the description of Setaria viridis"),
        ("Among girls, what was the mean age?", "the mean age among girls"),
        ("According to the authors, what was the mean age of girls?", "the mean age of girls"),
        ("How were samples collected from plants grown in 2015 stored?", None),
    ],
)  # fmt: skip
def test_a_question_is_named(question, phrase):
    read = read_question(question)
    assert read is not None
    assert read.phrase == phrase


@pytest.mark.parametrize(
    "text", ["", "What?", "The mean age was 3.", "Is it? Or what is it?", "Tell me more?"]
)
def test_what_is_not_one_question_is_not_read(text):
    assert read_question(text) is None


def test_the_subject_of_a_study_is_kept_apart():
    read = read_question("In the study of Zika virus, how was RNA extracted from pools?")
    assert read is not None
    assert (read.about, read.phrase) == ("Zika virus", "the way RNA was extracted from pools")


@pytest.mark.parametrize(
    ("lead", "about"),
    [("zika virus in Gabon", "Zika virus in Gabon"), ("zika virus emergence, 2011", "Zika virus emergence")],
)
def test_the_subject_of_a_study_reads_as_a_name(lead, about):
    read = read_question(f"In the study of {lead}, how was RNA extracted from pools?")
    assert read is not None
    assert read.about == about


def core(question, answer, section="Results", title="A survey of anaemia"):
    read = read_question(question), read_answer(answer, question)
    assert all(read)
    return CorePair(*read, question, section, title)


ANAEMIC = core("What was the prevalence of anaemia in girls?", "The prevalence of anaemia in girls was 43%.")
ENRICHED = core("How did zinc affect the yield of oats?", "Zinc increased the yield of oats by 8%.")


@pytest.mark.parametrize(
    ("one", "question", "answer", "says"),
    [
        (ANAEMIC, "What was the prevalence of anaemia among nurses?",
         "The prevalence of anaemia among nurses was 21%.", ("higher", "value")),
        (core("What was the range of the anaemia score in girls?",
              "The anaemia score in girls ranged from 2.1 to 7.2 with a mean of 4.5."),
         "What was the average anaemia score in nurses?", "The average anaemia score in nurses was 4.7.",
         ("lower", "mean")),
        (core("What was the range of the zinc content of oats?",
              "The zinc content of oats ranged from 20 to 40 mg/kg."),
         "What was the range of the grain zinc content in rye?",
         "The grain zinc content in rye varied from 31 to 50 ppm.", ("overlap", "range")),
        (core("What percentage of anaemic girls took iron tablets?",
              "About 38% of anaemic girls took iron tablets."),
         "What percentage of anaemic girls took iron tablets daily?",
         "About 12% of anaemic girls took iron tablets daily.", ("higher", "percentage")),
        (ENRICHED, "How was the yield of oats affected by drought?",
         "The yield of oats was reduced by drought.", ("opposite", "effect")),
        (ENRICHED, "By how much did zinc increase the yield of oats in Benin?",
         "Zinc increased the yield of oats in Benin by 3%.", ("same", "effect")),
    ],
)  # fmt: skip
def test_two_values_or_two_effects_are_compared(one, question, answer, says):
    found = compared(one, core(question, answer))
    assert (found.objection, found.standing, found.noun) == ("", *says)


@pytest.mark.parametrize(
    ("one", "other", "objection"),
    [
        (ANAEMIC, core("How common was anaemia?", "Anaemia was common.", "Introduction"),
         "a fact is no result of its paper: it does not stand in its results, abstract or conclusion"),
        (ANAEMIC, core("Why was yam bitter?", "Yam was bitter because of tannin.", "Abstract",
                       "Yams: a review"),
         "a fact is no result of its paper: it does not stand in its results, abstract or conclusion"),
        (ANAEMIC, core("What was the anaemia in BFM?", "The anaemia in BFM was 3%."),
         "a question names a code that only its paper explains"),
        (ENRICHED, core("How could zinc affect the yield of rye?", "Zinc could increase the yield of rye."),
         "no finding is asked for, but what may be"),
        (ENRICHED, ANAEMIC, "the two questions do not ask for two values or two effects"),
        (ANAEMIC, core("What was the mean volume extracted from girls?",
                       "The mean volume extracted from girls was 3 mL."),
         "a routine procedure is asked for"),
        (ANAEMIC, core("How many anaemic girls were poor?", "Thirty anaemic girls were poor."),
         "counts of different material cannot be compared"),
        (ANAEMIC, core("What was the mean prevalence of anaemia in girls?",
                       "The mean prevalence of anaemia in girls was 3%."),
         "a mean, a median, a range, a share and a single value are not compared with each other"),
        (ANAEMIC, core("What was the prevalence of malaria among girls?",
                       "The prevalence of malaria among girls was 3%."),
         "the two questions ask for different measures"),
        (core("What was the growth rate of rice?", "The growth rate of rice was 3%.", title="Paddies"),
         core("What was the growth rate of wheat?", "The growth rate of wheat was 4%.", title="Fields"),
         "the same is measured of things that have nothing in common"),
        (ANAEMIC, core("What was the prevalence of anaemia in boys?",
                       "The prevalence of anaemia in boys was 3% and 4%, respectively."),
         "an answer does not give one value with its unit"),
        (ANAEMIC, core("What was the prevalence of anaemia in boys?",
                       "The prevalence of anaemia in boys was 3 cases."),
         "the two values have different units"),
        (ENRICHED, core("How does zinc affect the yield of rye?", "Zinc increases the yield of rye."),
         "an effect is told as what always holds, not as what was found"),
        (ENRICHED, core("How did zinc affect the yield and height of rye?",
                        "Zinc increased the yield and height of rye."),
         "effects on several outcomes are asked for at once"),
        (ENRICHED, core("How did zinc affect the ash of oats?", "Zinc increased the ash of oats."),
         "the two questions ask for different outcomes"),
        (ENRICHED, core("How did zinc affect the yield of oats?", "Zinc affected the yield of oats."),
         "the direction of an effect is not clear"),
    ],
)  # fmt: skip
def test_what_is_no_comparison_is_refused_for_a_reason(one, other, objection):
    assert compared(one, other).objection == objection


@pytest.mark.parametrize(
    ("answer", "objection"),
    [
        ("The phytate content of maize flour from Busia was 812 mg per 100 g.", ""),
        ("Villagers of Busia who cooked on charcoal harvested 812 cassava tubers.", ""),
        ("The anaemia of goats in Busia was treated with 812 mg of ferrous sulphate.",
         "the paper is searched by what is asked of it"),
        ("Maize flour from dry Busia weighed 43 tonnes.",
         "what the paper is searched by gives its title or an answer away"),
        ("The second harvest of maize in Busia was destroyed by 812 elephants.",
         "what the paper is searched by cannot be understood alone"),
        ("Charcoal and ferrous sulphate were found in 4 and 9% of the goats of Busia, respectively.",
         "what the paper is searched by cannot be understood alone"),
        ("Samples of maize flour were collected from twelve villages of Busia.",
         "what the paper is searched by is no finding of its own"),
        ("Absorbed light activates violaxanthin of maize flour from Busia.",
         "what the paper is searched by is no finding of its own"),
        ("ABC, DEF and GHI12 were found in 812 XYZ.", "many papers fit what the paper is searched by"),
    ],
)  # fmt: skip
def test_a_clue_is_a_finding_that_is_understood_alone(answer, objection):
    read = read_answer(answer, "What was found?")
    assert read is not None
    assert clue("", read, ["anaemia"], [{"43", "tonn"}]).objection == objection


@pytest.mark.parametrize(
    ("statement", "question", "expected"),
    [
        ("The leaves of the treated plants were dried in a vacuum oven, which was cleaned every day",
         "How were the leaves of the treated plants dried?",
         "The leaves of the treated plants were dried in a vacuum oven"),
        ("To free bound iron, the maize flour was soaked in lactic acid as per manufacturer's instructions",
         "How was the maize flour soaked?", "the maize flour was soaked in lactic acid"),
        ("The drought reduced the yield of all the maize hybrids by a third, resulting in hunger",
         "What did the drought result in?",
         "The drought reduced the yield of all the maize hybrids by a third, resulting in hunger"),
        ("Girls of the highland villages of the county were often anaemic, with a prevalence of 43% in May",
         "How many girls of the highland villages were anaemic?",
         "Girls of the highland villages of the county were often anaemic, with a prevalence of 43% in May"),
        ("Iron tablets were given to the girls daily, whereas the boys of the same school were given zinc",
         "What were the girls and the boys given?",
         "Iron tablets were given to the girls daily, whereas the boys of the same school were given zinc"),
        ("Iron deficiency was defined as a ferritin below 12 µg/L. Anaemia was defined by haemoglobin in May",
         "What was iron deficiency defined as?", "Iron deficiency was defined as a ferritin below 12 µg/L"),
        ("The flour was dried, resulting in loss", "How was the flour dried?",
         "The flour was dried, resulting in loss"),
    ],
    ids=["clause", "purpose and routine", "asked for", "number asked for", "asked in both parts",
         "further sentence", "short"],
)  # fmt: skip
def test_an_answer_loses_only_what_was_not_asked_for(statement, question, expected):
    assert shortened(statement, question) == expected


@pytest.mark.parametrize(
    ("answer", "question", "verb", "reported"),
    [
        ("Serum ferritin rose [3, 4].", "How did serum ferritin change?", "reports", "serum ferritin rose"),
        ("However, we found that Zika persists long (Fig. 2).", "Does Zika persist?", "reports",
         "Zika persists long"),
        ("Our results suggest that iron was lost.", "What was lost?", "suggests", "iron was lost"),
        ("We measured our samples (Qiagen, Hilden, Germany).", "What was measured?", "reports",
         "the authors measured their samples"),
        ("In contrast to boys, girls were anaemic.", "Who was anaemic?", "reports",
         "in contrast to boys, girls were anaemic"),
        ("Serum ferritin was not tested.", "Was it?", "reports", "serum ferritin was not tested"),
        ("No, zinc was notably higher, surprisingly.", "Was it?", "reports",
         "zinc was notably higher, surprisingly"),
        ("The plants were then washed (in 2012).", "What was washed?", "reports",
         "the plants were washed (in 2012)"),
    ],
)  # fmt: skip
def test_an_answer_becomes_reported_speech(answer, question, verb, reported):
    read = read_answer(answer, question)
    assert read is not None
    assert (read.verb, read.reported) == (verb, reported)


@pytest.mark.parametrize(
    "answer",
    [
        "34%",
        "",
        "They were measured by XRF.",
        "This was due to zinc.",
        "It was done as previously described.",
    ],
)
def test_an_answer_that_does_not_stand_alone_is_not_read(answer):
    assert read_answer(answer, "What was measured?") is None


@pytest.mark.parametrize(
    ("answer", "statistic", "amount", "told"),
    [
        ("It was 43% (40% to 46%).", "value", (43, 43, "%"), "It was 43%"),
        ("It was 1,500 ± 20 mg in May, as in June.", "value", (1500, 1500, "mg"),
         "It was 1,500 ± 20 mg in May"),
        ("The yield was about 3.5 kg per ha.", "mean", (3.5, 3.5, "kg per ha"),
         "The yield was about 3.5 kg per ha"),
        ("It ranged from 0.02 (A1) to 0.9 with a mean of 0.5.", "mean", (0.5, 0.5, ""),
         "It ranged from 0.02 to 0.9 with a mean of 0.5"),
        ("It varied between 4–18% in oats, and 3% in rye.", "range", (4, 18, "%"),
         "It varied between 4 and 18% in oats"),
        ("Zinc explained 12.5 percent of it.", "share", (12.5, 12.5, "%"),
         "Zinc explained 12.5 percent of it"),
    ],
)  # fmt: skip
def test_a_value_is_read_with_what_is_said_of_it(answer, statistic, amount, told):
    assert reported(answer, statistic) == (Amount(*amount), told)


@pytest.mark.parametrize(
    ("answer", "statistic"),
    [
        ("It was 43.", "value"),
        ("It was 4% and 5%.", "value"),
        ("It was 4% in oats and 5% in rye, respectively.", "value"),
        ("It was 4% to 5%.", "share"),
        ("It was high.", "value"),
        ("It ranged from 5% to 4%.", "range"),
    ],
)
def test_no_value_or_several_are_no_value(answer, statistic):
    assert reported(answer, statistic) is None


@pytest.mark.parametrize(
    ("one", "other", "stands"),
    [
        ((43, 43), (21, 21), "higher"),
        ((0.2, 0.4), (0.5, 0.9), "lower"),
        ((4, 4), (4, 4), "equal"),
        ((4, 18), (5, 5), "overlap"),
    ],
)
def test_how_values_stand_to_each_other(one, other, stands):
    assert standing(Amount(*one, "%"), Amount(*other, "%")) == stands


@pytest.mark.parametrize(
    ("one", "other", "order"),
    [
        ("Zinc raised protein by 3%.", "Protein increased with zinc.", "same"),
        ("Zinc led to a reduction of protein.", "Zinc improved protein.", "opposite"),
        ("Zinc did not raise protein.", "Zinc improved protein.", None),
        ("Zinc raised protein in girls not given iron.", "Zinc improved protein.", "same"),
        ("Zinc raised protein but lowered starch.", "Zinc improved protein.", None),
        ("Zinc changed protein.", "Zinc improved protein.", None),
    ],
)
def test_directions_are_compared_only_where_each_is_sure(one, other, order):
    assert agreement(one, other) == order
