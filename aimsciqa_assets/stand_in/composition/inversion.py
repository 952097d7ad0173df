"""Word order: where the subject of a question ends, and the same words in the order of a statement.

There is no parser here. Closed word classes and the verb lists of `verbs` find the verb that goes with the
auxiliary of a question; where they find none, or several that it could be, the answer is None.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.morphology import (
    is_adverb,
    is_participle,
    is_rather_noun,
    is_verb,
    without_do,
)

DETERMINERS: Final = lex.words("question_determiners")
PREPOSITIONS: Final = lex.words("question_prepositions")
RELATIVES: Final = frozenset({"that", "which", "who", "whom", "whose", "where", "when"})
SUBORDINATORS: Final = RELATIVES | {
    "after",
    "before",
    "while",
    "because",
    "if",
    "as",
    "although",
    "whereas",
}
_JOINERS: Final = frozenset({"and", "or", "but", "nor", "to", "not"})
_PREDICATES: Final = lex.words("predicates")
_TO_DO: Final = frozenset(
    "shown found asked expected thought predicted reported known believed used designed required able".split()
)
OPENS_AFTER_PARTICIPLE: Final = PREPOSITIONS | {
    "and",
    "or",
    "as",
    "when",
    "while",
    "if",
    "that",
    "than",
    "twice",
    "once",
}


def bare(token: str) -> str:
    """Token in lower case, without the punctuation around it."""
    return token.strip(',;:()[]"“”').lower()


def is_predicate(word: str) -> bool:
    """Whether the word can follow its subject and "was": a participle or an adjective used that way."""
    return is_participle(word) or word in _PREDICATES


def told(auxiliary: str, rest: Sequence[str]) -> str | None:
    """Statement order: "X changed after Z" from did, "X change after Z". None where the verb is not found."""
    if auxiliary in lex.BE:
        at = predicate_start(rest)
        return None if at is None else " ".join([*rest[:at], auxiliary, *rest[at:]])
    if auxiliary in lex.HAVE:
        at = next(
            (
                i
                for i, token in enumerate(rest)
                if i and (bare(token) == "been" or is_participle(bare(token)))
            ),
            None,
        )
        return None if at is None else " ".join([*rest[:at], auxiliary, *rest[at:]])
    at = verb_position(rest)
    if at is None:
        return None
    if auxiliary in lex.MODALS:
        while at > 1 and is_adverb(bare(rest[at - 1])):
            at -= 1
        return " ".join([*rest[:at], auxiliary, *rest[at:]])
    if bare(rest[at - 1]) == "not":
        return " ".join([*rest[: at - 1], auxiliary, *rest[at - 1 :]])
    joined = [
        i for i in range(at + 1, len(rest)) if bare(rest[i - 1]) in {"and", "or"} and is_verb(bare(rest[i]))
    ]
    if any(is_rather_noun(bare(rest[i])) for i in joined):
        return None
    return " ".join(
        _inflected(token, auxiliary) if i in {at, *joined} else token for i, token in enumerate(rest)
    )


def _inflected(token: str, auxiliary: str) -> str:
    verb = bare(token)
    return token.lower().replace(verb, without_do(auxiliary, verb), 1)


def verb_position(rest: Sequence[str]) -> int | None:
    """Index of the base-form verb that follows the subject."""
    sure: list[int] = []
    doubtful: list[int] = []
    for at in range(1, len(rest)):
        word, previous = bare(rest[at]), bare(rest[at - 1])
        if not is_verb(word) or rest[at - 1].endswith(("'s", "’s")):
            continue
        if previous in DETERMINERS | PREPOSITIONS | lex.MODALS | RELATIVES | (_JOINERS - {"not"}):
            continue
        (doubtful if is_rather_noun(word) else sure).append(at)
    runs = [at for at in doubtful if at + 1 not in doubtful]
    if not sure:
        return runs[0] if len(runs) == 1 else None
    if not runs or sure[0] < runs[0]:
        return sure[0]
    between = {bare(token) for token in rest[doubtful[0] : sure[0]]}
    return runs[0] if between & SUBORDINATORS else sure[0]


def predicate_start(rest: Sequence[str]) -> int | None:
    """Index at which the subject of an inverted "was" ends; None where that is not clear."""
    lost = _stranded_position(rest)
    if lost is not None and lost > 1 and is_predicate(bare(rest[lost - 1])):
        return _before_adverbs(rest, lost - 1)
    found = []
    for at in range(1, len(rest)):
        word = bare(rest[at])
        if not is_predicate(word):
            continue
        following = bare(rest[at + 1]) if at + 1 < len(rest) else ""
        if following and following not in OPENS_AFTER_PARTICIPLE and not is_adverb(following):
            continue
        start = _before_adverbs(rest, at)
        previous = bare(rest[start - 1])
        if any(bare(token) in RELATIVES for token in rest[:start]):
            return None
        if previous in DETERMINERS | PREPOSITIONS | lex.AUXILIARIES | _JOINERS or rest[start - 1].endswith(
            ","
        ):
            continue
        found.append(start)
    if len(found) < 2:
        return found[0] if found else None
    subject_is_long = any(bare(token) in PREPOSITIONS for token in rest[: found[0]])
    ends_with_one = is_participle(bare(rest[-1]))
    return None if subject_is_long or ends_with_one else found[0]


def _before_adverbs(rest: Sequence[str], at: int) -> int:
    """Index of the first adverb before the predicate, or before a noun within it ("often salt sensitive")."""
    if at > 2 and bare(rest[at]) in _PREDICATES and is_adverb(bare(rest[at - 2])):
        at -= 1
    while at > 1 and (is_adverb(bare(rest[at - 1])) or bare(rest[at - 1]) == "not"):
        at -= 1
    return at


def auxiliary_position(tokens: Sequence[str]) -> int | None:
    """Index of the first auxiliary that does not belong to a relative clause."""
    asking = 2 if bare(tokens[0]) in PREPOSITIONS else 1
    for at in range(1, len(tokens)):
        relative = bare(tokens[at - 1]) in RELATIVES and at > asking
        if bare(tokens[at]) in lex.AUXILIARIES and not relative:
            return at
    return None


def _stranded_position(rest: Sequence[str]) -> int | None:
    """Index of the preposition that has lost its object to the question word ("associated with in women")."""
    plain = [bare(token) for token in rest]
    for at in range(1, len(plain) - 1):
        lost = plain[at] in PREPOSITIONS | {"as"} and plain[at + 1] in PREPOSITIONS | {"when", "while", "if"}
        if lost and is_participle(plain[at - 1]):
            return at
    last = len(plain) - 1
    return last if plain and plain[last] in PREPOSITIONS | {"as", "like"} - {"compared", "using"} else None


def is_stranded(rest: Sequence[str]) -> bool:
    """Whether something late in the question has its object at the front ("associated with", "shown to")."""
    plain = [bare(token) for token in rest]
    shown_to = any(one in _TO_DO and two == "to" for one, two in pairwise(plain))
    return _stranded_position(rest) is not None or (shown_to and is_verb(plain[-1]))


def skip_adverbs(rest: Sequence[str]) -> Sequence[str]:
    at = 0
    while at < len(rest) and is_adverb(bare(rest[at])):
        at += 1
    return rest[at:]
