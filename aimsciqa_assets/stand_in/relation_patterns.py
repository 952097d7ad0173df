"""Questions about relations between entities: associations, contents, origins, places, agents."""

from collections.abc import Iterator
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.asking import (
    Draft,
    Words,
    inverted,
    subject_question,
)
from aimsciqa_assets.stand_in.clauses import Clause
from aimsciqa_assets.stand_in.context import Names
from aimsciqa_assets.stand_in.noun_phrases import (
    head,
    is_coordinated,
    is_plural,
)
from aimsciqa_assets.stand_in.quantities import has_number, is_month, quantity_end

_PARTICIPLE_PREPOSITIONS: Final[dict[str, frozenset[str]]] = {
    word: frozenset(prepositions.split())
    for word, prepositions in {
        "associated": "with",
        "correlated": "with",
        "linked": "to with",
        "related": "to",
        "attributed": "to",
        "ascribed": "to",
        "composed": "of",
        "comprised": "of",
        "derived": "from",
        "involved": "in",
        "located": "in on at within between near",
        "localized": "in to on",
        "situated": "in on at",
        "expressed": "in",
        "found": "in on",
        "detected": "in",
        "distributed": "in across",
        "divided": "into",
        "classified": "into as",
        "grouped": "into",
        "clustered": "into with",
        "categorized": "into as",
        "characterized": "by",
        "characterised": "by",
        "caused": "by",
        "encoded": "by",
        "regulated": "by",
        "controlled": "by",
        "mediated": "by",
        "transmitted": "by through",
        "induced": "by",
        "influenced": "by",
        "affected": "by",
        "activated": "by",
        "inhibited": "by",
        "produced": "by in",
        "synthesized": "from in by",
        "defined": "as",
        "based": "on",
        "required": "for",
        "needed": "for",
        "used": "for as in",
        "exposed": "to",
        "converted": "into to",
        "enriched": "in with for",
        "treated": "with",
        "stained": "with",
        "infected": "with",
        "inoculated": "with",
        "supplemented": "with",
        "fortified": "with",
        "digested": "with",
        "coated": "with",
        "known": "as for",
        "grown": "in on under",
        "stored": "in",
        "dissolved": "in",
        "suspended": "in",
        "resuspended": "in",
        "isolated": "from",
        "extracted": "from",
        "collected": "from",
        "obtained": "from",
        "purchased": "from",
        "cloned": "into",
        "inserted": "into",
        "limited": "by to",
        "determined": "by",
        "targeted": "by",
        "replaced": "by with",
        "supported": "by",
        "deposited": "in",
        "recruited": "from",
        "randomized": "to into",
        "assigned": "to",
        "restricted": "to",
        "confined": "to",
        "homologous": "to",
        "crossed": "with",
        "performed": "in",
        "conducted": "in at",
        "planted": "in",
        "sown": "in",
    }.items()
}
_PLACES: Final = frozenset("in on at within between near".split())
_WHERE_PARTICIPLES: Final = frozenset(
    """
    located situated found detected expressed localized distributed grown stored deposited planted sown
    conducted performed
    """.split()
)
_ADJECTIVE_PREPOSITIONS: Final[dict[str, frozenset[str]]] = {
    word: frozenset(prepositions.split())
    for word, prepositions in {
        "responsible": "for",
        "essential": "for",
        "important": "for in",
        "crucial": "for in",
        "critical": "for",
        "necessary": "for",
        "useful": "for in",
        "suitable": "for",
        "rich": "in",
        "resistant": "to",
        "susceptible": "to",
        "sensitive": "to",
        "tolerant": "to",
        "similar": "to",
        "identical": "to",
        "homologous": "to",
        "equivalent": "to",
        "due": "to",
        "dependent": "on upon",
        "capable": "of",
        "consistent": "with",
        "native": "to",
        "endemic": "to in",
        "prevalent": "in",
        "abundant": "in",
        "effective": "against in for",
        "active": "against",
        "vulnerable": "to",
        "specific": "to for",
        "proportional": "to",
        "present": "in",
        "available": "in for",
        "common": "in",
        "comparable": "to",
        "adjacent": "to",
        "orthologous": "to",
    }.items()
}
_VAGUE_PLACES: Final = frozenset(
    """
    in one each both minor large high low small significant all any most some several many various
    different addition order
    which response contrast accordance agreement line terms part general particular total parallel
    triplicate duplicate combination comparison conjunction order detail lower higher
    """.split()
)
_TYPES: Final = frozenset(
    """
    gene protein virus enzyme species method factor treatment strain region country mineral vitamin
    technique assay model hormone compound pathway allele mutation disease mechanism vector mosquito
    cereal crop grain genotype cultivar variety extract process approach
    """.split()
)
_EMPTY_OBJECTS: Final = frozenset(
    """
    attention evidence place part improvement access depending many those both some how whether why what
    further little
    """.split()
)
_OBJECT_PARTICIPLES: Final = frozenset(
    lex.IRREGULAR_PAST[verb][1] if verb in lex.IRREGULAR_PAST else lex.past(verb) for verb in lex.OBJECT_VERBS
)
_SETTING_STARTS: Final = frozenset("in during under after at among within throughout across".split())
_COMPARED: Final = (("compared", "to"), ("compared", "with"), ("relative", "to"))
_NOUNS_WITH_IN: Final = frozenset(
    """
    role roles part change changes variation variations difference differences interest involvement
    diversity variability growth insight insights involved participation presence trends trend step
    steps delay loss gap gaps gain gains shift shifts progress value advances advance position
    """.split()
)


def relation_drafts(clause: Clause, names: Names) -> Iterator[Draft]:
    """All questions about relations that the clause allows."""
    if clause.names_its_subject:
        yield from _participle_preposition(clause, names)
        yield from _adjective_preposition(clause, names)
        yield from _object(clause, names)
        yield from _preposition_verb(clause, names)
        yield from _by_whom(clause, names)


def _participle_preposition(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Age was associated with iron status": what was it associated with?"""
    if not clause.passive or not clause.rest:
        return
    preposition = clause.rest[0]
    superlative = any(word.lower().endswith("est") and len(word) > 5 for word in clause.subject[:3])
    if (
        superlative
        and clause.verb in {"observed", "recorded", "seen", "found", "detected"}
        and preposition == "in"
    ):
        if (
            len(clause.rest) > 1
            and not {clause.rest[1]} & _VAGUE_PLACES
            and not quantity_end(clause.rest, 1) > 1
        ):
            wh = "when" if any(map(is_month, clause.rest)) else "where"
            yield Draft("highest", inverted(clause, names, wh), clause.fronted, clause.rest, 7)
        return
    if preposition not in _PARTICIPLE_PREPOSITIONS.get(clause.verb, ()) or len(clause.rest) < 2:
        return
    following = clause.rest[1]
    if (clause.verb == "used" and preposition == "in") or following in {
        "which",
        "order",
        "addition",
        "part",
        "accordance",
    }:
        return
    if preposition == "by" and following.endswith("ing"):
        return
    strand: Words = ()
    if clause.verb in _WHERE_PARTICIPLES and preposition in _PLACES:
        wh = "where"
    elif clause.verb == "known" and preposition == "for":
        wh, strand = "what", ("for",)
    else:
        wh, strand = "what", (preposition,)
    if quantity_end(clause.rest, 1) > 1 or (not strand and following in _VAGUE_PLACES):
        return
    yield Draft(
        "passive_" + clause.verb, (*inverted(clause, names, wh), *strand), clause.fronted, clause.rest[1:], 6
    )


def _adjective_preposition(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Allele A is responsible for dwarfing": what is it responsible for?"""
    if (
        clause.verb
        or (clause.auxiliary not in lex.BE and clause.middle not in {("be",), ("been",)})
        or len(clause.rest) < 3
    ):
        return
    adjective, preposition = clause.rest[:2]
    if preposition not in _ADJECTIVE_PREPOSITIONS.get(adjective, ()):
        return
    body = (*inverted(clause, names, "what", (adjective,)), preposition)
    yield Draft("adjective", body, clause.fronted, clause.rest[2:], 6)


def _object(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "LP1 encodes a transcription factor": what does it encode?"""
    perfect = clause.auxiliary in lex.HAVE and not clause.middle and clause.verb in _OBJECT_PARTICIPLES
    present = clause.verb in lex.OBJECT_VERBS and (clause.tense or clause.auxiliary in lex.MODALS)
    if not (perfect or present) or not clause.rest:
        return
    first = clause.rest[0]
    if (
        first in lex.PREPOSITIONS | {"to", "that", "not", "out", "place"}
        or first.endswith("ly")
        or quantity_end(clause.rest)
    ):
        return
    if {"same", "similar", "following", "different", "variable", "various", "several"} & set(
        clause.rest[:2]
    ) or first in _EMPTY_OBJECTS | lex.PRONOUNS:
        return
    if lex.CHANGE_NOUNS & set(clause.rest[:5]):
        return
    if (
        "and" in clause.subject
        and clause.subject[0].istitle()
        and clause.subject[-1][:1].isupper()
        and clause.tense == "did"
    ):
        return  # "Stevens and Nelson assessed ...": authors.
    yield Draft("object", inverted(clause, names, "what", _setting(clause)), clause.fronted, clause.rest, 5)
    subject = clause.subject
    if clause.verb not in lex.SUBJECT_ASKING or len(subject) > 6 or not clause.tense or len(clause.rest) < 3:
        return
    if not clause.complete or is_coordinated(subject) or clause.rest[-1] in lex.PREPOSITIONS:
        return
    if subject[0] == "The" and len(subject) == 2 and subject[1].islower():
        return
    noun = head(subject).lower()
    if noun in _TYPES:
        yield Draft("agent", subject_question(clause, f"which {noun}"), clause.fronted, subject, 6)
    elif clause.finite in lex.PAST_FORMS or is_plural(subject) is False:
        yield Draft("agent", subject_question(clause, "what"), clause.fronted, subject, 4)


def _setting(clause: Clause) -> Words:
    """The setting behind an object that certainly does not belong to it: "... in semi-arid regions"."""
    rest = clause.rest
    start = next(
        (i for i, word in enumerate(rest) if word in _SETTING_STARTS or rest[i : i + 2] in _COMPARED), None
    )
    if not start or not clause.ends_here or rest[start - 1] in _NOUNS_WITH_IN or has_number(rest[start:]):
        return ()
    setting = rest[start:]
    before = {"and", "or", "by", "for", "to", "from", "with"} & set(rest[:start])
    if before or {"and", "or", "to", "by"} & set(setting[2:]) or len(setting) < 2 or len(setting) > 9:
        return ()
    return setting


def _preposition_verb(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Deficiency results in anaemia": what does it result in?"""
    prepositions = lex.PREPOSITION_VERBS.get(clause.verb, frozenset())
    if (
        not (clause.tense or clause.auxiliary in lex.MODALS)
        or len(clause.rest) < 2
        or clause.rest[0] not in prepositions
    ):
        return
    if quantity_end(clause.rest, 1) > 1:
        return
    if lex.CHANGE_NOUNS & set(clause.rest[:5]) and clause.verb in lex.CAUSING_VERBS:
        return
    if clause.rest[1] in lex.PRONOUNS | _VAGUE_PLACES | {"greater"} or {"same", "similar"} & set(
        clause.rest[:4]
    ):
        return
    body = (*inverted(clause, names, "what"), clause.rest[0])
    yield Draft("preposition_verb", body, clause.fronted, clause.rest[1:], 6)


_GIVING: Final = frozenset(
    """
    provided supplied developed described proposed introduced published established discovered funded
    approved released initiated recommended adopted donated designed manufactured
    """.split()
)


def _by_whom(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "The strains were provided by the WHO": by whom were they?"""
    rest = clause.rest
    if not clause.passive or clause.verb not in _GIVING or rest[:1] != ("by",) or len(rest) < 2:
        return
    named = rest[2:3] if rest[1] == "the" else rest[1:2]
    if not named or not named[0][:1].isupper() or quantity_end(rest, 1) > 1:
        return
    yield Draft("by_whom", inverted(clause, names, "by whom"), clause.fronted, rest[1:], 7)
