"""Questions about relations: methods, purposes, associations, comparisons, effects, definitions, reasons."""

from collections.abc import Iterator
from typing import Final

from aimsciqa_resources.language_model.extractive import lexicon as lex
from aimsciqa_resources.language_model.extractive.asking import Draft, Words, inverted, plain, subject_question
from aimsciqa_resources.language_model.extractive.clauses import Clause
from aimsciqa_resources.language_model.extractive.context import Names
from aimsciqa_resources.language_model.extractive.noun_phrases import (
    head,
    is_adverb,
    is_coordinated,
    is_participle,
    is_plural,
    is_vague,
)
from aimsciqa_resources.language_model.extractive.quantities import has_number, quantity_end

# "was measured by HPLC": the phrase after "by" is a way of doing it.
_METHOD_PARTICIPLES: Final = frozenset(
    """measured determined extracted assessed calculated quantified estimated evaluated analyzed analysed
    isolated performed conducted constructed generated detected amplified prepared purified confirmed
    visualized visualised separated computed obtained recorded monitored validated verified tested examined
    investigated carried synthesized synthesised developed produced sequenced genotyped screened
    characterized characterised assembled aligned predicted inferred identified selected collected removed
    established sterilized sterilised inactivated diagnosed defined""".split()
)
# "was associated with": the question asks for what follows the preposition.
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
        "followed": "by",
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
    """located situated found detected expressed localized distributed grown stored deposited planted sown
    conducted performed""".split()
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
_TREATING: Final = frozenset("treated stained infected inoculated supplemented fortified digested coated crossed".split())
_RAISING: Final = frozenset(
    """found shown observed reported known considered expected predicted thought allowed believed assumed
    estimated likely seen demonstrated noted proven suggested said used required needed able made able set
    hypothesized hypothesised deemed supposed intended""".split()
)
_COMPARATIVES: Final[dict[str, str]] = {
    "higher": "", "lower": "", "greater": "", "better": "", "worse": "", "faster": "", "slower": "",
    "stronger": "", "weaker": "", "larger": "in size", "smaller": "in size", "longer": "in length",
    "shorter": "in length", "taller": "in height", "older": "in age", "younger": "in age",
    "heavier": "in weight", "thicker": "in thickness", "thinner": "in thickness", "earlier": "in timing",
    "later": "in timing",
}  # fmt: skip
_DEGREE_NOUNS: Final[dict[str, str]] = {
    "abundant": "abundance", "common": "frequency", "frequent": "frequency", "effective": "effectiveness",
    "sensitive": "sensitivity", "susceptible": "susceptibility", "tolerant": "tolerance",
    "resistant": "resistance", "efficient": "efficiency", "diverse": "diversity", "stable": "stability",
    "expensive": "cost", "costly": "cost", "prevalent": "prevalence", "accurate": "accuracy",
    "variable": "variability", "severe": "severity", "specific": "specificity", "active": "activity",
}  # fmt: skip
_NOUNS_WITH_TO: Final = frozenset("ability attempt need capacity potential right opportunity way effort order".split())
_VAGUE_PLACES: Final = frozenset(
    """large high low small significant all any most some several many various different addition order which
    response contrast accordance agreement line terms part general particular total parallel triplicate
    duplicate combination comparison conjunction order detail lower higher""".split()
)
_QUANTIFIERS: Final = frozenset("more less higher lower additional significant greater no only some".split())
_TYPES: Final = frozenset(
    """gene protein virus enzyme species method factor treatment strain region country mineral vitamin technique
    assay model hormone compound pathway allele mutation disease mechanism vector mosquito cereal crop grain
    genotype cultivar variety extract process approach""".split()
)


def relation_drafts(clause: Clause, names: Names) -> Iterator[Draft]:
    """All questions about relations that the clause allows."""
    if is_vague(clause.subject) or _is_quantified(clause.subject):
        return
    yield from _method(clause, names)
    yield from _purpose(clause, names)
    yield from _participle_preposition(clause, names)
    yield from _adjective_preposition(clause, names)
    yield from _comparison(clause, names)
    yield from _effect(clause, names)
    yield from _change(clause, names)
    yield from _definition(clause, names)
    yield from _superlative(clause, names)
    yield from _object(clause, names)
    yield from _preposition_verb(clause, names)
    yield from _agent(clause, names)
    yield from _raising(clause, names)
    yield from _reason(clause, names)
    yield from _role(clause, names)


def _is_quantified(subject: Words) -> bool:
    """ "several genes", "a large number of lines": which ones they are, only the paper says."""
    first = subject[0].lower()
    if first in {"several", "many", "few", "some", "certain", "various", "different", "most", "additional", "further", "more", "two", "each"}:
        return True
    return quantity_end(subject) > 0 or bool({"number", "total", "few", "majority", "variety", "series", "minimum"} & set(subject[:5]) and "of" in subject[:6])


def _short(words: Words) -> bool:
    return len(words) <= 8 and "and" not in words and "or" not in words


def _method(clause: Clause, names: Names) -> Iterator[Draft]:
    """ "Iron was measured in grain using ICP-MS": how was it measured?"""
    if not clause.passive or clause.verb in _RAISING | {"followed", "affected", "caused", "accompanied", "improved", "enhanced"} or "using" in clause.subject:
        return
    for i, word in enumerate(clause.rest):
        following = clause.rest[i + 1] if i + 1 < len(clause.rest) else ""
        means = word in {"using", "via"} or (word == "by" and (following.endswith("ing") or clause.verb in _METHOD_PARTICIPLES))
        means = means or (word == "with" and i + 2 < len(clause.rest) and clause.rest[i + 1 : i + 4] == ("the", "use", "of"))
        means = means or (word == "according" and following == "to") or (word == "through" and following.endswith("ing"))
        if not means:
            continue
        before = clause.rest[:i]
        if not _short(before) or (before and (before[0] not in lex.PREPOSITIONS | {"out"} or any(map(is_participle, before)))):
            return
        if word == "by" and (following[:1].isupper() and clause.verb in {"developed", "established", "performed", "conducted", "produced"}):
            return
        yield Draft("method", inverted(clause, names, "how", before), clause.fronted, clause.rest[i:], 7)
        return


def _purpose(clause: Clause, names: Names) -> Iterator[Draft]:
    """ "A t test was used to compare means": what was used, and for what?"""
    if not clause.passive or "to" not in clause.rest:
        return
    i = clause.rest.index("to")
    if i + 2 >= len(clause.rest) or not _is_base_verb(clause.rest[i + 1]):
        return
    before = clause.rest[:i]
    if clause.verb == "used" and not before:
        yield Draft("used_to", subject_question(clause, "what"), clause.fronted, clause.subject, 7)
        return
    if set(before) & _NOUNS_WITH_TO:
        return
    if clause.verb in _RAISING or not _short(before) or (before and before[0] not in lex.PREPOSITIONS | {"out"}):
        return
    yield Draft("purpose", inverted(clause, names, "why", before), clause.fronted, clause.rest[i:], 6)


def _is_base_verb(word: str) -> bool:
    return word in lex.BASE_FORMS or (
        word.islower() and not word.endswith(("s", "ing", "ed", "tion")) and word not in lex.DETERMINERS and word.endswith(("ate", "ize", "ise", "ify", "ve", "ct", "ure", "ide", "ain"))
    )


def _participle_preposition(clause: Clause, names: Names) -> Iterator[Draft]:
    """ "Age was associated with iron status": what was it associated with?"""
    if not clause.passive or not clause.rest:
        return
    preposition = clause.rest[0]
    if preposition not in _PARTICIPLE_PREPOSITIONS.get(clause.verb, ()) or len(clause.rest) < 2:
        return
    following = clause.rest[1]
    if clause.verb == "used" and preposition == "in" or following in {"which", "order", "addition", "part", "accordance"}:
        return
    if preposition == "by" and following.endswith("ing"):
        return
    if clause.verb in _WHERE_PARTICIPLES and preposition in _PLACES:
        wh, strand = "where", ()
    elif clause.verb == "known" and preposition == "for":
        wh, strand = "what", ("for",)
    else:
        wh, strand = "what", (preposition,)
    if quantity_end(clause.rest, 1) > 1 or following in _VAGUE_PLACES:
        return
    yield Draft("passive_" + clause.verb, (*inverted(clause, names, wh), *strand), clause.fronted, clause.rest[1:], 6)


def _adjective_preposition(clause: Clause, names: Names) -> Iterator[Draft]:
    """ "Allele A is responsible for dwarfing": what is it responsible for?"""
    if clause.verb or clause.auxiliary not in lex.BE and clause.middle not in {("be",), ("been",)} or len(clause.rest) < 3:
        return
    adjective, preposition = clause.rest[:2]
    if preposition not in _ADJECTIVE_PREPOSITIONS.get(adjective, ()):
        return
    body = (*inverted(clause, names, "what", (adjective,)), preposition)
    yield Draft("adjective", body, clause.fronted, clause.rest[2:], 6)


def _comparison(clause: Clause, names: Names) -> Iterator[Draft]:
    """ "Zinc was higher in A than in B": how did it compare?"""
    rest = clause.rest
    do = {"is": "does", "are": "do", "was": "did", "were": "did"}.get(clause.auxiliary, clause.tense)
    marker = next((i for i, word in enumerate(rest) if word == "than" or (word == "compared" and rest[i + 1 : i + 2] in {("to",), ("with",)})), None)
    if marker is None or not do:
        return
    skip = 1 if rest[marker] == "than" else 2
    other = rest[marker + skip :]
    if not other or (clause.verb and other[0] in lex.PREPOSITIONS) or len(other) > 14 or has_number(other[:1]) or set(word.lower() for word in other) & (lex.POINTERS - {"those", "that"}):
        return
    if other[0] in {"expected", "previously", "usual", "average", "the"} and len(other) < 2:
        return
    subject = plain(names.lower_first(clause.subject))
    start = 0
    while start < len(rest) and (is_adverb(rest[start]) or rest[start] in {"much", "far", "even", "slightly", "a"}):
        start += 1
    if start >= marker:
        return
    if not clause.verb and clause.auxiliary in lex.BE and not clause.middle:
        yield from _adjectival(clause, rest[start:marker], other, (do, *subject))
    elif clause.verb in lex.SHOW_VERBS and clause.tense:
        compared = rest[start:marker]
        if len(compared) > 1 and compared[0] in _COMPARATIVES and not has_number(compared) and len(compared) < 12 and not ({"and", "with"} & set(compared) or has_number(other)):
            body = ("how", do, *subject, "compare", "with", *plain(other), "in", "terms", "of", *plain(compared[1:]))
            yield Draft("comparison_have", body, clause.fronted, compared[:1], 9)


def _adjectival(clause: Clause, compared: Words, other: Words, opening: Words) -> Iterator[Draft]:
    adjective = compared[0]
    rest = compared[1:]
    if adjective in _COMPARATIVES:
        terms: Words = tuple(_COMPARATIVES[adjective].split())
    elif adjective in {"more", "less"} and rest and rest[0] in _DEGREE_NOUNS:
        terms, rest = ("in", _DEGREE_NOUNS[rest[0]]), rest[1:]
        if rest and rest[0] in {"to"}:
            terms, rest = (*terms, *rest), ()
    else:
        return
    if has_number(rest) or "and" in rest:
        return
    if rest and rest[0] in {"in", "for", "among", "at", "on", "under", "with"} and other[0] == rest[0] and "and" not in other:
        body = ("how", *opening, "compare", *terms, *plain(rest), "with", "that" if is_plural(clause.subject) is False else "those", *plain(other))
        if is_plural(clause.subject) is None:
            return
    elif not rest or rest[0] in {"in", "for", "among", "at", "on", "under", "during"}:
        if other[0] in lex.PREPOSITIONS:
            if rest or is_plural(clause.subject) is None:
                return
            other = ("that" if is_plural(clause.subject) is False else "those", *other)
        body = ("how", *opening, *plain(rest), "compare", "with", *plain(other), *terms)
    else:
        return
    yield Draft("comparison", body, clause.fronted, (adjective,), 9)


def _effect(clause: Clause, names: Names) -> Iterator[Draft]:
    """ "Malting increased iron in flour": how did it affect iron in flour?"""
    if clause.verb in lex.EFFECT_VERBS and (clause.tense or clause.auxiliary in lex.MODALS):
        target = clause.rest
        auxiliary = clause.auxiliary or clause.tense
        verb: Words = ("affect",)
    elif clause.auxiliary in lex.HAVE and not clause.middle and clause.verb in {lex.past(v) for v in lex.EFFECT_VERBS}:
        target, auxiliary, verb = clause.rest, clause.auxiliary, ("affected",)
    else:
        return
    target = _up_to(target, {"by", "from", "to", "compared", "through", "via", "due", "and", "or", "leading", "thereby"})
    if len(target) == len(clause.rest) and not clause.ends_here:
        return
    if target and target[-1] in lex.PREPOSITIONS:
        return
    if not target or target[0] in lex.PREPOSITIONS | _QUANTIFIERS or target[0].endswith("ly") or has_number(target) or len(target) > 14 or {"effect", "effects", "impact"} & set(target[:3]):
        return
    body = ("how", auxiliary, *plain(names.lower_first(clause.subject)), *verb, *plain(target))
    yield Draft("effect", body, clause.fronted, (clause.finite, clause.verb), 9)


def _up_to(words: Words, stops: set[str]) -> Words:
    end = next((i for i, word in enumerate(words) if word in stops), len(words))
    return words[:end]


def _change(clause: Clause, names: Names) -> Iterator[Draft]:
    """ "Iron decreased after malting in both": how did it change?"""
    if clause.verb not in lex.CHANGE_VERBS or not clause.tense:
        return
    rest = clause.rest
    while rest and is_adverb(rest[0]):
        rest = rest[1:]
    if rest and rest[0] not in {"in", "during", "after", "with", "at", "under", "from", "by", "to", "over", "between", "among", "throughout", "following"}:
        return
    kept: list[str] = []
    i = 0
    while i < len(rest):
        if rest[i] in {"from", "by", "to"}:
            end = quantity_end(rest, i + 1)
            if end == i + 1:
                return
            i = end
            continue
        kept.append(rest[i])
        i += 1
    if "and" in kept or has_number(kept) or (kept and kept[0] not in lex.PREPOSITIONS):
        return
    body = ("how", clause.tense, *plain(names.lower_first(clause.subject)), "change", *plain(tuple(kept)))
    yield Draft("change", body, clause.fronted, (clause.finite, clause.verb), 8)


def _definition(clause: Clause, names: Names) -> Iterator[Draft]:
    """ "Zika virus is a flavivirus that ...": what is Zika virus?"""
    if clause.auxiliary not in {"is", "are"} or clause.verb or clause.middle or len(clause.rest) < 3:
        return
    if clause.rest[0] not in {"a", "an", "one", "the"} or _is_superlative(clause.rest) and clause.rest[0] == "the":
        return
    if clause.rest[0] == "one" and clause.rest[1] != "of" or quantity_end(clause.subject):
        return
    article = clause.rest[0] in {"a", "an"}
    if article and clause.rest[1] in {"result", "consequence", "need", "matter", "lack", "few"}:
        return
    for i, word in enumerate(clause.rest[1:6], start=1):
        if word in _RELATIONAL_NOUNS and clause.rest[i + 1 : i + 2] in {("of",), ("for",)} and len(clause.rest) > i + 2:
            body = inverted(clause, names, "what", clause.rest[: i + 2], adverbs=False)
            yield Draft("nature", body, clause.fronted, clause.rest[i + 2 :], 7)
            return
    if article and ("of" in clause.subject or _EVALUATIVE & set(clause.rest[1:6])):
        return
    yield Draft("definition", inverted(clause, names, "what", adverbs=False), clause.fronted, clause.rest, 8)


_RELATIONAL_NOUNS: Final = frozenset(
    """source sources component components precursor precursors marker markers indicator indicators cause causes
    inhibitor inhibitors regulator regulators predictor predictors host hosts vector vectors determinant
    determinants constituent constituents substrate substrates hallmark carrier reservoir model prerequisite
    target targets measure form alternative symptom""".split()
)
_EVALUATIVE: Final = frozenset(
    """effective important good great useful promising significant serious critical crucial valuable powerful
    essential vital potential suitable better popular excellent ideal strong simple complex key major new
    challenging viable big huge necessary real feasible interesting precondition prerequisite challenge problem
    concern issue limitation good difficult long easy cost-effective""".split()
)


def _is_superlative(rest: Words) -> bool:
    return any(word in {"most", "least", "only", "main", "major", "primary", "first", "best", "predominant"} or (word.endswith("est") and len(word) > 5 and word not in {"interest", "harvest", "forest", "request"}) for word in rest[1:3])


def _superlative(clause: Clause, names: Names) -> Iterator[Draft]:
    """ "Iron was the most abundant mineral in grain": what was it?"""
    if clause.auxiliary not in lex.BE or clause.verb or clause.middle or len(clause.rest) < 5:
        return
    if clause.rest[0] != "the" or not _is_superlative(clause.rest) or quantity_end(clause.subject):
        return
    if clause.rest[2] in lex.PREPOSITIONS or is_adverb(clause.rest[2]) or not clause.complete or quantity_end(clause.rest, 1) > 1:
        return
    if is_coordinated(clause.subject) or clause.auxiliary in {"are", "were"} and is_plural(clause.subject) is not True:
        return
    body = ("what", clause.auxiliary, *clause.adverbs, *plain(clause.rest))
    yield Draft("superlative", body, clause.fronted, clause.subject, 8)


def _object(clause: Clause, names: Names) -> Iterator[Draft]:
    """ "LP1 encodes a transcription factor": what does it encode?"""
    if clause.verb not in lex.OBJECT_VERBS or not (clause.tense or clause.auxiliary in lex.MODALS) or not clause.rest:
        return
    first = clause.rest[0]
    if first in lex.PREPOSITIONS | {"to", "that", "not", "out", "place"} or first.endswith("ly") or quantity_end(clause.rest):
        return
    if {"same", "similar", "following"} & set(clause.rest[:3]) or first in _EMPTY_OBJECTS | lex.PRONOUNS:
        return
    change = next((i for i, word in enumerate(clause.rest[:5]) if word in _CHANGE_NOUNS), None)
    if change is not None:
        yield from _change_noun(clause, names, clause.rest[change + 1 :])
        return
    if "and" in clause.subject and clause.subject[0].istitle() and clause.subject[-1][:1].isupper() and clause.tense == "did":
        return  # "Stevens and Nelson assessed ...": authors.
    yield Draft("object", inverted(clause, names, "what", _setting(clause)), clause.fronted, clause.rest, 5)
    subject = clause.subject
    if clause.verb not in lex.SUBJECT_ASKING or len(subject) > 6 or not clause.tense or len(clause.rest) < 3:
        return
    if not clause.complete or is_coordinated(subject) or clause.rest[-1] in lex.PREPOSITIONS:
        return
    noun = head(subject).lower()
    if noun in _TYPES:
        yield Draft("agent", subject_question(clause, f"which {noun}"), clause.fronted, subject, 6)
    elif clause.finite in lex.PAST_FORMS or is_plural(subject) is False:
        yield Draft("agent", subject_question(clause, "what"), clause.fronted, subject, 4)


_EMPTY_OBJECTS: Final = frozenset("attention evidence place part improvement access".split())
_CHANGE_NOUNS: Final = frozenset(
    "increase increases decrease decreases reduction reductions improvement improvements decline rise drop".split()
)
_SETTING_STARTS: Final = frozenset("in during under after at among within throughout across".split())


def _change_noun(clause: Clause, names: Names, rest: Words) -> Iterator[Draft]:
    """ "Drought caused a reduction in yield": how did drought affect yield?"""
    if rest[:1] not in {("in",), ("of",)} or len(rest) < 2 or not clause.ends_here and "compared" not in rest:
        return
    target = _up_to(rest[1:], {"by", "from", "to", "through", "via", "due", "and", "or", "leading", "with", "than"})
    if not target or has_number(target) or target[0] in _QUANTIFIERS:
        return
    auxiliary = clause.auxiliary or clause.tense
    if clause.verb in {"produce", "cause", "induce", "yield", "result", "lead", "trigger", "mediate"}:
        body = ("how", auxiliary, *plain(names.lower_first(clause.subject)), "affect", *plain(target))
    elif clause.verb in lex.SHOW_VERBS | {"experience", "undergo", "report", "reveal"}:
        body = (*inverted(clause, names, "what change"), "in", *plain(target))
    else:
        return
    yield Draft("change_noun", body, clause.fronted, rest, 8)


def _setting(clause: Clause) -> Words:
    """The setting behind an object that certainly does not belong to it: "... in semi-arid regions"."""
    rest = clause.rest
    start = next((i for i, word in enumerate(rest) if word in _SETTING_STARTS or rest[i : i + 2] in _COMPARED), None)
    if not start or not clause.ends_here or rest[start - 1] in _NOUNS_WITH_IN or has_number(rest[start:]):
        return ()
    setting = rest[start:]
    before = {"and", "or", "by", "for", "to", "from", "with"} & set(rest[:start])
    if before or {"and", "or", "to", "by"} & set(setting[2:]) or len(setting) < 2 or len(setting) > 9:
        return ()
    return setting


_COMPARED: Final = (("compared", "to"), ("compared", "with"), ("relative", "to"))
_NOUNS_WITH_IN: Final = frozenset(
    """role roles part change changes variation variations difference differences interest involvement diversity
    variability growth insight insights involved participation presence trends trend step steps delay loss
    gap gaps gain gains shift shifts progress value advances advance position""".split()
)


def _preposition_verb(clause: Clause, names: Names) -> Iterator[Draft]:
    """ "Deficiency results in anaemia": what does it result in?"""
    prepositions = lex.PREPOSITION_VERBS.get(clause.verb, frozenset())
    if not (clause.tense or clause.auxiliary in lex.MODALS) or len(clause.rest) < 2 or clause.rest[0] not in prepositions:
        return
    if quantity_end(clause.rest, 1) > 1:
        return
    change = next((i for i, word in enumerate(clause.rest[:5]) if word in _CHANGE_NOUNS), None)
    if change is not None and clause.verb in {"result", "lead"} and clause.rest[0] in {"in", "to"}:
        yield from _change_noun(clause, names, clause.rest[change + 1 :])
        return
    if clause.rest[1] in lex.PRONOUNS or {"same", "similar"} & set(clause.rest[:4]):
        return
    body = (*inverted(clause, names, "what"), clause.rest[0])
    yield Draft("preposition_verb", body, clause.fronted, clause.rest[1:], 6)


def _agent(clause: Clause, names: Names) -> Iterator[Draft]:
    """ "Yield was reduced by drought": how was it affected by drought?"""
    if not clause.passive or clause.verb not in {lex.past(verb) for verb in lex.EFFECT_VERBS}:
        return
    if clause.rest[:1] not in {("by",), ("in",), ("after",), ("under",), ("during",)} or quantity_end(clause.rest, 1) > 1:
        return
    if not clause.complete or is_participle(clause.rest[-1]) or has_number(clause.rest) or clause.rest[1].endswith("ing"):
        return
    body = inverted(clause, names, "how", clause.rest, adverbs=False)
    body = tuple("affected" if word == clause.verb else word for word in body)
    yield Draft("affected", body, clause.fronted, (clause.verb,), 8)


def _raising(clause: Clause, names: Names) -> Iterator[Draft]:
    """ "Millet has been reported to contain oxalate": what has it been reported to contain?"""
    if not clause.passive or clause.rest[:1] != ("to",) or len(clause.rest) < 3:
        return
    if clause.verb not in {"found", "shown", "observed", "reported", "known", "considered", "expected", "predicted", "thought", "believed", "demonstrated", "suggested"}:
        return
    verb = clause.rest[1]
    following = clause.rest[2]
    if verb in lex.EFFECT_VERBS:
        target = _up_to(clause.rest[2:], {"by", "from", "to", "compared", "through", "via", "due", "and", "or", "leading", "thereby"})
        if not target or target[0] in lex.PREPOSITIONS | _QUANTIFIERS or has_number(target):
            return
        yield Draft("raising_effect", (*inverted(clause, names, "how"), "to", "affect", *plain(target)), clause.fronted, (verb,), 8)
    elif verb in lex.OBJECT_VERBS and following not in lex.PREPOSITIONS and quantity_end(clause.rest, 2) == 2:
        yield Draft("raising_object", (*inverted(clause, names, "what"), "to", verb), clause.fronted, clause.rest[2:], 6)
    elif clause.rest[1:3] == ("be", "associated") and clause.rest[3:4] == ("with",) and len(clause.rest) > 4:
        yield Draft("raising_object", (*inverted(clause, names, "what"), "to", "be", "associated", "with"), clause.fronted, clause.rest[4:], 7)


def _reason(clause: Clause, names: Names) -> Iterator[Draft]:
    """ "Yields were low because of drought": why were they low?"""
    joined = (*clause.rest, *clause.after)
    if clause.auxiliary not in lex.BE or len(clause.after) > 30:
        return
    for i, word in enumerate(joined):
        if word == "," and joined[i + 1 : i + 2] != ("because",):
            return
        marker = word == "because" or (word in {"due", "owing"} and joined[i + 1 : i + 2] == ("to",))
        if not marker:
            continue
        before = tuple(token for token in joined[:i] if token != ",")
        if not before and not clause.verb or any(token in _REASON_BREAKS for token in before) or len(before) > 14:
            return
        if before and (is_adverb(before[-1]) or before[-1] in {"not", "mainly"}):
            before = before[:-1]
        if set(joined[i:]) & {"it", "this", "these", "they", "their", "its"} and "because" not in joined[i : i + 2]:
            return
        yield Draft("reason", inverted(clause, names, "why", before), clause.fronted, joined[i:], 7)
        return


_REASON_BREAKS: Final = frozenset("which who that and but to or where".split())


def _role(clause: Clause, names: Names) -> Iterator[Draft]:
    """ "WRKY proteins play a key role in defence": what do they play a role in?"""
    if clause.verb != "play" or not (clause.tense or clause.auxiliary in lex.MODALS):
        return
    for noun in ("role", "roles", "part"):
        if noun in clause.rest[:6]:
            i = clause.rest.index(noun)
            if clause.rest[i + 1 : i + 2] == ("in",) and len(clause.rest) > i + 2:
                body = (*inverted(clause, names, "what", clause.rest[: i + 1]), "in")
                yield Draft("role", body, clause.fronted, clause.rest[i + 2 :], 7)
            return
