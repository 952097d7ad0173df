"""Questions about numbers: values, ranges, group sizes, percentages, conditions with a unit, dates."""

from collections.abc import Iterator
from typing import Final

from aimsciqa_assets.stand_in import lexicon as lex
from aimsciqa_assets.stand_in.asking import (
    Draft,
    Words,
    inverted,
    plain,
    subject_question,
)
from aimsciqa_assets.stand_in.clauses import Clause
from aimsciqa_assets.stand_in.context import Names
from aimsciqa_assets.stand_in.noun_phrases import head, is_participle, is_plural
from aimsciqa_assets.stand_in.quantities import (
    has_number,
    is_month,
    is_number,
    is_unit,
    is_year,
    quantity_end,
)

_MEASURE_NOUNS: Final = frozenset(
    """
    number percentage proportion concentration concentrations content contents level levels rate rates
    ratio mean average median age weight height length width size depth temperature volume time duration
    period distance density yield frequency prevalence incidence heritability score value values range
    amount dose cost price area efficiency sensitivity specificity accuracy coverage identity similarity
    probability odds risk power limit total sum thickness diameter mass speed variance variation
    correlation coefficient fold titer titre load pH intake consumption population capacity share count
    counts percent distance humidity reduction increase decrease difference diversity index estimate
    estimates n50 production threshold loss gain expectancy resolution pressure interval fraction
    activity absorption availability
    """.split()
)
_PEOPLE: Final = frozenset("participants patients subjects children women men respondents people".split())
_PP_STARTS: Final = frozenset(
    "until before in at among for during after under across within between on from of with by".split()
)


def measure_drafts(clause: Clause, names: Names) -> Iterator[Draft]:
    """All questions about numbers that the clause allows."""
    yield from _value(clause, names)
    yield from _range(clause, names)
    yield from _percentage_of_subject(clause, names)
    yield from _count_of_subject(clause, names)
    yield from _count_of_object(clause, names)
    yield from _condition(clause, names)
    yield from _share(clause, names)
    yield from _amount(clause, names)


def _value(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "The mean height was 120 cm in the control plots": what was it?"""
    averaging = clause.verb in {"average", "reach", "equal", "total", "exceed"} and clause.tense
    if not averaging and (clause.auxiliary not in lex.BE or clause.verb or clause.middle):
        return
    rest = clause.rest
    end = quantity_end(rest)
    if not end or not has_number(rest[:end]) or is_year(rest[end - 1]):
        return
    if clause.subject[0].lower() == "each":
        return
    noun = head(clause.subject).lower()
    measured = is_unit(rest[end - 1]) or "%" in rest[end - 1] or "." in rest[end - 1]
    if noun in _PEOPLE or (noun not in _MEASURE_NOUNS and not measured) or not clause.complete:
        return
    tail = rest[end:]
    if tail and (tail[0] not in _PP_STARTS - {"with", "of", "by"} or "and" in tail):
        return
    if averaging:
        if clause.verb == "exceed":
            return
        body: Words = (
            ("what", "value", *inverted(clause, names, "", tail))
            if clause.verb != "average"
            else (
                "what",
                "was" if clause.tense == "did" else "is",
                "the",
                "average",
                *_bare(clause.subject, names),
                *plain(tail),
            )
        )
    else:
        body = inverted(clause, names, "what", tail, adverbs=False)
    yield Draft("value", body, clause.fronted, rest[:end], 9)


def _bare(subject: Words, names: Names) -> Words:
    lowered = plain(names.lower_first(subject))
    return lowered[1:] if lowered[0] in {"the", "a", "an"} else lowered


def _range(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Intron sizes ranged from 5 bp to 8000 bp": what was their range?"""
    if clause.verb not in {"range", "ranged", "vary", "varied"} or clause.rest[:1] not in {
        ("from",),
        ("between",),
    }:
        return
    if clause.auxiliary and clause.verb != "ranged":
        return
    end = quantity_end(clause.rest)
    tail = clause.rest[end:]
    if end < 3 or (tail and (tail[0] not in _PP_STARTS or "and" in tail)):
        return
    be = "was" if clause.tense == "did" else "is"
    body = ("what", be, "the", "range", "of", *plain(names.lower_first(clause.subject)), *plain(tail))
    yield Draft("range", body, clause.fronted, clause.rest[:end], 9)


def _percentage_of_subject(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "About 30% of the households used masks": what percentage of them?"""
    end = quantity_end(clause.subject)
    subject = clause.subject
    if not end or ("%" not in "".join(subject[:end]) and "percent" not in subject[:end]):
        return
    if (
        end >= len(subject)
        or subject[end] != "of"
        or has_number(subject[end:])
        or not clause.complete
        or _unfinished(clause.rest)
    ):
        return
    yield Draft(
        "percentage",
        subject_question(clause, "what percentage", subject[end:]),
        clause.fronted,
        subject[:end],
        10,
    )


def _count_of_subject(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "A total of 59 QTL were identified": how many?"""
    subject = clause.subject
    start = 3 if [word.lower() for word in subject[:3]] == ["a", "total", "of"] else 0
    end = quantity_end(subject, start)
    counted = tuple(word for word in subject[end:] if not word.startswith("("))
    if end == start or not counted or not _counts(subject[start:end]) or is_plural(counted) is False:
        return
    if counted[0] in lex.PREPOSITIONS - {"of"} or is_unit(counted[0]) or is_number(counted[0]):
        return
    if counted[0] == "of" and len(counted) < 3:
        return
    if not start and subject[0].lower() == "two" and clause.rest[:1] == ("of",):
        return
    if (
        is_plural(counted) is None
        and head(counted).lower() not in {"qtl", "qtls", "snps", "degs", "species"}
        and not _many(counted)
    ):
        return
    if (
        clause.finite in lex.SINGULAR_AUXILIARIES
        or clause.finite in lex.THIRD_FORMS
        or _unfinished(clause.rest)
    ):
        return
    if len(clause.rest) < 2 or not clause.complete or (not clause.verb and clause.auxiliary not in lex.BE):
        return
    yield Draft(
        "count", subject_question(clause, "how many", counted), clause.fronted, subject[start:end], 10
    )


def _unfinished(rest: Words) -> bool:
    """For "... to cells and ~29% to": a second count, or a last word that wants another."""
    second = any(word == "and" and quantity_end(rest, i + 1) > i + 1 for i, word in enumerate(rest))
    if "and" in rest and _CLAUSE_VERBS & set(rest[rest.index("and") :]):
        return True
    return second or rest[-1:] == () or rest[-1] in lex.PREPOSITIONS


_CLAUSE_VERBS: Final = frozenset("showed revealed indicated differed increased decreased had".split())


def _many(counted: Words) -> bool:
    return counted[0] == "of"


def _counts(quantity: Words) -> bool:
    """A whole number without a unit."""
    numbers = [word for word in quantity if is_number(word)]
    if len(numbers) != 1 or any(is_unit(word) for word in quantity):
        return False
    number = numbers[0].replace(",", "")
    return number.isdigit() or number.lower() in lex.NUMBER_WORDS


def _count_of_object(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "The panel included 130 lines from India": how many did it include?"""
    verbs = lex.OBJECT_VERBS | {"have", "consist", "reveal", "report"}
    rest = clause.rest
    if clause.verb not in verbs or not clause.tense:
        return
    preposition: Words = ()
    if clause.verb == "consist":
        if rest[:1] != ("of",):
            return
        preposition, rest = ("of",), rest[1:]
    start = 3 if rest[:3] == ("a", "total", "of") else 0
    end = quantity_end(rest, start)
    if end == start or not _counts(rest[start:end]) or has_number(rest[end:]) or "and" in rest[end:]:
        return
    boundary = next(
        (
            i
            for i in range(end, len(rest))
            if rest[i] in lex.PREPOSITIONS - {"of"} or (i > end and is_participle(rest[i]))
        ),
        len(rest),
    )
    counted, tail = rest[end:boundary], rest[boundary:]
    if not counted or is_plural(counted) is not True or is_unit(counted[0]) or not clause.complete:
        return
    body = (*inverted(clause, names, "how many " + " ".join(plain(counted))), *preposition, *plain(tail))
    yield Draft("count_object", body, clause.fronted, rest[start:end], 9)


_TIME_UNITS: Final = frozenset(
    """
    min mins minutes minute h hr hrs hours hour days day weeks week months month years year s sec
    seconds
    """.split()
)
_CONDITIONS: Final[dict[str, tuple[tuple[frozenset[str], str], ...]]] = {
    "at": (
        (frozenset({"°C", "ºC", "℃", "K"}), "at what temperature"),
        (frozenset({"rpm", "g"}), "at what speed"),
        (frozenset({"nm"}), "at what wavelength"),
    ),
    "for": ((_TIME_UNITS, "for how long"),),
}


def _condition(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "The samples were stored at −80 °C": at what temperature? Also dates: "in 1947", "in May 2010"."""
    if not clause.passive:
        return
    rest = clause.rest
    for i, word in enumerate(rest):
        if word in {"in", "from", "between", "since", "during"}:
            end = _date_end(rest, i)
            wh = "when" if word != "since" else "since when"
        elif word in _CONDITIONS:
            end = quantity_end(rest, i + 1)
            wh = _condition_wh(word, rest[i + 1 : end])
            if (
                word == "at"
                and rest[end - 1] in _TIME_UNITS
                and rest[end : end + 1] in {("after",), ("post",)}
            ):
                end, wh = len(rest), "when"
        else:
            continue
        if not wh or end <= i + 1:
            continue
        before, tail = rest[:i], rest[end:]
        if (
            "and" in rest
            or has_number(before)
            or has_number(tail)
            or (tail and tail[0] not in (_PP_STARTS - {"of"}) | {"to"})
        ):
            continue
        if before and before[0] not in _PP_STARTS | {"as", "to"} and not before[0].endswith("ly"):
            continue
        if (
            any(map(is_participle, before))
            or any(word.endswith("ing") for word in before)
            or not clause.complete
        ):
            continue
        yield Draft(
            "condition", inverted(clause, names, wh, (*before, *tail)), clause.fronted, rest[i:end], 8
        )
        return


def _condition_wh(preposition: str, quantity: Words) -> str:
    joined = " ".join(quantity)
    for units, wh in _CONDITIONS[preposition]:
        if any(unit in quantity for unit in units) or (("°C" in joined or "ºC" in joined) and "°C" in units):
            return wh
    return ""


def _date_end(rest: Words, i: int) -> int:
    """The end of a date that begins after the preposition at `i`; `i` where there is none."""
    j = i + 1
    seen = False
    while j < len(rest):
        if is_year(rest[j]):
            seen = True
        elif not (
            is_month(rest[j])
            or (
                rest[j]
                in {
                    "to",
                    "and",
                    "of",
                    "until",
                    "early",
                    "late",
                    "–",
                    "the",
                    "summer",
                    "winter",
                    "spring",
                    "autumn",
                }
            )
        ):
            break
        j += 1
    while j > i + 1 and not is_year(rest[j - 1]):
        j -= 1
    return j if seen else i


def _share(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Wheat accounted for 20% of the intake": what percentage of it?"""
    if (
        clause.verb
        not in {"account", "represent", "constitute", "contribute", "explain", "cover", "comprise"}
        or not clause.tense
    ):
        return
    rest = clause.rest
    preposition: Words = ()
    if clause.verb == "account":
        if rest[:1] != ("for",):
            return
        preposition, rest = ("for",), rest[1:]
    end = quantity_end(rest)
    if not end or "%" not in "".join(rest[:end]) or rest[end : end + 1] != ("of",) or has_number(rest[end:]):
        return
    body = (*inverted(clause, names, "what percentage " + " ".join(plain(rest[end:]))), *preposition)
    yield Draft("share", body, clause.fronted, rest[:end], 10)


def _amount(clause: Clause, names: Names) -> Iterator[Draft]:
    """For "Malting reduced phytate by 30% in flour": by how much did it?"""
    if clause.verb not in lex.CHANGE_VERBS | lex.EFFECT_VERBS or not clause.tense or "by" not in clause.rest:
        return
    i = clause.rest.index("by")
    end = quantity_end(clause.rest, i + 1)
    before, tail = clause.rest[:i], clause.rest[end:]
    if end == i + 1 or has_number(before) or has_number(tail) or not clause.complete or "and" in clause.rest:
        return
    if (tail and tail[0] not in _PP_STARTS | {"compared", "relative"}) or (
        before and before[-1] in lex.PREPOSITIONS
    ):
        return
    if not clause.names_its_subject:
        return
    body = inverted(clause, names, "by how much", (*before, *tail), adverbs=False)
    yield Draft("amount", body, clause.fronted, clause.rest[i:end], 10)
