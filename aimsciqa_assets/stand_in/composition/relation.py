"""Whether two core questions belong together: what they name, what they ask of it, and in which respect.

A word in common is not a relation. Two questions are related as far as they name the same specific thing,
ask the same of it (what it contains, where it was found, how it was amplified), and ask in the same respect:
what holds in general, what was done, or what came out. The names of a field count less than its terms.
"""

import re
from collections.abc import Collection
from itertools import pairwise
from typing import Final, Literal

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.composition import words
from aimsciqa_assets.stand_in.composition.questions import Question
from aimsciqa_assets.stand_in.composition.words import FIELD_STEMS, content, specific, stem, stems
from aimsciqa_assets.stand_in.inversion import DETERMINERS, PREPOSITIONS, bare
from aimsciqa_assets.stand_in.morphology import is_participle, is_rather_noun, is_verb

Respect = Literal["nature", "procedure", "outcome"]

# What can be asked of a thing, and the beginnings of the folded words that ask it.
_ASKED: Final = lex.table("asked_of")
_PROCEDURES: Final = stems(lex.words("procedures"))
# Verbs of any study: two questions that share one of these ask nothing in common.
_EMPTY_VERBS: Final = stems(lex.words("empty_verbs"))
_MEASURES: Final = stems(lex.words("measured_as"))
_HEAD_ENDS: Final = re.compile(rf" (?:{'|'.join(sorted(PREPOSITIONS))}|that|who) ")


def relatedness(source: Question, target: Question, topic: Collection[str] = ()) -> float:
    """How well two questions go together; 0 where they name nothing specific in common.

    `topic` holds the stems that both papers' titles have. A shared name counts 1, or 0.75 for a word of the
    field or the topic; 0.75 more where one is a term ("PIC"). What is asked counts 1 where the phrases name
    the same sort of thing, and 0.75 for a verb in common or for asking the same of it. The same respect
    counts 1, or 0.5 for procedures and definitions, which any two papers have; half of that where all that is
    named in common is one word of the field.
    """
    runs = words.shared_runs(source.direct, target.direct)
    names = [run for run in ([word for word in run if not _is_verb(word)] for run in runs) if run]
    if not names:
        return 0.0
    respects = _respect(source), _respect(target)
    of_procedures = respects == ("procedure", "procedure")
    shared = set() if of_procedures else {stem(word) for run in names for word in run}
    common = FIELD_STEMS.union(topic)
    named = sum(_weight(run, common) for run in names)
    named += 0.75 * any(words.is_term(word) and stem(word) not in common for run in names for word in run)
    asked = 0.75 * (_share_verb(source, target) or bool(_asked(source, shared) & _asked(target, shared)))
    says_little = "procedure" in respects or "definition" in {source.kind, target.kind}
    respect = (respects[0] == respects[1]) * (0.5 if says_little else 1) * (1 if named >= 1 else 0.5)
    return named + asked + are_comparable(source, target) + respect


def are_comparable(one: Question, other: Question) -> bool:
    """Whether the phrases of two questions name the same sort of thing."""
    if one.kind != other.kind or one.kind == "reason" or one.phrase is None or other.phrase is None:
        return False
    shared = specific(one.phrase).keys() & specific(other.phrase).keys()
    is_specific = bool(shared - FIELD_STEMS)
    ask_alike = bool(shared and _asked(one) & _asked(other))
    match one.kind:
        case "manner":
            return ask_alike or (bool(shared) and _share_verb(one, other))
        case "effect" | "change" | "difference":
            return is_specific or ask_alike
        case "definition":
            return bool(shared)
    return (is_specific or len(shared) > 1) and bool(_measured(one.phrase) & _measured(other.phrase))


def are_alike(one: Question, other: Question) -> bool:
    """Whether two questions ask in the same way."""
    if one.kind != other.kind or one.direct.split()[0] != other.direct.split()[0]:
        return False
    return one.kind not in {"thing", "statement", "manner"} or _share_verb(one, other)


def head(phrase: str) -> str:
    """Words of a phrase before its first preposition or relative clause."""
    return _HEAD_ENDS.split(phrase, maxsplit=1)[0]


def _measured(phrase: str) -> set[str]:
    """Stems of the head noun and what stands before it; of "the number of villages", of villages too."""
    opening = head(phrase)
    if opening.endswith(("number", "amount", "percentage", "proportion", "share", "range")):
        opening = " ".join(phrase.split()[: len(opening.split()) + 3])
    return set(content(opening)) - _MEASURES


def _weight(name: list[str], common: Collection[str]) -> float:
    """A name of several words counts half a word more where all are specific, less where one is common."""
    weights = [0.75 if stem(word) in common else 1.0 for word in name]
    return sum(weights) + (0.5 if min(weights) == 1 else -0.4) * (len(name) - 1)


def _is_verb(word: str) -> bool:
    folded = word.lower()
    return is_participle(folded) or (is_verb(folded) and not is_rather_noun(folded))


def _asked(question: Question, names: Collection[str] = ()) -> set[str]:
    """What is asked of the things that the questions name: their `names` do not count."""
    folded = content(question.direct).keys() - set(names)
    return {asked for asked, begins in _ASKED.items() if any(word.startswith(begins) for word in folded)}


def _share_verb(one: Question, other: Question) -> bool:
    return bool(_verbs(one) & _verbs(other))


def _verbs(question: Question) -> set[str]:
    """Stems of the verbs; what is as often a noun is none behind an article, or where nothing asks for it."""
    tokens = question.direct.lower().split()
    bears_verb = not (lex.DO | lex.MODALS).isdisjoint(tokens)
    verbs = {
        stem(word)
        for before, word in pairwise(tokens)
        if _is_verb(word) or (is_verb(word) and bears_verb and before not in DETERMINERS)
    }
    return verbs - _EMPTY_VERBS


def _respect(question: Question) -> Respect:
    """What holds in general is asked in the present tense; "has been measured" is the study's own doing."""
    tokens = [bare(token) for token in question.direct.split()]
    auxiliary = next((token for token in tokens[1:] if token in lex.AUXILIARIES), "")
    if auxiliary not in {"was", "were", "did", "had", "has", "have"}:
        return "nature"
    if not _PROCEDURES.isdisjoint(map(stem, tokens)):
        return "procedure"
    return "nature" if auxiliary in {"has", "have"} else "outcome"
