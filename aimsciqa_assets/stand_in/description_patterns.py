"""Questions about what something is: definitions, what it is a source or cause of, superlatives, roles."""

from collections.abc import Iterator
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.asking import (
    Draft,
    Words,
    inverted,
    plain,
)
from aimsciqa_assets.stand_in.clauses import Clause
from aimsciqa_assets.stand_in.context import Names
from aimsciqa_assets.stand_in.noun_phrases import (
    is_adverb,
    is_coordinated,
    is_plural,
)
from aimsciqa_assets.stand_in.quantities import quantity_end

_RELATIONAL_NOUNS: Final = frozenset(
    """
    source sources component components precursor precursors marker markers indicator indicators cause
    causes inhibitor inhibitors regulator regulators predictor predictors host hosts vector vectors
    determinant determinants constituent constituents substrate substrates hallmark carrier reservoir
    model prerequisite target targets measure form alternative symptom
    """.split()
)
_VALUED: Final = frozenset(
    "achievements challenges problems limitations barriers reasons concerns issues obstacles goals".split()
)
_EVALUATIVE: Final = frozenset(
    """
    effective exception important good great useful promising significant serious critical crucial valuable
    powerful essential vital potential suitable better popular excellent ideal strong simple complex key
    major new challenging viable big huge necessary real feasible interesting precondition prerequisite
    challenge problem concern issue limitation good difficult long easy cost-effective
    """.split()
)


def description_drafts(clause: Clause, names: Names) -> Iterator[Draft]:
    """All questions about what something is that the clause allows."""
    if clause.names_its_subject:
        yield from _definition(clause, names)
        yield from _superlative(clause, names)
        yield from _role(clause, names)


def _definition(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Zika virus is a flavivirus that ...": what is Zika virus?"""
    if clause.auxiliary not in {"is", "are"} or clause.verb or clause.middle:
        return
    if len(clause.rest) < (2 if clause.after[:1] in {("that",), ("which",)} else 3):
        return
    if clause.rest[0] not in {"a", "an", "one", "the"} or (
        _is_superlative(clause.rest) and clause.rest[0] == "the"
    ):
        return
    if clause.rest[0] == "one" and _VALUED & set(clause.rest[1:7]):
        return
    if (clause.rest[0] == "one" and clause.rest[1] != "of") or quantity_end(clause.subject):
        return
    article = clause.rest[0] in {"a", "an"}
    if article and clause.rest[1] in {"result", "consequence", "need", "matter", "lack", "few"}:
        return
    for i, word in enumerate(clause.rest[1:6], start=1):
        if (
            clause.rest[0] != "one"
            and word in _RELATIONAL_NOUNS
            and clause.rest[i + 1 : i + 2] in {("of",), ("for",)}
            and len(clause.rest) > i + 2
        ):
            body = inverted(clause, names, "what", clause.rest[: i + 2], adverbs=False)
            yield Draft("nature", body, clause.fronted, clause.rest[i + 2 :], 7)
            return
    # "a serious concern" values its subject, it does not say what it is; "one of the ..." does.
    evaluated = clause.rest[0] != "one" and bool(_EVALUATIVE & set(clause.rest[1:6]))
    indefinite = clause.subject[0].lower() in {"a", "an"} and len(clause.subject) > 2
    the_one = clause.subject[0].lower() == "the" and not article and _is_superlative(clause.subject)
    if (
        clause.fronted
        or indefinite
        or (evaluated and not the_one)
        or ("of" in clause.subject and not the_one)
    ):
        return
    yield Draft("definition", inverted(clause, names, "what", adverbs=False), clause.fronted, clause.rest, 8)


def _is_superlative(rest: Words) -> bool:
    return any(
        word in {"most", "least", "only", "main", "major", "primary", "first", "best", "predominant"}
        or (
            word.endswith("est")
            and len(word) > 5
            and word not in {"interest", "harvest", "forest", "request"}
        )
        for word in rest[1:3]
    )


def _superlative(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Iron was the most abundant mineral in grain": what was it?"""
    if clause.auxiliary not in lex.BE or clause.verb or clause.middle or len(clause.rest) < 5:
        return
    if clause.rest[0] != "the" or not _is_superlative(clause.rest) or quantity_end(clause.subject):
        return
    if (
        (set(clause.rest[2:4]) & lex.PREPOSITIONS and clause.rest[1] in {"most", "least"})
        or "and" in clause.rest
        or clause.rest[-1] in lex.PREPOSITIONS
    ):
        return
    if clause.auxiliary in {"are", "were"} and is_plural(clause.rest[1:]) is not True:
        return
    if (
        clause.rest[2] in lex.PREPOSITIONS
        or is_adverb(clause.rest[2])
        or not clause.complete
        or quantity_end(clause.rest, 1) > 1
    ):
        return
    if is_coordinated(clause.subject) or (
        clause.auxiliary in {"are", "were"} and is_plural(clause.subject) is not True
    ):
        return
    body = ("what", clause.auxiliary, *clause.adverbs, *plain(clause.rest))
    yield Draft("superlative", body, clause.fronted, clause.subject, 8)


def _role(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "WRKY proteins play a key role in defence": what do they play a role in?"""
    if clause.verb != "play" or not (clause.tense or clause.auxiliary in lex.MODALS):
        return
    for noun in ("role", "roles", "part"):
        if noun in clause.rest[:6]:
            i = clause.rest.index(noun)
            if clause.rest[i + 1 : i + 2] == ("in",) and len(clause.rest) > i + 2:
                body = (*inverted(clause, names, "what", clause.rest[: i + 1]), "in")
                yield Draft("role", body, clause.fronted, clause.rest[i + 2 :], 7)
            return
