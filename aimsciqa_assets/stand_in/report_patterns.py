"""Sentences about what authors found or did: "we found that", "To test X, we ...", "no difference"."""

import re
from collections.abc import Iterator
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.asking import Draft, Words, plain
from aimsciqa_assets.stand_in.clauses import words
from aimsciqa_assets.stand_in.context import Names
from aimsciqa_assets.stand_in.noun_phrases import (
    is_clean_noun_phrase,
    is_participle,
    is_plural,
    is_quantified,
)
from aimsciqa_assets.stand_in.quantities import has_number, quantity_end

_THAT_FRAME: Final = re.compile(
    r"^(?P<frame>(?:(?!\bthat\b)[^,])*?\b(?P<verb>show(?:s|ed|n)?|demonstrate[sd]?|reveal(?:s|ed)?|indicate[sd]?"
    r"|confirm(?:s|ed)?|found|report(?:s|ed)?|observed?|suggest(?:s|ed)?|noted|estimated|known|established"
    r"|evident|clear)),? that (?P<content>.+)$"
)
_HEDGED: Final = frozenset("suggest suggests suggested indicate indicates indicated estimated".split())
_NO_DIFFERENCE: Final = re.compile(
    r"^(?:(?P<fronted>[^,]+), )?(?:there (?:was|were)|we (?:found|observed|detected)|no evidence of)?\s*"
    r"(?:no |a |any )?(?:statistically )?(?:significant |clear |major |marked )?differences? "
    r"(?:were |was )?(?:(?:found|observed|detected|seen|noted) )?(?:in|for) (?P<what>[^,]+?) "
    r"(?:was |were )?(?:(?:found|observed|detected|seen|noted) )?(?P<link>between|among) (?P<groups>[^,]+?)$",
    re.IGNORECASE,
)
_DID_NOT_DIFFER: Final = re.compile(
    r"^(?P<what>[^,]+?) (?:did not (?:statistically )?(?:significantly )?(?:differ|vary)"
    r"|(?:differed|varied) significantly"
    r"|significantly (?:differed|varied)|(?:was|were) not (?:statistically )?(?:significantly )?different"
    r"|(?:was|were) (?:significantly different|similar))"
    r"(?: significantly)? (?P<link>between|among|across) (?P<groups>[^,]+?)$"
)
_TAIL_CUT: Final = re.compile(r" (?:\([^()]*\)|with p .*)$", re.IGNORECASE)


def reported_content(statement: str) -> tuple[str, bool] | None:
    """The clause behind "... showed that", and whether the answer may be that clause alone.

    A hedged report ("suggests that") must stay in the answer.
    """
    found = _THAT_FRAME.match(statement)
    if found is None or len(found["frame"].split()) > 16:
        return None
    content = found["content"]
    if " not " in f" {found['frame']} ":
        return None
    return content[0].upper() + content[1:], found["verb"] not in _HEDGED


def author_drafts(statement: str) -> Iterator[Draft]:
    """Questions about what the authors did, for sentences whose subject is "we"."""
    tokens = words(statement)
    fronted, rest = _purpose_in_front(tokens)
    if fronted and rest:
        yield Draft("to_do", ("what", "was", "done", *_lower_to(fronted)), (), tuple(rest), 6)
        tokens = rest
    if len(tokens) > 4 and tokens[0].lower() == "we" and "," not in tokens[:3]:
        yield from _we(tokens[1:])


_NOT_DONE: Final = frozenset("will should can may essential necessary needed".split())


def _purpose_in_front(tokens: list[str]) -> tuple[Words, list[str]]:
    start = 2 if [token.lower() for token in tokens[:3]] == ["in", "order", "to"] else 0
    if tokens[start].lower() != "to" or "," not in tokens[:22]:
        return (), []
    comma = tokens.index(",")
    phrase = tuple(tokens[start:comma])
    main = tokens[comma + 1 :]
    lowered = {token.lower() for token in phrase}
    verb = phrase[1] if len(phrase) > 1 else ""
    if (
        len(phrase) < 5
        or verb not in lex.BASE_FORMS | lex.AIM_VERBS
        or lowered & (lex.POINTERS | lex.AUXILIARIES)
    ):
        return (), []
    if (
        len(main) < 4
        or main[0] in {"and", "or"}
        or set(main) & {"will", "should", "can", "may", "essential", "necessary", "needed"}
    ):
        return (), []
    told = set(main[1:4]) & lex.PAST_FORMS.keys() if main[0] == "we" else set(main[:16]) & {"was", "were"}
    if not told:
        return (), []
    return phrase, main


def _lower_to(phrase: Words) -> Words:
    return ("to", *phrase[1:])


def _we(tokens: list[str]) -> Iterator[Draft]:
    """For "We measured iron in grain using XRF": how was iron in grain measured?"""
    while tokens and (
        tokens[0].endswith("ly") or tokens[0] in {"also", "then", "first", "next", "have", "further"}
    ):
        tokens = tokens[1:]
    if not tokens or (tokens[0] not in lex.PAST_FORMS and not is_participle(tokens[0])):
        return
    verb = _participle(tokens[0])
    rest = tuple(tokens[1:])
    stop = next(
        (i for i, word in enumerate(rest) if word in {",", "that", "which", "and", "who", "but"}), len(rest)
    )
    main = rest[:stop]
    list_goes_on = rest[stop : stop + 1] == (",",) and rest[stop + 1 : stop + 2] not in _AFTER_OBJECT
    if verb == "used" and "to" in main:
        i = main.index("to")
        if (
            1 <= i <= 12
            and i + 2 < len(main)
            and main[i + 1] in lex.BASE_FORMS | lex.AIM_VERBS
            and _object(main[:i])
        ):
            yield Draft("used_to", ("what", "was", "used", *plain(main[i:])), (), main[:i], 7)
        return
    for i, word in enumerate(main):
        by_doing = word == "by" and i + 1 < len(main) and main[i + 1].endswith("ing")
        if (word in {"using", "via"} or by_doing) and i:
            target = main[:i]
            plural = is_plural(target)
            if _object(target) and plural is not None and verb not in {"found", "showed"}:
                be = "were" if plural else "was"
                yield Draft("method", ("how", be, *plain(target), verb), (), main[i:], 7)
            return
    if not list_goes_on:
        yield from _counted(verb, main)


def _counted(verb: str, main: Words) -> Iterator[Draft]:
    """For "We collected 300 samples from 20 villages": how many samples were collected?"""
    start = 3 if main[:3] == ("a", "total", "of") else 0
    end = quantity_end(main, start)
    number = main[end - 1] if end else ""
    if end != start + 1 or not (number.replace(",", "").isdigit() or number in lex.NUMBER_WORDS):
        return
    boundary = next(
        (i for i in range(end, len(main)) if main[i] in lex.PREPOSITIONS - {"of"} | {"to", "using"}),
        len(main),
    )
    counted, tail = main[end:boundary], main[boundary:]
    if not counted or is_plural(counted) is not True or not is_clean_noun_phrase(counted):
        return
    yield Draft("count", ("how", "many", *plain(counted), "were", verb, *plain(tail)), (), main[start:end], 9)


_AFTER_OBJECT: Final = {("which",), ("with",), ("using",), ("including",), ("and",), ("of",), ("while",), ()}


def _object(target: Words) -> bool:
    return (
        bool(target)
        and len(target) <= 12
        and is_clean_noun_phrase(target)
        and not ("to" in target or is_quantified(target) or is_participle(target[-1]))
    )


def _participle(past: str) -> str:
    lemma = lex.PAST_FORMS.get(past)
    if lemma in lex.IRREGULAR_PAST:
        return lex.IRREGULAR_PAST[lemma][1]
    return past


def difference_drafts(statement: str, names: Names) -> Iterator[Draft]:
    """For "No difference in X was seen between A and B": how did X compare between A and B?"""
    text = _TAIL_CUT.sub("", statement)
    found = _NO_DIFFERENCE.match(text)
    fronted: Words = ()
    if found:
        fronted = tuple((found["fronted"] or "").split())
        if fronted and fronted[0].lower() not in {"in", "at", "after", "among", "for", "during"}:
            return
    else:
        found = _DID_NOT_DIFFER.match(text)
    if found is None:
        return
    what = tuple(words(found["what"]))
    groups = tuple(words(found["groups"]))
    if not is_clean_noun_phrase(what) or len(groups) > 14 or not is_clean_noun_phrase(groups):
        return
    if has_number(groups) and quantity_end(groups):
        return
    if found["link"] == "between" and "and" not in groups and is_plural(groups) is not True:
        return
    body = ("how", "did", *plain(names.lower_first(what)), "compare", found["link"], *plain(groups))
    yield Draft("difference", body, fronted, ("difference",), 9)


def existential_drafts(statement: str) -> Iterator[Draft]:
    """For "There were 12 genes in the region": how many genes were there?"""
    tokens = tuple(words(statement))
    if tokens[0] != "There" or len(tokens) < 6 or tokens[1] not in {"are", "were"}:
        return
    start = 5 if tokens[2:5] == ("a", "total", "of") else 2
    end = quantity_end(tokens, start)
    number = tokens[end - 1].replace(",", "")
    if end != start + 1 or not (number.isdigit() or number in lex.NUMBER_WORDS):
        return
    if "," in tokens or "and" in tokens or set(tokens) & (lex.SUBORDINATORS | lex.AUXILIARIES) - {tokens[1]}:
        return
    boundary = next(
        (i for i in range(end, len(tokens)) if tokens[i] in lex.PREPOSITIONS - {"of"}), len(tokens)
    )
    counted, tail = tokens[end:boundary], tokens[boundary:]
    if not counted or is_plural(counted) is not True or not is_clean_noun_phrase(counted) or not tail:
        return
    body = ("how", "many", *plain(counted), tokens[1], "there", *plain(tail))
    yield Draft("existential", body, (), tokens[start:end], 9)
