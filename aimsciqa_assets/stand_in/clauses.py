"""Finds the one main clause of a statement: what stands in front, the subject, the verb group and the rest.

Closed word lists instead of a tagger: a statement that is not certain gives None.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in import morphology
from aimsciqa_assets.stand_in.noun_phrases import (
    agrees,
    is_adverb,
    is_clean_list,
    is_clean_noun_phrase,
    is_participle,
    is_quantified,
    is_vague,
)

Words = tuple[str, ...]

_FRONTED: Final = lex.words("fronted")
# A clause in front that the question leaves out: what it says is beside the fact.
_CONCESSIVE: Final = lex.words("concessive")
_CLAUSE_END: Final = lex.words("clause_end")
# What may follow a comma after a complete clause; anything else may continue a list.
_AFTER_COMMA: Final = lex.words("after_comma")
_LINKING_ADVERBS: Final = lex.words("linking_adverbs")
_TOKEN: Final = re.compile(
    r"\((?:[^()]|\([^()]*\))*\)[^\s,]*|[^\s(,]*\((?:[^()\s])*\)[^\s,]*|,(?=\s)|[^\s]+?(?=,\s|\s|$)"
)
_STATISTIC: Final = re.compile(r"^\([^()]*[<>=≤≥][^()]*\)$")
_BREAKS: Final = frozenset(
    ", that which who whose where whereas while and but when because if although or".split()
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A main clause as words: `fronted`, subject auxiliary middle adverbs verb rest.

    `finite` is the finite verb as written. `auxiliary` is empty for a lexical verb in the simple present or
    past; then `tense` says which ("did", "does" or "do") and `verb` is its lemma. Otherwise `verb` is what
    follows the auxiliaries: a participle or a base form; empty where none follows ("was 12 mg").
    `rest` ends before the first comma, relative or coordinate clause; `after` is what follows it.
    `told_by` is "we" or "purpose" for what authors say they did, see `authors_clauses`.
    """

    fronted: Words
    subject: Words
    finite: str
    auxiliary: str
    middle: Words
    adverbs: Words
    verb: str
    tense: str
    rest: Words
    after: Words
    told_by: str = ""

    @property
    def voice(self) -> str:
        """How the verb group is built, as the patterns name it; empty for groups that no pattern is for."""
        if self.told_by or self.tense:
            return self.told_by or "active"
        if self.auxiliary in lex.BE or self.middle[-1:] in {("been",), ("be",)}:
            return "passive" if self.verb else "been" if self.middle else "be"
        if self.auxiliary in lex.MODALS:
            return "modal"
        return "perfect" if self.verb and not self.middle else ""

    @property
    def names_its_subject(self) -> bool:
        """Whether the subject says what it is: neither "the results" nor "several genes"."""
        subject = self.subject
        return not (is_vague(subject) or is_quantified(subject) or is_participle(subject[-1]))

    @property
    def ends_here(self) -> bool:
        """Whether nothing behind `rest` belongs to its last noun: no list, no relative clause."""
        return self.complete and self.after[:1] not in {
            ("that",),
            ("which",),
            ("who",),
            ("where",),
            ("whose",),
        }

    @property
    def appended(self) -> str:
        """The text of a further main clause behind this one, empty where there is none."""
        for start in (self.after, self.after[1:]):
            if start[:1] and start[0] in {"and", "but", "while", "whereas", "although"}:
                further = start[0] not in {"and", "but"} or _clause_follows(list(start[1:]))
                return " ".join(self.after).replace(" ,", ",") if further and self.complete else ""
        return ""

    @property
    def complete(self) -> bool:
        """Whether `rest` certainly ends where it was cut: no list goes on behind it."""
        if not self.after:
            return True
        if self.after[0] != ",":
            return True
        following = self.after[1] if len(self.after) > 1 else ""
        if following == "and":
            return _clause_follows(list(self.after[2:]))
        return following in _AFTER_COMMA or following.endswith("ing")


def words(statement: str) -> list[str]:
    """The words of a statement; a balanced parenthesis is one word, a comma too."""
    return _TOKEN.findall(statement)


def parse_clause(tokens: list[str]) -> Clause | None:
    """The main clause of a cleaned statement, or None where anything about it is uncertain."""
    if not 4 <= len(tokens) <= 60:
        return None
    fronted, main = _split_fronted(tokens)
    if main is None or len(main) < 4:
        return None
    main = _without_parenthetical(main)
    at = _finite_verb(main)
    if at is None:
        return None
    return _clause(fronted, main, at)


def authors_clauses(tokens: list[str]) -> Iterator[Clause]:
    """What authors did: "To test X, Y was measured" has the subject "to test X", and "we" its own clause."""
    purpose, main = _purpose_in_front(tokens)
    if purpose:
        yield _authors_clause("purpose", purpose, "", main)
    elif len(tokens) < 5:
        return
    tokens = main or tokens
    if tokens[0].lower() != "we" or "," in tokens[:3]:
        return
    at = next((i for i, token in enumerate(tokens) if i and not _is_filler(token)), len(tokens))
    if at < len(tokens) and (tokens[at] in morphology.PAST_FORMS or is_participle(tokens[at])):
        rest = tokens[at + 1 :]
        stop = next((i for i, token in enumerate(rest) if token in _AUTHORS_STOP), len(rest))
        lemma = morphology.PAST_FORMS.get(tokens[at])
        verb = morphology.participle(lemma) if lemma else tokens[at]
        goes_on = rest[stop : stop + 1] == [","] and rest[stop + 1 : stop + 2] not in _AFTER_OBJECT
        yield _authors_clause("we" if not goes_on else "we_listing", ("we",), verb, rest[:stop])


def _authors_clause(told_by: str, subject: Words, verb: str, rest: list[str]) -> Clause:
    return Clause((), subject, "", "", (), (), verb, "did", tuple(rest), (), told_by)


def _is_filler(token: str) -> bool:
    return token.endswith("ly") or token in {"also", "then", "first", "next", "have", "further"}


def _purpose_in_front(tokens: list[str]) -> tuple[Words, list[str]]:
    """The phrase of "(In order) to test X, Y was measured" and its main clause, empty where it is none."""
    start = 2 if [token.lower() for token in tokens[:3]] == ["in", "order", "to"] else 0
    if tokens[start].lower() != "to" or "," not in tokens[:22]:
        return (), []
    comma = tokens.index(",")
    phrase, main = ("to", *tokens[start + 1 : comma]), tokens[comma + 1 :]
    if len(main) < 4 or main[0] in {"and", "or"} or set(main) & _NOT_DONE:
        return (), []
    told = (
        morphology.PAST_FORMS.keys() & set(main[1:4]) if main[0] == "we" else {"was", "were"} & set(main[:16])
    )
    pointing = {token.lower() for token in phrase} & (lex.POINTERS | lex.AUXILIARIES)
    return (phrase, main) if told and not pointing else ((), [])


_NOT_DONE: Final = frozenset("will should can may essential necessary needed".split())
_AUTHORS_STOP: Final = frozenset({",", "that", "which", "and", "who", "but"})
_AFTER_OBJECT: Final = (["which"], ["with"], ["using"], ["including"], ["and"], ["of"], ["while"], [])


def _split_fronted(tokens: list[str]) -> tuple[Words, list[str] | None]:
    """Takes a phrase or clause before the subject off: "In the WT, ...", "Although ..., ..."."""
    first = tokens[0].lower()
    opening = " ".join(tokens[:2]).lower()
    named = first in _FRONTED or opening in {
        "compared with",
        "compared to",
        "based on",
        "according to",
        "similar to",
    }
    if not named and first not in _CONCESSIVE:
        return (), tokens
    commas = [i for i, token in enumerate(tokens[:26]) if token == ","]
    if not commas:
        return (), None
    comma = commas[0]
    if comma < 2:
        return (), None
    fronted = tokens[:comma]
    main = tokens[comma + 1 :]
    if (
        len(main) < 4
        or main[0] in {"and", "or", "which", "such", "including", "where", "who"}
        or main[0].endswith("ing")
    ):
        return (), None
    # "In Brazil, India, and China, ...": a list, not one phrase.
    if (
        len(commas) > 1
        and main[:1] != ["the"]
        and "and" in main[: commas[1] - comma + 2]
        and commas[1] - comma <= 4
    ):
        return (), None
    if first in _CONCESSIVE or opening in {"similar to", "according to"}:
        return (), main
    lowered = {token.lower() for token in fronted}
    if lowered & lex.POINTERS or comma > 16:
        return (), None
    clausal = first in {"when", "if", "once", "as"}
    if not clausal and lowered & (lex.AUXILIARIES | (lex.SUBORDINATORS - {"than"})):
        return (), None
    if first == "as":
        return (), None
    return tuple(fronted), main


def _without_parenthetical(tokens: list[str]) -> list[str]:
    """Drops ", which is ..., " behind the subject where the finite verb follows the second comma."""
    commas = [i for i, token in enumerate(tokens) if token == ","]
    if len(commas) < 2 or commas[0] > 12:
        return tokens
    start, end = commas[0], commas[1]
    opener = tokens[start + 1]
    if opener not in {"which", "who", "a", "an", "the", "including", "such", "where", "with"}:
        return tokens
    if end + 1 < len(tokens) and tokens[end + 1] in lex.AUXILIARIES | {"also"}:
        if set(tokens[:start]) & (lex.AUXILIARIES | morphology.PAST_FORMS.keys()):
            return tokens
        return tokens[:start] + tokens[end + 1 :]
    return tokens


def _finite_verb(tokens: list[str]) -> int | None:
    """The position of the first word that is certainly the finite verb."""
    auxiliary = next((i for i, token in enumerate(tokens) if token in lex.AUXILIARIES), len(tokens))
    for i in range(1, auxiliary):
        if not _may_be_finite(tokens, i):
            continue
        governed = auxiliary < len(tokens) and not _BREAKS.intersection(tokens[i + 1 : auxiliary])
        if not governed:
            return i
        if not _may_be_participle_or_noun(tokens[i]):
            return None
    return auxiliary if 0 < auxiliary < len(tokens) else None


def _may_be_participle_or_noun(token: str) -> bool:
    return is_participle(token) or token in lex.NOUN_LIKE or token in lex.VERB_WHEN_DETERMINED


def _may_be_finite(tokens: list[str], i: int) -> bool:
    token = tokens[i]
    before = tokens[i - 1]
    after = tokens[i + 1] if i + 1 < len(tokens) else ""
    if before.lower() in lex.DETERMINERS | lex.PREPOSITIONS | lex.CONJUNCTIONS or before == ",":
        return False
    if token in morphology.THIRD_FORMS:
        determined = after in lex.DETERMINERS or after in {"in", "to", "that", "from", "as", "for", "on"}
        return token not in lex.NOUN_LIKE or (token in lex.VERB_WHEN_DETERMINED and determined)
    if token in morphology.PAST_FORMS:
        return not is_participle(token) or not _is_reduced_relative(tokens, i)
    if token in lex.BASE_FORMS and token not in lex.NOUN_LIKE:
        return before != "to" and agrees(tuple(tokens[:i]), "are") and not before.endswith("-")
    return False


def _is_reduced_relative(tokens: list[str], i: int) -> bool:
    """For "plants treated with ..." or "the biofortified seeds": a participle where another verb follows."""
    lemma = morphology.PAST_FORMS[tokens[i]]
    after = tokens[i + 1] if i + 1 < len(tokens) else ""
    if (
        after in lex.AUXILIARIES
        or after in morphology.PAST_FORMS
        or after in morphology.THIRD_FORMS.keys() - lex.NOUN_LIKE
    ):
        return True
    before = tokens[i - 1].lower()
    if (
        (before.endswith(("ly", "ed")) and is_adverb(before) and i < 3)
        or before in lex.NUMBER_WORDS
        or before[0].isdigit()
    ):
        return True
    later = any(
        token in lex.AUXILIARIES
        or token in morphology.PAST_FORMS
        or (token in morphology.THIRD_FORMS and token not in lex.NOUN_LIKE)
        for token in tokens[i + 2 :]
    )
    transitive = lemma not in lex.CHANGE_VERBS and lemma not in lex.VERB_PREPOSITIONS and lemma != "range"
    return later and transitive and (after in lex.PREPOSITIONS or after in {"as", "to"})


def _clause(fronted: Words, tokens: list[str], at: int) -> Clause | None:
    subject = tokens[:at]
    adverbs: list[str] = []
    while len(subject) > 1 and (is_adverb(subject[-1]) or _STATISTIC.match(subject[-1])):
        last = subject.pop()
        if is_adverb(last):
            adverbs.insert(0, last)
    finite = tokens[at]
    number = _number_of(finite)
    if "," in subject:
        if not is_clean_list(subject) or number in lex.SINGULAR_AUXILIARIES:
            return None
    elif not is_clean_noun_phrase(subject) or not agrees(tuple(subject), number):
        return None
    group = _verb_group(tokens, at)
    if group is None:
        return None
    rest, after = _split_rest(tokens[group.end :])
    kept = tuple(word for word in (*adverbs, *group.adverbs) if word not in _LINKING_ADVERBS)
    return Clause(
        fronted=fronted,
        subject=tuple(subject),
        finite=finite,
        auxiliary=group.auxiliary,
        middle=group.middle,
        adverbs=kept,
        verb=group.verb,
        tense=group.tense,
        rest=rest,
        after=after,
    )


class _VerbGroup(NamedTuple):
    """The parts of a `Clause` from the finite verb on, and where the rest begins."""

    end: int
    auxiliary: str = ""
    middle: Words = ()
    adverbs: Words = ()
    verb: str = ""
    tense: str = ""


def _verb_group(tokens: list[str], at: int) -> _VerbGroup | None:
    """The verb group that begins at the finite verb; None for negations, "do" and unknown verbs."""
    finite = tokens[at]
    if finite in morphology.PAST_FORMS:
        return _VerbGroup(at + 1, verb=morphology.PAST_FORMS[finite], tense="did")
    if finite in morphology.THIRD_FORMS:
        return _VerbGroup(at + 1, verb=morphology.THIRD_FORMS[finite], tense="does")
    if finite not in lex.AUXILIARIES:
        return _VerbGroup(at + 1, verb=finite, tense="do")
    end = at + 1
    while end < len(tokens) and (tokens[end] in {"been", "be", "not"} or is_adverb(tokens[end])):
        end += 1
    between = tokens[at + 1 : end]
    if "not" in between or finite in {"do", "does", "did"} or end >= len(tokens):
        return None
    adverbs = tuple(word for word in between if is_adverb(word))
    middle = tuple(word for word in between if not is_adverb(word))
    word = tokens[end]
    if finite in lex.MODALS and not middle:
        known = word in lex.BASE_FORMS or word == "have"
        return _VerbGroup(end + 1, finite, middle, adverbs, word) if known else None
    if is_participle(word):
        return _VerbGroup(end + 1, finite, middle, adverbs, word)
    if finite in lex.HAVE and not middle:
        # "has a high content": the verb itself.
        tense = {"has": "does", "have": "do", "had": "did"}[finite]
        return _VerbGroup(end, adverbs=adverbs, verb="have", tense=tense)
    return _VerbGroup(end, finite, middle, adverbs)


def _number_of(finite: str) -> str:
    """An auxiliary with the number of the finite verb, for the agreement check."""
    if finite in lex.AUXILIARIES:
        return finite
    if finite in morphology.PAST_FORMS:
        return "did"
    return "does" if finite in morphology.THIRD_FORMS else "do"


def _split_rest(tokens: list[str]) -> tuple[Words, Words]:
    """Cuts where another clause may begin."""
    for i, token in enumerate(tokens):
        if token == "," or (token in _CLAUSE_END and i > 0):
            return tuple(tokens[:i]), tuple(tokens[i:])
        if token in lex.CONJUNCTIONS and _clause_follows(tokens[i + 1 :]):
            return tuple(tokens[:i]), tuple(tokens[i:])
    return tuple(tokens), ()


def _clause_follows(tokens: list[str]) -> bool:
    """Whether a clause or a second predicate begins: after "and", a verb comes before any comma."""
    for token in tokens[:12]:
        if token == "," or token in lex.SUBORDINATORS:
            break
        if token in lex.AUXILIARIES or (token in morphology.PAST_FORMS and not is_participle(token)):
            return True
    if not tokens:
        return False
    first = tokens[0]
    if is_adverb(first):
        # "and often fatal disease" goes on with the noun phrase, "and significantly reduced" does not.
        return _clause_follows(tokens[1:])
    third = first in morphology.THIRD_FORMS and first not in lex.NOUN_LIKE
    return third or first in morphology.PAST_FORMS or first in {"then", "its", "their", "this"}


def clause_pieces(sentence: str) -> list[tuple[int, int]]:
    """Spans of a raw sentence that may be statements of their own: split at semicolons outside brackets."""
    depth = 0
    starts, ends = [0], []
    for i, character in enumerate(sentence):
        depth += (character in "([") - (character in ")]")
        if character == ";" and depth == 0:
            ends.append(i)
            starts.append(i + 1)
    ends.append(len(sentence))
    return list(zip(starts, ends, strict=True))
