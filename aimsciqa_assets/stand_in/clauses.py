"""Finds the one main clause of a statement: what stands in front, the subject, the verb group and the rest.

Closed word lists instead of a tagger: a statement that is not certain gives None.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.matching import Words, fits, matched
from aimsciqa_assets.stand_in.morphology import FINITE, PAST_FORMS, is_adverb, is_participle, participle
from aimsciqa_assets.stand_in.noun_phrases import is_clean_list, is_clean_noun_phrase, is_named, may_govern

_LINKING_ADVERBS: Final = lex.words("linking_adverbs")
_CLAUSE_END: Final = lex.words("clause_end")
# What may follow a comma after a complete clause; anything else may continue a list.
_AFTER_COMMA: Final = lex.words("after_comma")
_BREAKS: Final = lex.words("breaks") | {","}
_NOT_TRANSITIVE: Final = lex.words("change_verbs") | lex.VERB_PREPOSITIONS.keys() | {"range"}
_NOT_DONE: Final = frozenset({"will", "should", "can", "may", "essential", "necessary", "needed"})
_TOKEN: Final = re.compile(
    r"\((?:[^()]|\([^()]*\))*\)[^\s,]*|[^\s(,]*\((?:[^()\s])*\)[^\s,]*|,(?=\s)|[^\s]+?(?=,\s|\s|$)"
)
_STATISTIC: Final = re.compile(r"^\([^()]*[<>=≤≥][^()]*\)$")
_PART: Final = r"(?:(?!, )\S+ )"
# A concessive clause in front is left out of the question: what it says is beside the fact.
_IN_FRONT: Final = (
    r"(?=(?P<beside>(?i:{concessive}|similar to |according to ))?)"
    rf"(?P<fronted>(?i:{{fronted}}|{{concessive}}|(?:compared|similar|according|based) (?:with|to|on) "
    rf"){_PART}{{1,24}}), "
    # "In Brazil, India, and China, ...": a list, not one phrase.
    rf"(?!(?!the )(?:{_PART}{{1,3}}, (?:\S+ )?and |(?=(?:\S+ ){{0,2}}and ){_PART}{{1,3}}, ))"
    r"(?P<main>(?!(?:and|or|which|such|including|where|who) |\S+ing )\S+ {rest})"
)
_ASIDE: Final = (
    r"(?P<subject>(?:(?!, |{auxiliaries}|{past_forms})\S+ ){1,12}), "
    rf"(?:which|who|an?|the|including|such|where|with) {_PART}*, (?P<main>(?:{{auxiliaries}}|also ){{rest}})"
)
_PURPOSE: Final = (
    rf"(?i:in order )?(?i:to )(?P<purpose>{_PART}{{4,20}}), (?P<main>(?!and |or )(?:\S+ ){{3}}{{rest}})"
)
_WE: Final = (
    r"(?i:we )(?:\S*ly |(?:also|then|first|next|have|further) )*(?P<verb>{past_forms}|{participle})"
    r"(?P<rest>(?:(?!(?:,|that|which|and|who|but) )\S+ )*)(?P<after>{rest})"
)
_LIST_GOES_ON: Final = r", (?!(?:which|with|using|including|and|of|while) )\S+ {rest}"


@dataclass(frozen=True, slots=True)
class Clause:
    """A main clause as words: `fronted`, subject auxiliary middle adverbs verb rest.

    `finite` is the finite verb as written. `auxiliary` is empty for a lexical verb in the simple present or
    past; then `tense` says which ("did", "does" or "do") and `verb` is its lemma. Otherwise `verb` is what
    follows the auxiliaries: a participle or a base form; empty where none follows ("was 12 mg").
    `rest` ends before the first comma, relative or coordinate clause; `after` is what follows it.
    `told_by` is "we", "we_listing" or "purpose" for what authors say they did, see `authors_clauses`.
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
        return is_named(self.subject)

    @property
    def ends_here(self) -> bool:
        """Whether nothing behind `rest` belongs to its last noun: no list, no relative clause."""
        return self.complete and not {"that", "which", "who", "where", "whose"} & set(self.after[:1])

    @property
    def appended(self) -> str:
        """The text of a further main clause behind this one, empty where there is none."""
        for start in (self.after, self.after[1:]):
            if start[:1] and start[0] in {"and", "but", "while", "whereas", "although"}:
                further = start[0] not in {"and", "but"} or _clause_follows(start[1:])
                return " ".join(self.after).replace(" ,", ",") if further and self.complete else ""
        return ""

    @property
    def complete(self) -> bool:
        """Whether `rest` certainly ends where it was cut: no list goes on behind it."""
        if self.after[:1] != (",",):
            return True
        following = self.after[1] if len(self.after) > 1 else ""
        if following == "and":
            return _clause_follows(self.after[2:])
        return following in _AFTER_COMMA or following.endswith("ing")


def words(statement: str) -> Words:
    """The words of a statement; a balanced parenthesis is one word, a comma too."""
    return tuple(_TOKEN.findall(statement))


def parse_clause(tokens: Words) -> Clause | None:
    """The main clause of a cleaned statement, or None where anything about it is uncertain."""
    if not 4 <= len(tokens) <= 60:
        return None
    fronted, main = _split_fronted(tokens)
    aside = matched(_ASIDE, main)
    main = aside["subject"] + aside["main"] if aside else main
    at = _finite_verb(main) if len(main) > 3 else None
    return None if at is None else _clause(fronted, main, at)


def authors_clauses(tokens: Words) -> Iterator[Clause]:
    """What authors did: "To test X, Y was measured" has the subject "to test X", and "we" its own clause."""
    found = matched(_PURPOSE, tokens)
    if found:
        purpose, main = ("to", *found["purpose"]), found["main"]
        told = PAST_FORMS.keys() & set(main[1:4]) if main[0] == "we" else {"was", "were"} & set(main[:16])
        pointing = {token.lower() for token in purpose} & (lex.POINTERS | lex.AUXILIARIES)
        if told and not pointing and not _NOT_DONE & set(main):
            yield Clause((), purpose, "", "", (), (), "", "did", main, (), "purpose")
            tokens = main
    we = matched(_WE, tokens)
    if we and len(tokens) > 4 and "," not in tokens[:3]:
        (verb,) = we["verb"]
        done = participle(PAST_FORMS[verb]) if verb in PAST_FORMS else verb
        told_by = "we_listing" if fits(_LIST_GOES_ON, we["after"]) else "we"
        yield Clause((), ("we",), verb, "", (), (), done, "did", we["rest"], (), told_by)


def _split_fronted(tokens: Words) -> tuple[Words, Words]:
    """Takes a phrase or clause before the subject off: "In the WT, ...", "Although ..., ...".

    Nothing is left where something stands in front and its end is not sure.
    """
    if not fits(
        r"(?i:{fronted}|{concessive}|(?:compared|similar|according|based) (?:with|to|on) ){rest}", tokens
    ):
        return (), tokens
    found = matched(_IN_FRONT, tokens)
    if found is None:
        return (), ()
    if found["beside"]:
        return (), found["main"]
    lowered = {token.lower() for token in found["fronted"]}
    clausal = lowered & (lex.AUXILIARIES | (lex.SUBORDINATORS - {"than"}))
    uncertain = clausal and tokens[0].lower() not in {"when", "if", "once"}
    if uncertain or lowered & lex.POINTERS or len(found["fronted"]) > 16 or tokens[0] == "As":
        return (), ()
    return found["fronted"], found["main"]


def _finite_verb(tokens: Words) -> int | None:
    """The position of the first word that is certainly the finite verb."""
    auxiliary = next((i for i, token in enumerate(tokens) if token in lex.AUXILIARIES), len(tokens))
    for i in range(1, auxiliary):
        if _may_be_finite(tokens, i):
            if auxiliary == len(tokens) or _BREAKS.intersection(tokens[i + 1 : auxiliary]):
                return i
            token = tokens[i]
            if not (is_participle(token) or token in lex.NOUN_LIKE or token in lex.VERB_WHEN_DETERMINED):
                return None
    return auxiliary if 0 < auxiliary < len(tokens) else None


def _may_be_finite(tokens: Words, i: int) -> bool:
    token, before, after = tokens[i], tokens[i - 1], "".join(tokens[i + 1 : i + 2])
    lemma, tense = FINITE.get(token, ("", ""))
    if not lemma or before == "," or before.lower() in lex.DETERMINERS | lex.PREPOSITIONS | lex.CONJUNCTIONS:
        return False
    if tense == "does":
        determined = after in lex.DETERMINERS or after in {"in", "to", "that", "from", "as", "for", "on"}
        return token not in lex.NOUN_LIKE or (token in lex.VERB_WHEN_DETERMINED and determined)
    if tense == "did":
        return not is_participle(token) or not _is_reduced_relative(tokens, i)
    plain = token not in lex.NOUN_LIKE and before != "to" and not before.endswith("-")
    return plain and may_govern(tokens[:i], "are")


def _is_reduced_relative(tokens: Words, i: int) -> bool:
    """For "plants treated with ..." or "the biofortified seeds": a participle where another verb follows."""
    before, after = tokens[i - 1].lower(), "".join(tokens[i + 1 : i + 2])
    if _is_verb(after) or (is_adverb(before) and i < 3):
        return True
    if before in lex.NUMBER_WORDS or before[0].isdigit():
        return True
    transitive = PAST_FORMS[tokens[i]] not in _NOT_TRANSITIVE
    later = transitive and (after in lex.PREPOSITIONS or after in {"as", "to"})
    return later and any(map(_is_verb, tokens[i + 2 :]))


def _is_verb(token: str) -> bool:
    """Whether the word is hardly anything but a finite verb or a participle."""
    tense = FINITE.get(token, ("", ""))[1]
    return token in lex.AUXILIARIES or tense == "did" or (tense == "does" and token not in lex.NOUN_LIKE)


def _clause(fronted: Words, tokens: Words, at: int) -> Clause | None:
    subject = tokens[:at]
    adverbs: list[str] = []
    while len(subject) > 1 and (is_adverb(subject[-1]) or _STATISTIC.match(subject[-1])):
        adverbs = [*filter(is_adverb, subject[-1:]), *adverbs]
        subject = subject[:-1]
    finite = tokens[at]
    number = finite if finite in lex.AUXILIARIES else FINITE[finite][1]
    if "," in subject:
        sound = is_clean_list(subject) and number not in lex.SINGULAR_AUXILIARIES
    else:
        sound = is_clean_noun_phrase(subject) and may_govern(subject, number)
    group = _verb_group(tokens, at)
    if group is None or not sound:
        return None
    end, auxiliary, between, verb, tense = group
    said = (word for word in between if is_adverb(word) or word == "and")
    adverbs = [word for word in (*adverbs, *said) if word not in _LINKING_ADVERBS]
    middle = tuple(word for word in between if not is_adverb(word) and word != "and")
    rest, after = _split_rest(tokens[end:])
    return Clause(fronted, subject, finite, auxiliary, middle, tuple(adverbs), verb, tense, rest, after)


def _verb_group(tokens: Words, at: int) -> tuple[int, str, Words, str, str] | None:
    """Where the verb group at the finite verb ends, its auxiliary, the words between that and its verb, the
    verb and the tense; None for negations, "do" and unknown verbs.
    """
    finite = tokens[at]
    if finite not in lex.AUXILIARIES:
        return at + 1, "", (), *FINITE[finite]
    end = at + 1
    while end < len(tokens) and (
        tokens[end] in {"been", "be", "not"} or is_adverb(tokens[end]) or _joins_adverbs(tokens, end)
    ):
        end += 1
    between = tokens[at + 1 : end]
    if "not" in between or finite in lex.DO or end == len(tokens):
        return None
    word, middle = tokens[end], {"been", "be"} & set(between)
    if finite in lex.MODALS and not middle:
        return (end + 1, finite, between, word, "") if word in lex.BASE_FORMS | {"have"} else None
    if is_participle(word):
        return end + 1, finite, between, word, ""
    if finite in lex.HAVE and not middle:
        # "has a high content": the verb itself.
        return end, "", between, "have", {"has": "does", "have": "do", "had": "did"}[finite]
    return end, finite, between, "", ""


def _joins_adverbs(tokens: Words, at: int) -> bool:
    """For "was significantly and positively correlated"."""
    return tokens[at] == "and" and is_adverb(tokens[at - 1]) and any(map(is_adverb, tokens[at + 1 : at + 2]))


def _split_rest(tokens: Words) -> tuple[Words, Words]:
    """Cuts where another clause may begin."""
    for i, token in enumerate(tokens):
        further = token in lex.CONJUNCTIONS and _clause_follows(tokens[i + 1 :])
        if token == "," or (token in _CLAUSE_END and i > 0) or further:
            return tokens[:i], tokens[i:]
    return tokens, ()


def _clause_follows(tokens: Words) -> bool:
    """Whether a clause or a second predicate begins: after "and", a verb comes before any comma."""
    for token in tokens[:12]:
        if token == "," or token in lex.SUBORDINATORS:
            break
        if token in lex.AUXILIARIES or (token in PAST_FORMS and not is_participle(token)):
            return True
    # "and often fatal disease" goes on with the noun phrase, "and significantly reduced" does not.
    first = next((token for token in tokens if not is_adverb(token)), "")
    return _is_verb(first) or first in {"then", "its", "their", "this"}


def clause_pieces(sentence: str) -> list[tuple[int, int]]:
    """Spans of a raw sentence that may be statements of their own: split at semicolons outside brackets."""
    depth = 0
    ends = []
    for i, character in enumerate(sentence):
        depth += (character in "([") - (character in ")]")
        if character == ";" and depth == 0:
            ends.append(i)
    return list(zip([0, *(end + 1 for end in ends)], [*ends, len(sentence)], strict=True))
