"""The tables of words, patterns and forms: each row works, and the forms read what the patterns ask."""

import re
import tomllib
from pathlib import Path

import pytest

from aimsciqa_assets.stand_in import lexicon, morphology
from aimsciqa_assets.stand_in.asking import drafts
from aimsciqa_assets.stand_in.clauses import authors_clauses, parse_clause, words
from aimsciqa_assets.stand_in.context import Names
from aimsciqa_assets.stand_in.forms import FORMS, read_form
from aimsciqa_assets.stand_in.matching import pattern
from aimsciqa_assets.stand_in.patterns import PATTERNS

# kind of pattern, a sentence for it, what the question asks for, and its name.
ROWS = [
    ("value", "The mean height of the plants was 120 cm in June", "value",
     "the mean height of the plants in June"),
    ("range", "The age of the girls ranged from 6 to 9 years", "value", "the range of the age of the girls"),
    ("percentage", "About 38% of the households used unsafe water", "value",
     "the percentage of the households who used unsafe water"),
    ("mean", "A total of 532 alleles were found among 342 lines with a mean of 6.05 alleles per locus",
     "value", "the average number of alleles per locus among 342 lines"),
    ("count", "A total of 214 children were enrolled in the trial", "value",
     "the number of children enrolled in the trial"),
    ("count_object", "The panel contained 130 lines from India", "value",
     "the number of lines the panel contained from India"),
    ("condition", "The samples were stored at −80 °C", "value",
     "the temperature at which the samples were stored"),
    ("share", "Wheat accounted for 20% of the zinc intake", "value",
     "the percentage of the zinc intake that wheat accounted for"),
    ("amount", "Malting reduced phytate by 30% in flour", "effect",
     "the effect of malting on phytate in flour"),
    ("method", "Iron was measured in grain using XRF", "manner", "the way iron was measured in grain"),
    ("used_to", "A mixed model was used to compare the yields", "statement",
     None),
    ("purpose", "The seeds were washed to remove the dust", "reason", "the reason why the seeds were washed"),
    ("reason", "Yields were low because of drought", "reason", "the reason why yields were low"),
    ("change_noun", "Drought caused a reduction in yield", "effect", "the effect of drought on yield"),
    ("effect_on", "Zinc had no effect on growth", "effect", "the effect of zinc on growth"),
    ("comparison", "Zinc was higher in wheat than in rice", "difference",
     None),
    ("effect", "Malting increased iron in flour", "effect", "the effect of malting on iron in flour"),
    ("effect", "Malting can increase iron in flour", "effect",
    "the effect that malting can have on iron in flour"),
    ("change", "Ferritin increased after malting", "change", "the change in ferritin after malting"),
    ("affected", "Yield was reduced by drought", "effect", "the effect of drought on yield"),
    ("raising_object", "Millet was reported to contain oxalate", "statement",
     None),
    ("nature", "Lake flies are a common source of protein", "statement", None),
    ("definition", "Stem rot is a fungal disease", "definition", "the description of stem rot"),
    ("superlative", "Iron was the most abundant mineral in grain", "thing",
    "the most abundant mineral in grain"),
    ("role", "The protein plays a key role in defence", "statement", None),
    ("place", "The gene was expressed in roots", "thing", None),
    ("relation", "Anaemia was associated with low weight", "statement", None),
    ("adjective", "Oat bran is rich in fibre", "statement", None),
    ("object", "SbZIP7 encodes a zinc transporter", "statement", None),
    ("agent", "The SbZIP7 gene encodes a zinc transporter", "thing",
     None),
    ("preposition_verb", "Zinc deficiency leads to stunted growth", "statement",
    None),
    ("by_whom", "The strains were provided by the WHO", "thing", None),
    ("to_do", "To estimate the zinc intake, we weighed all meals", "statement",
     None),
    ("count", "We collected 300 samples from 20 villages", "value",
     "the number of samples collected from 20 villages"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "sentence", "asks", "said"), ROWS)
def test_what_a_pattern_asks_is_read_by_its_form(kind, sentence, asks, said):
    tokens = words(sentence)
    clauses = [clause for clause in (*authors_clauses(tokens), parse_clause(tokens)) if clause]
    asked = [
        draft.body for clause in clauses for draft in drafts(clause, Names.of(sentence)) if draft.kind == kind
    ]
    assert read_form(asked[0]) == (asks, said)


@pytest.mark.parametrize(
    ("question", "asks", "named"),
    [
        ("how much iron did wheat contain", "value", "the amount of iron wheat contained"),
        ("how many girls were there in Hanoi", "value", "the number of girls in Hanoi"),
        ("how did yield respond to drought", "change", "the response of yield to drought"),
        ("how did the lines perform under drought", "change", "the performance of the lines under drought"),
        ("how does zinc contribute to growth", "effect", "the contribution of zinc to growth"),
        ("how do the yields differ between sites", "difference",
         "the difference in the yields between sites"),
        ("by how much did ferritin fall in girls", "change", "the change in ferritin in girls"),
        ("how did grain zinc change for each tonne of yield", "change",
         "the change in grain zinc for each tonne of yield"),
        ("how common was anaemia among girls", "value", None),
        ("whose blood was sampled in Hanoi", "thing", None),
    ],
)  # fmt: skip
def test_a_form_reads_what_no_pattern_asks(question, asks, named):
    assert read_form(question.split()) == (asks, named)


def test_the_patterns_name_known_parts():
    voices = {"be", "been", "passive", "active", "modal", "perfect", "we", "we_listing", "purpose", "any"}
    assert all(set(one.voices.split()) <= voices for one in PATTERNS)
    assert all(0 < one.score <= 10 for one in PATTERNS)
    for one in PATTERNS:
        for template in (one.auxiliary, one.verb, one.subject, one.rest):
            assert "{" not in re.sub(r"\{\d*,?\d*\}", "", pattern(template).pattern)


def test_every_form_has_what_its_text_needs():
    assert FORMS[0].kind == "whether"
    assert {form.kind for form in FORMS} >= {"value", "effect", "change"}


@pytest.mark.parametrize(
    ("lemma", "past", "participle", "third"),
    [
        ("transmit", "transmitted", "transmitted", "transmits"),
        ("infer", "inferred", "inferred", "infers"),
        ("emit", "emitted", "emitted", "emits"),
        ("confer", "conferred", "conferred", "confers"),
        ("overlap", "overlapped", "overlapped", "overlaps"),
        ("map", "mapped", "mapped", "maps"),
        ("differ", "differed", "differed", "differs"),
        ("limit", "limited", "limited", "limits"),
        ("need", "needed", "needed", "needs"),
        ("vary", "varied", "varied", "varies"),
        ("play", "played", "played", "plays"),
        ("undergo", "underwent", "undergone", "undergoes"),
        ("have", "had", "had", "has"),
    ],
)
def test_the_forms_of_verbs(lemma, past, participle, third):
    found = morphology.past(lemma), morphology.participle(lemma), morphology.third_person(lemma)
    assert found == (past, participle, third)


def test_every_list_of_words_is_used_and_sorted_out():
    folder = Path(lexicon.__file__).parent
    lists = tomllib.loads((folder / "words.toml").read_text())
    rules = [*sorted(folder.rglob("*.py")), folder / "patterns.toml", folder / "forms.toml"]
    sources = "".join(path.read_text().replace("'", '"') for path in rules)
    ways = ('"{}"', "{{{}", " {} ")
    unused = [name for name in lists if not any(way.format(name) in sources for way in ways)]
    assert unused == []
    for name, text in lists.items():
        entries = [entry.strip() for entry in text.split(";")] if ";" in text else text.split()
        assert len(entries) == len(set(entries)), name
