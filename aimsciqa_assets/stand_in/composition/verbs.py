"""The little English morphology that turning a question into a clause needs."""

import re
from typing import Final

FINITE_BE: Final = frozenset({"was", "were", "is", "are"})
DO: Final = frozenset({"did", "do", "does"})
MODALS: Final = frozenset({"can", "could", "may", "might", "should", "would", "will", "must"})
HAVE: Final = frozenset({"has", "have", "had"})
AUXILIARIES: Final = FINITE_BE | DO | MODALS | HAVE

# Base forms that are hardly ever nouns.
_VERBS: Final = frozenset(
    """
    accelerate accompany account accumulate achieve acquire act adapt add address adjust administer adopt
    advise affect agree aid allow alter analyse analyze appear apply argue arise assess associate assume
    attribute avoid balance be become begin believe belong bind bite breed bring calculate categorize
    cause characterize choose cite cluster co-occur coincide collect combine come compare complement
    comprise concentrate conclude conduct confer confirm conserve consider consist constitute construct
    consume contain continue contribute control convert correlate correspond cover create decide decline
    decrease defend define degrade demonstrate depend derive describe detect determine develop deviate
    diagnose differ differentiate diminish discover discuss display disrupt distinguish distribute disturb
    diverge divide do dominate elevate eliminate emerge emit employ enable encode encounter encourage
    enhance enrich ensure enter establish estimate evaluate evolve examine exceed exclude exert exhibit
    exist expand expect explain explore express extract facilitate fail favor favour feed find fit
    fluctuate fly follow form gain generate germinate get give grow happen hatch have help identify
    illustrate implement imply improve include incorporate increase indicate induce infect infer influence
    inform inhibit initiate integrate interact interfere introduce invade investigate involve keep know
    lack lay lead learn leave live localize lose lower maintain make manage manifest map mate mature mean
    mediate migrate mitigate modify modulate mutate need note observe obtain occur offer omit operate
    originate outperform overcome overexpress participate perceive perform persist pertain play pose
    possess precede predict prefer prepare present prevent produce proliferate prolong promote propose
    protect prove provide publish reach react recognize recommend record recover recruit reduce refer
    reflect regulate reject relate release rely remain remove replace replicate report represent require
    resemble resist resolve respond restore restrict result retain reveal rise score secrete see seek
    select separate serve shift show simulate solve spread stimulate store strengthen suffer suggest
    suppress survive synthesize take target tend test tolerate transfer transform translate transmit
    transport treat trigger undergo understand upregulate use utilize validate vary verify weaken weigh
    yield
    """.split()
)

# Of these the noun is as common as the verb: "the observed change", "the study report".
_NOUNS_TOO: Final = frozenset(
    """
    account act address aid answer approach balance cause change cluster control cover decline decrease
    display drive drop estimate experience extract feed fit focus form function gain guide help impact
    increase influence lack lead map measure model need note plant process range rank rate record release
    report result review rise sample score shift show spread store study target test transfer transport
    trigger use yield
    """.split()
)

_PAST: Final = {
    "arise": "arose", "be": "was", "become": "became", "begin": "began", "bind": "bound", "bite": "bit",
    "breed": "bred", "bring": "brought", "build": "built", "choose": "chose", "come": "came",
    "cut": "cut", "do": "did", "draw": "drew", "fall": "fell", "feed": "fed", "find": "found",
    "fly": "flew", "get": "got", "give": "gave", "go": "went", "grow": "grew", "have": "had",
    "hold": "held", "keep": "kept", "know": "knew", "lay": "laid", "lead": "led", "learn": "learned",
    "leave": "left", "lose": "lost", "make": "made", "mean": "meant", "overcome": "overcame",
    "rise": "rose", "run": "ran", "see": "saw", "seek": "sought", "set": "set", "show": "showed",
    "spread": "spread", "take": "took", "undergo": "underwent", "understand": "understood",
    "withdraw": "withdrew",
}  # fmt: skip
_DOUBLED: Final = frozenset(
    {"control", "drop", "fit", "infer", "map", "occur", "omit", "plan", "prefer", "refer", "stop", "transfer",
     "transmit", "emit", "permit", "commit", "confer", "co-occur"}
)  # fmt: skip

_IRREGULAR_PARTICIPLES: Final = frozenset(
    """
    begun bound bred brought built caught chosen come cut done drawn driven eaten fed felt found frozen
    given grown held kept known led left lost made met put read run said seen set shown sown spent split
    spread taken thought told understood undertaken won worn woven written
    """.split()
)
_NOT_PARTICIPLES: Final = frozenset(
    """
    bed bleed breed embed exceed feed hundred indeed linseed need proceed rapeseed red reed seaweed seed
    shed speed succeed weed
    """.split()
)


_ADVERBS: Final = frozenset(
    "also most more less best first further well often only still then so now already never always".split()
)
_NOUNS_IN_LY: Final = (
    "cephaly",
    "family",
    "supply",
    "anomaly",
    "assembly",
    "dactyly",
    "reply",
    "italy",
    "early",
)


def is_verb(word: str) -> bool:
    """Whether the word is the base form of a verb that this module knows."""
    return word in _VERBS or word in _NOUNS_TOO


def is_rather_noun(word: str) -> bool:
    """Whether the base form is as often a noun."""
    return word in _NOUNS_TOO


def is_participle(word: str) -> bool:
    """Whether the word looks like a past participle ("measured", "grown", "co-cultured")."""
    last = word.rsplit("-", 1)[-1]
    if last in _IRREGULAR_PARTICIPLES:
        return True
    return last.endswith("ed") and len(last) > 3 and last not in _NOT_PARTICIPLES


def is_past(word: str) -> bool:
    """Whether the word looks like a past tense ("rose", "measured")."""
    return word in _PAST.values() or is_participle(word)


def is_adverb(word: str) -> bool:
    """Whether the word is an adverb in -ly, or one of the common others that stand before a verb."""
    if word in _ADVERBS:
        return True
    return word.endswith("ly") and len(word) > 4 and not word.endswith(_NOUNS_IN_LY)


def past(verb: str) -> str:
    """Past tense of a base form."""
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("e"):
        return verb + "d"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    return verb + (verb[-1] if verb in _DOUBLED else "") + "ed"


def third_person(verb: str) -> str:
    """Third person singular of a base form."""
    if verb in {"have", "be"}:
        return {"have": "has", "be": "is"}[verb]
    if re.search(r"(s|x|z|ch|sh|o)$", verb):
        return verb + "es"
    return verb[:-1] + "ies" if re.search(r"[^aeiou]y$", verb) else verb + "s"


def without_do(auxiliary: str, verb: str) -> str:
    """The verb that says the same as `auxiliary` (did, do, does) and the base form: "did rise" is "rose"."""
    if auxiliary == "did":
        return past(verb)
    return third_person(verb) if auxiliary == "does" else verb
