"""Word order: where the subject of a question ends, and the same words in the order of a statement.

There is no parser here. Closed word classes and the verbs of `words.toml` find the verb that goes with the
auxiliary of a question; where they find none, or several that it could be, the answer is None.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.morphology import is_adverb, is_participle, is_rather_noun, is_verb, without_do

DETERMINERS: Final = lex.words("question_determiners")
PREPOSITIONS: Final = lex.words("question_prepositions")
RELATIVES: Final = lex.words("relatives")
SUBORDINATORS: Final = RELATIVES | lex.words("question_subordinators")
OPENS_AFTER_PARTICIPLE: Final = PREPOSITIONS | lex.words("after_participle")
_JOINERS: Final = frozenset({"and", "or", "but", "nor", "to", "not"})
_NO_SUBJECT: Final = DETERMINERS | PREPOSITIONS | RELATIVES | lex.MODALS | (_JOINERS - {"not"})
_NO_END: Final = DETERMINERS | PREPOSITIONS | lex.AUXILIARIES | _JOINERS
_PREDICATES: Final = lex.words("predicates")
_TO_DO: Final = lex.words("asked_to")


def bare(token: str) -> str:
    """Token in lower case, without the punctuation around it."""
    return token.strip(',;:()[]"“”').lower()


def told(auxiliary: str, rest: Sequence[str]) -> str | None:
    """Statement order: "X changed after Z" from did, "X change after Z". None where the verb is not found."""
    if auxiliary in lex.DO:
        return _told_without_do(auxiliary, rest)
    plain = [bare(token) for token in rest]
    if auxiliary in lex.BE:
        at = predicate_start(rest)
    elif auxiliary in lex.HAVE:
        at = next((i for i, word in enumerate(plain) if i and (word == "been" or is_participle(word))), None)
    else:
        verb = verb_position(rest)
        at = verb and _before_adverbs(plain, verb)
    return None if at is None else " ".join([*rest[:at], auxiliary, *rest[at:]])


def _told_without_do(auxiliary: str, rest: Sequence[str]) -> str | None:
    at = verb_position(rest)
    if at is None:
        return None
    plain = [bare(token) for token in rest]
    joined = [i for i in range(at + 1, len(rest)) if plain[i - 1] in {"and", "or"} and is_verb(plain[i])]
    inflected = {
        i: rest[i].lower().replace(plain[i], without_do(auxiliary, plain[i]), 1) for i in (at, *joined)
    }
    return " ".join(inflected.get(i, token) for i, token in enumerate(rest))


def verb_position(rest: Sequence[str]) -> int | None:
    """Index of the base-form verb that follows the subject."""
    sure: list[int] = []
    doubtful: list[int] = []
    for at, (before, token) in enumerate(pairwise(rest), start=1):
        if is_verb(bare(token)) and bare(before) not in _NO_SUBJECT and not before.endswith(("'s", "’s")):
            (doubtful if is_rather_noun(bare(token)) else sure).append(at)
    runs = [at for at in doubtful if at + 1 not in doubtful]
    if not sure:
        return runs[0] if len(runs) == 1 else None
    between = {bare(token) for token in rest[doubtful[0] : sure[0]]} if runs else set()
    return runs[0] if between & SUBORDINATORS else sure[0]


def predicate_start(rest: Sequence[str]) -> int | None:
    """Index at which the subject of an inverted "was" ends; None where that is not clear."""
    plain = [bare(token) for token in rest]
    lost = _stranded_position(plain)
    if lost is not None and lost > 1:
        return _before_adverbs(plain, lost - 1)
    found = []
    for at, (word, following) in enumerate(pairwise([*plain[1:], "and"]), start=1):
        opens = following in OPENS_AFTER_PARTICIPLE or is_adverb(following)
        start = _before_adverbs(plain, at)
        ends = plain[start - 1] not in _NO_END and not rest[start - 1].endswith(",")
        if opens and ends and (is_participle(word) or word in _PREDICATES):
            found.append(start)
    has_place = bool(found) and not PREPOSITIONS.isdisjoint(plain[: found[0]])
    unclear = len(found) > 1 and (has_place or is_participle(plain[-1]))
    return found[0] if found and not unclear else None


def _before_adverbs(plain: Sequence[str], at: int) -> int:
    """Index of the first adverb before the predicate, or before a noun within it ("often salt sensitive")."""
    if at > 2 and plain[at] in _PREDICATES and is_adverb(plain[at - 2]):
        at -= 1
    while at > 1 and (is_adverb(plain[at - 1]) or plain[at - 1] == "not"):
        at -= 1
    return at


def _stranded_position(plain: Sequence[str]) -> int | None:
    """Index of the preposition that has lost its object to the question word ("associated with in women")."""
    last = len(plain) - 1
    return last if plain and plain[last] in PREPOSITIONS | {"as", "like"} - {"compared", "using"} else None


def is_stranded(rest: Sequence[str]) -> bool:
    """Whether something late in the question has its object at the front ("associated with", "shown to")."""
    plain = [bare(token) for token in rest]
    shown_to = any(one in _TO_DO and two == "to" for one, two in pairwise(plain))
    return _stranded_position(plain) is not None or (shown_to and is_verb(plain[-1]))
