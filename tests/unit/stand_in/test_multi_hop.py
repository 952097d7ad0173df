import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aimsciqa_assets.aim_sciqa.multi_hop.replies import REFUSAL_SENTENCE, Composition, Refusal, read_reply
from aimsciqa_assets.aim_sciqa.multi_hop.validation import decide
from aimsciqa_assets.stand_in.composition.answers import comparison, directions, read_answer
from aimsciqa_assets.stand_in.composition.questions import read_question
from aimsciqa_assets.stand_in.composition.relation import objection
from aimsciqa_assets.stand_in.composition.shortening import shortened
from aimsciqa_assets.stand_in.multi_hop import REFUSAL, compose

ADOLESCENTS = {
    "source_title": "Iron status in Maharashtra",
    "source_section": "Results",
    "source_question": "What was the prevalence of iron deficiency among Indian adolescents?",
    "source_answer": "The prevalence of iron deficiency among Indian adolescents was 43% [12].",
    "target_title": "Women's diets in rural Kenya",
    "target_section": "Results",
    "target_question": "What was the prevalence of iron deficiency among Kenyan women?",
    "target_answer": "The prevalence of iron deficiency among Kenyan women was 21% (Odera et al., 2012).",
    "retrieval_question": "What was the phytate content of maize flour from Busia?",
    "retrieval_answer": "The phytate content of maize flour from Busia was 812 mg per 100 g.",
}


def composed(**changes):
    reply = read_reply(compose({**ADOLESCENTS, **changes}))
    assert isinstance(reply, Composition)
    return reply


@pytest.mark.parametrize(
    ("question", "clause", "phrase"),
    [
        ("How did ferritin change after six months?", "how ferritin changed after six months",
         "the change in ferritin after six months"),
        ("How does drought affect grain yield?", "how drought affects grain yield",
         "the effect of drought on grain yield"),
        ("What effect did eugenol extract have on glucose in rats?",
         "what effect eugenol extract had on glucose in rats",
         "the effect of eugenol extract on glucose in rats"),
        ("How was grain iron measured in hybrids?", "how grain iron was measured in hybrids",
         "the way grain iron was measured in hybrids"),
        ("How many nurses were enrolled in Hanoi?", "how many nurses were enrolled in Hanoi",
         "the number of nurses enrolled in Hanoi"),
        ("What percentage of girls were anaemic?", "what percentage of girls were anaemic",
         "the percentage of girls who were anaemic"),
        ("At what temperature were the pools stored?", "at what temperature the pools were stored",
         "the temperature at which the pools were stored"),
        ("To what extent did masks lower transmission?", "to what extent masks lowered transmission",
         "the extent to which masks lowered transmission"),
        ("Why was Setaria chosen as a model?", "why Setaria was chosen as a model",
         "the reason why Setaria was chosen as a model"),
        ("What was microcephaly associated with in Peru?", "what microcephaly was associated with in Peru",
         None),
        ("What did masks reduce in patients?", "what masks reduced in patients", None),
        ("Which genes were upregulated under drought?", "which genes were upregulated under drought",
         "the genes upregulated under drought"),
        ("Did masks reduce the risk of infection?", "whether masks reduced the risk of infection", None),
        ("Does millet contain more iron than rice?", "whether millet contains more iron than rice", None),
        ("How can wet soils affect grain iron?", "how wet soils can affect grain iron",
         "the effect that wet soils can have on grain iron"),
        ("How many SNPs (See Methods) were called?", "how many SNPs were called",
         "the number of SNPs called"),
        ("How can grain iron significantly be improved?", "how grain iron can significantly be improved",
         "the way grain iron can significantly be improved"),
        ("How common was anaemia among girls?", "how common anaemia was among girls", None),
        ("How long did the RNA persist in semen?", "how long the RNA persisted in semen", None),
        ("Who conducted the trial?", "who conducted the trial", None),
        ("What is Setaria viridis?", "what Setaria viridis is", "the description of Setaria viridis"),
        ("Among girls, what was the mean age?", "what the mean age was among girls",
         "the mean age among girls"),
        ("According to the authors, what was the mean age of girls?", "what the mean age of girls was",
         "the mean age of girls"),
        ("How were samples collected from plants grown in 2015 stored?", None, None),
    ],
)  # fmt: skip
def test_a_question_is_told_and_named(question, clause, phrase):
    read = read_question(question)
    assert read is not None
    assert (read.clause, read.phrase) == (clause, phrase)


@pytest.mark.parametrize(
    "text", ["", "What?", "The mean age was 3.", "Is it? Or what is it?", "Tell me more?"]
)
def test_what_is_not_one_question_is_not_read(text):
    assert read_question(text) is None


def test_the_subject_of_a_study_is_kept_apart():
    read = read_question("In the study of Zika virus, how was RNA extracted from pools?")
    assert read is not None
    assert (read.about, read.clause) == ("Zika virus", "how RNA was extracted from pools")


@pytest.mark.parametrize(
    ("lead", "about"),
    [("zika virus in Gabon", "Zika virus in Gabon"), ("zika virus emergence, 2011", "Zika virus emergence")],
)
def test_the_subject_of_a_study_reads_as_a_name(lead, about):
    read = read_question(f"In the study of {lead}, how was RNA extracted from pools?")
    assert read is not None
    assert read.about == about


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What was the prevalence of anaemia among girls?", "What was the prevalence of anaemia in nurses?"),
        ("What was the iron content of oat bran?", "What was the mean iron concentration in yam flour?"),
        ("How does foliar zinc affect yam protein?", "How does zinc in the soil affect protein of oats?"),
        ("How did serum ferritin change in nurses?", "How did ferritin change after malaria?"),
        ("By how much did serum ferritin fall in nurses?", "How did ferritin change after malaria?"),
        ("How was yam protein affected by zinc?", "By how much did foliar zinc increase protein of oats?"),
        ("What was microcephaly associated with in Peru?", "What is microcephaly associated with?"),
        (
            "What was an N95 mask associated with in Peru?",
            "What was continuous use of N95 masks associated with?",
        ),
        ("What are larks of Orm susceptible to?", "What are larks susceptible to?"),
        ("How was SbZIP7 expression affected in sand?", "How did SbZIP7 expression levels change in clay?"),
        (
            "How did malting affect the phytate content of yam flour?",
            "How does malting affect ash of yam flour?",
        ),
        (
            "How did oats compare with yams in terms of ash?",
            "How did oats compare with yams in terms of starch?",
        ),
        (
            "How did oats compare with rye in terms of phytate?",
            "How did figs differ from yams in terms of phytate?",
        ),
        ("By how much did lutein fall in boys?", "By how much did lutein release after meals fall in girls?"),
    ],
)
def test_one_attribute_of_two_things_is_compared(one, other):
    assert objection(read_question(one), read_question(other), ["Results", "Discussion"]) == ""


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("What was the mean volume of milk extracted from goats?", "What was the volume of milk in cows?",
         "a routine procedure is asked for"),
        ("Why was yam bitter in Benin?", "Why was taro bitter in Togo?",
         "the two questions do not ask for values, effects, changes or identities of the same sort"),
        ("How did foliar zinc affect yam protein?", "What was the yam protein content in Benin?",
         "the two questions do not ask for values, effects, changes or identities of the same sort"),
        ("How many villages of Benin were poor?", "How many villages were poor in Togo?",
         "counts of different material cannot be compared"),
        ("What was jaundice associated with in boys?", "What was anaemia associated with in boys?",
         "the two questions do not ask the same of one thing"),
        ("How did drought affect yam protein?", "How did fire affect protein of oats?",
         "the same is asked of things that have nothing in common"),
        ("What was the prevalence of anaemia among girls?", "What was the prevalence of malaria among girls?",
         "the two questions ask for different attributes"),
        ("What was the prevalence of anaemia among girls?", "What was the duration of anaemia in nurses?",
         "the two questions ask for different attributes"),
        ("What was the salt content of serum in rats?", "What was the serum ferritin content in mice?",
         "the two questions ask for different attributes"),
        ("What was the prevalence of anaemia?", "What was the prevalence of anaemia among nurses?",
         "it is not said in whom or in what it was measured"),
        ("How could foliar zinc affect yam protein?", "How did foliar zinc affect yam protein in Togo?",
         "no finding is asked for, but what may be"),
        ("How did oats compare with yams in terms of ash?", "How did figs compare with rye in starch?",
         "different groups are compared in different things"),
        ("What are precursors of lutein derived from?", "What are precursors of menthol derived from?",
         "the two questions do not ask the same of one thing"),
        ("What did the malted lark grain show?", "What did the malted finch grain show?",
         "the two questions do not ask the same of one thing"),
    ],
)  # fmt: skip
def test_what_is_no_comparison_is_refused_for_a_reason(one, other, reason):
    assert objection(read_question(one), read_question(other), ["Results"]) == reason


@pytest.mark.parametrize("section", ["Materials and methods", "1. Introduction", "Ethics statement"])
def test_facts_of_methods_and_introductions_are_refused(section):
    one, other = (read_question(f"What was the prevalence of anaemia in {who}?") for who in ("boys", "girls"))
    assert objection(one, other, ["Results", section]) == (
        "a fact is no result of its paper: it stands in its methods or introduction"
    )


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
    ("one", "other", "order"),
    [
        ("It was 43%.", "It was 21 percent.", "higher"),
        ("It was 1,500 mg.", "It was 2,000 mg.", "lower"),
        ("It was 4 mg.", "It was 4.0 mg.", "equal"),
        ("It was 43%.", "It was 21 mg.", None),
        ("It was 43% to 45%.", "It was 21%.", "higher"),
        ("It was 4–18%.", "It was 5%.", "overlap"),
        ("It ranged from 0.91 to 0.95.", "It ranged from 0.02 (A1) to 0.9.", "higher"),
        ("It was 4% after 3 h.", "It was 5%.", ""),
        ("It was 43% (40% to 46%).", "It was 45 ± 2%.", "lower"),
        ("It was 43.", "It was 21.", None),
        ("It was -3 mg.", "It was 4 mg.", None),
    ],
)
def test_numbers_are_compared_only_where_that_is_sure(one, other, order):
    assert comparison(one, other) == order


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
    assert directions(one, other) == order


def test_two_values_of_one_kind_are_compared():
    reply = composed()
    assert reply.retrieval.question == (
        "Which paper reports that the phytate content of maize flour from Busia was 812 mg per 100 g?"
    )
    assert reply.retrieval.answer == "Identified target paper: 'Women's diets in rural Kenya'."
    assert reply.inter_document.question == (
        "How does the prevalence of iron deficiency among Indian adolescents in the source paper compare "
        "with the prevalence of iron deficiency among Kenyan women in the target paper?"
    )
    assert reply.inter_document.answer == (
        "The source paper reports that the prevalence of iron deficiency among Indian adolescents was"
        " 43%, whereas the target paper reports that the prevalence of iron deficiency among Kenyan "
        "women was 21%; the value is higher in the source paper."
    )
    assert reply.merged.question == (
        "Considering the paper that reports that the phytate content of maize flour from Busia was 812 mg "
        "per 100 g, how does the prevalence of iron deficiency among Kenyan women in that paper compare with "
        "the "
        "prevalence of iron deficiency among Indian adolescents in the source paper?"
    )
    assert reply.merged.answer.startswith(
        "The paper in question is 'Women's diets in rural Kenya'. It reports that"
    )
    assert decide(reply, ADOLESCENTS["target_title"], ADOLESCENTS["source_title"]).status == "accepted"


def test_the_same_asked_of_one_thing_is_compared():
    reply = composed(
        source_question="What was Zika fever associated with in Brazilian newborns?",
        source_answer="Zika fever was associated with microcephaly in Brazilian newborns.",
        target_question="What was Zika fever associated with in Polynesian adults?",
        target_answer="Zika fever was associated with paralysis in Polynesian adults.",
    )
    assert reply.inter_document.question == (
        "According to the target paper, what was Zika fever associated with in Polynesian adults, and "
        "how does this compare with what Zika fever was associated with in Brazilian newborns in the "
        "source paper?"
    )
    assert reply.decision


def test_two_effects_in_one_direction_are_said_to_agree():
    reply = composed(
        source_question="How did foliar zinc affect grain protein in wheat?",
        source_answer="Foliar zinc increased grain protein in wheat by 8%.",
        target_question="How did foliar zinc affect grain protein in maize?",
        target_answer="Foliar zinc raised grain protein in maize by 3%.",
    )
    assert reply.decision
    assert reply.inter_document.answer == (
        "The source paper reports that foliar zinc increased grain protein in wheat by 8%, and the target "
        "paper reports that foliar zinc raised grain protein in maize by 3%; the direction is the same in "
        "both papers."
    )


def test_the_earlier_of_two_events_is_told():
    reply = composed(
        source_question="When was Aedes albopictus introduced in Brazil?",
        source_answer="Aedes albopictus was introduced in Brazil in 1986.",
        target_question="When was Aedes albopictus first introduced in Africa?",
        target_answer="Aedes albopictus was first introduced in Africa in 1991.",
    )
    assert reply.decision
    assert reply.inter_document.answer.endswith("in Africa in 1991; it is earlier in the source paper.")


def test_a_second_question_that_cannot_be_told_is_asked_for_itself():
    reply = composed(
        source_question="During the floods, what was continuous use of N95 masks associated with?",
        source_answer="During the floods, continuous use of N95 masks was associated with fewer colds.",
        target_question="What was the use of N95 masks associated with?",
        target_answer="The use of N95 masks was associated with fewer infections.",
    )
    assert reply.decision
    assert reply.merged.question.endswith(
        ", what was the use of N95 masks associated with, and according to the source paper, during the "
        "floods, what was continuous use of N95 masks associated with?"
    )


def test_what_is_asked_in_a_paper_with_a_preposition_at_its_end_is_told_according_to_it():
    reply = composed(
        source_question="What was Zika fever associated with?",
        source_answer="Zika fever was associated with microcephaly.",
        target_question="What was Zika fever associated with in Polynesian adults?",
        target_answer="Zika fever was associated with paralysis in Polynesian adults.",
    )
    assert " what Zika fever was associated with according to the source paper" in reply.merged.question


def test_the_source_is_named_by_its_title_where_its_question_does_not_say_in_whom():
    reply = composed(
        source_title="Nutrition of schoolchildren in the highlands: a survey",
        source_question="What was the prevalence of iron deficiency?",
        source_answer="The prevalence of iron deficiency was 43%.",
    )
    assert reply.decision
    assert reply.merged.question.endswith(
        "compare with the prevalence of iron deficiency in the source paper on nutrition of schoolchildren "
        "in the highlands?"
    )


@pytest.mark.parametrize(
    "changes",
    [
        {
            "target_question": "What is the colour of maize?",
            "target_answer": "The colour of maize is yellow.",
        },
        {
            "source_question": "What was the mean age of the patients in the study?",
            "source_answer": "The mean age of the patients was 34 years.",
            "target_question": "What was the mean age of the patients in the trial?",
            "target_answer": "The mean age of the patients was 57 years.",
        },
        {"source_answer": "It was 43%."},
        {"retrieval_question": "Tell me about Busia."},
    ],
    ids=["nothing shared", "only study words shared", "answer leans on its question", "no question"],
)
def test_what_cannot_be_composed_is_refused(changes):
    refused, _, reason = compose({**ADOLESCENTS, **changes}).partition(". ")
    assert f"{refused}." == REFUSAL == REFUSAL_SENTENCE
    assert reason in {
        "The core questions name nothing in common.",
        "One of the pairs is not one question with a full statement.",
    }


@pytest.mark.parametrize(
    ("changes", "failed"),
    [
        ({"target_question": ADOLESCENTS["source_question"], "target_answer": ADOLESCENTS["source_answer"]},
         "cross_reference_necessity"),
        ({"target_question": "What was the prevalence of iron deficiency among 21% of Kenyan women?"},
         "cross_reference_necessity"),
        ({"target_answer": "The prevalence of iron deficiency among Kenyan women was 21 mg."},
         "completeness"),
        ({"retrieval_question": "How was flour sampled?",
          "retrieval_answer": "Samples of maize flour were collected from twelve villages."}, "completeness"),
        ({"target_section": "Materials and Methods"}, "relational_appropriateness"),
        ({"target_answer": "The prevalence of iron deficiency among Kenyan women was unknown."},
         "completeness"),
        ({"retrieval_question": "How many were enrolled?", "retrieval_answer": "There were twelve."},
         "completeness"),
        ({"retrieval_question": ADOLESCENTS["target_question"], "retrieval_answer": "It was high."},
         "completeness"),
        ({"source_answer": "The the prevalence of iron deficiency among Indian adolescents was 43%."},
         "fluency"),
        ({"source_question": "What do surveys of iron deficiency among Indian adolescents cannot show?",
          "source_answer": "Surveys of iron deficiency among Indian adolescents cannot show its causes."},
         "fluency"),
        ({"source_question": "How many girls were given iron tablets?",
          "source_answer": "Thirty girls were given iron tablets.",
          "target_question": "Why is iron of maize bound to phytate?",
          "target_answer": "Iron of maize is bound to phytate because phytate is charged."},
         "relational_appropriateness"),
        ({"retrieval_question": "How does light affect VDE of maize flour from Busia?",
          "retrieval_answer": "Absorbed light activates VDE of maize flour from Busia."}, "completeness"),
        ({"retrieval_question": "What does phytate of Busia maize flour bind?",
          "retrieval_answer": "Phytate of Busia maize flour binds Zn and Fe."}, "completeness"),
        ({"retrieval_question": "What is phytate of Busia maize flour bound to?",
          "retrieval_answer": "Phytate of Busia maize flour is bound to Zn and Fe."}, "completeness"),
        ({"source_question": "What do Aedes albopictus transmit?",
          "source_answer": "Aedes albopictus transmit better with the method of tubes.",
          "target_question": "What can Aedes albopictus transmit?",
          "target_answer": "Aedes albopictus can transmit filarial nematodes."}, "completeness"),
        ({"source_question": "How did yams expressing Or exhibit affect carotenoids?",
          "source_answer": "Yams expressing Or exhibit increased carotenoids.",
          "target_question": "How did PSY affect carotenoids of yams?",
          "target_answer": "PSY increased carotenoids of yams."}, "fluency"),
    ],
    ids=["same answer", "answer given away", "other unit", "searched by a routine", "methods", "no value",
         "paper not findable", "asks what it searches by",
         "doubled word", "two auxiliaries", "loosely related", "searched by a mechanism", "searched by what always holds",
         "searched by a state", "how instead of what", "a verb too many"],
)  # fmt: skip
def test_a_poor_item_fails_the_criterion_that_it_should(changes, failed):
    reply = composed(**changes)
    assert not reply.verdicts[failed]
    assert reply.decision is False


def test_an_unclear_retrieval_question_gives_way_to_its_answer():
    reply = composed(
        retrieval_question="What is finger millet?",
        retrieval_answer="Finger millet is a hardy cereal of East African highlands.",
    )
    assert reply.retrieval.question == (
        "Which paper reports that finger millet is a hardy cereal of East African highlands?"
    )


def test_an_answer_that_gives_a_core_answer_away_is_not_searched_by():
    reply = composed(
        retrieval_question="What was common in Busia county?",
        retrieval_answer="A deficiency of 21% was common in Busia county.",
    )
    assert reply.retrieval.question == "Which paper reports what was common in Busia county?"


def test_equal_values_need_both_papers():
    reply = composed(target_answer="The prevalence of iron deficiency among Kenyan women was 43%.")
    assert reply.verdicts["cross_reference_necessity"]
    assert reply.inter_document.answer.endswith("; the two values are equal.")


def test_the_title_is_not_used_to_search_the_paper():
    reply = composed(
        target_title="Diets of rural women in Kenya",
        retrieval_question="In the study of diets of rural women, how were villages sampled in Busia?",
        retrieval_answer="They were visited.",
    )
    assert reply.retrieval.question == "Which paper describes how villages were sampled in Busia?"


def test_a_rejection_says_why():
    assert "Reject: a fact is no result of its paper: it stands in its methods or introduction<" in compose(
        {**ADOLESCENTS, "source_section": "Introduction"}
    )


SCRAPS = st.sampled_from(
    """
    In the study of what which how who why whose by many was were did does can have not and that been used to
    measured iron yield change affect higher mosquitoes significantly , . 3% ( ) [1] It we reports
    """.split()
)
WILD = st.one_of(st.text(), st.lists(SCRAPS, max_size=12).map(lambda scraps: " ".join(scraps) + "?"))


@settings(max_examples=300)
@given(st.fixed_dictionaries(dict.fromkeys(ADOLESCENTS, WILD)))
def test_any_input_gives_a_readable_reply(variables):
    reply = compose(variables)
    assert isinstance(read_reply(reply), Composition | Refusal)
    assert compose(variables) == reply


@given(st.text(min_size=1))
def test_the_target_is_named_whatever_its_title(title):
    fate = decide(read_reply(compose({**ADOLESCENTS, "target_title": f"Iron {title} millet"})),
                  f"Iron {title} millet", "Another title")  # fmt: skip
    assert fate.status == "accepted"
