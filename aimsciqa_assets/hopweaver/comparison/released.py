"""Reads replies as the authors' released code does, losses included, to repeat what it would have kept.

It differs from our readings where replies stray from the form: it loses quoted and fractional scores, and
records without blanks around "##".
The tests hold it to the reference cases. Our own readers are in the modules of the steps.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.comparison.queries import (
    DIVERSIFIED,
    HOW_MANY,
    NO_QUERIES,
    RECOMMENDED,
    Diversified,
    Queries,
    Recommendation,
    queries_in_lines,
    templates,
)
from aimsciqa_assets.hopweaver.comparison.questions import FIELDS, Built, Comparison, NoPair
from aimsciqa_assets.hopweaver.comparison.scores import AttributeScore, Joined, Scores
from aimsciqa_assets.hopweaver.comparison.subjects import (
    NO_ATTRIBUTES,
    NO_SUBJECT,
    Attribute,
    Found,
    Subject,
)
from aimsciqa_assets.hopweaver.delimited import COMPLETE

_FENCED = re.compile(r"```[^\n]*\n(.*?)```", re.DOTALL)


def read_subject(text: str) -> Found | Fault[Found]:
    """The last subject and all attributes, of sections that " ## " separates."""
    written = _without_mark(text)
    fenced = _FENCED.search(written)
    if fenced and _is_json(fenced[1]):
        return Fault(NO_SUBJECT, "it is JSON")
    subject: tuple[str, str] | None = None
    attributes = []
    for section in written.split(" ## "):
        fields = [_bare(one) for one in section.strip().strip("[]()").strip().split("<|")]
        if len(fields) < HOW_MANY:
            continue
        if _has_tag(section, "subject_entity"):
            subject = fields[1], fields[2]
        elif _has_tag(section, "attribute"):
            attributes.append(Attribute(fields[1], fields[2]))
    if subject is None:
        return Fault(NO_SUBJECT, "it names no subject")
    found = Subject(*subject, tuple(attributes))
    return found if attributes else Fault(NO_ATTRIBUTES, "it names no attribute", partial=found)


def read_scores(text: str) -> Scores:
    """Whole numbers only, and 0 for a subject whose score cannot be read."""
    written = _without_mark(text)
    if written.startswith('"') and written.endswith('"'):
        written = written[1:-1].strip()
    first, *others = (part.strip() for part in written.split("##"))
    if others and first.isdecimal() and int(first) > 0:
        return Scores(int(first), tuple(_behind_number(others)))
    entity = 0
    scored: tuple[AttributeScore, ...] = ()
    if others and "<|>" in written:
        entity = _number(first.split("<|>")[1].strip().rstrip(")")) if '"entity_score"<|>' in first else 0
        scored = tuple(_tagged(others))
    elif "|" in written and "{" not in written:
        entity = _number(written.split("\n")[0].strip().split("|")[0])
    return _in_json(written, entity, scored)


def joined(attributes: Iterable[Attribute], scores: Scores) -> Joined:
    """Joined by the exact name; the first of several attributes of a name counts, each time it is scored."""
    by_name: dict[str, Attribute] = {}
    for one in attributes:
        by_name.setdefault(one.name, one)
    return tuple((by_name[one.name], one.comparability) for one in scores.attributes if one.name in by_name)


def read_queries(text: str, subject: Subject) -> Queries | Fault[Queries]:
    """Fields keep their quotation marks; a reply that names neither form gets the three queries by rule."""
    written = _without_mark(text)
    form = next((one for one in (RECOMMENDED, DIVERSIFIED) if one in written), None)
    if form:
        _, *fields = (one.strip() for one in written.strip("()").strip().split("<|>"))
        if len(fields) < HOW_MANY:
            return Fault(NO_QUERIES, "it has too few fields")
        given = fields[:HOW_MANY]
        return Recommendation(*given) if form == RECOMMENDED else Diversified(tuple(given))
    lines = queries_in_lines(written)
    if len(lines) >= HOW_MANY:
        return Diversified(tuple(lines[:HOW_MANY]))
    if subject.name and subject.type:
        return templates(subject)
    return Fault(NO_QUERIES, "it has no queries")


def read_question(text: str) -> Built | Fault[Built]:
    """Each field runs from the first place of its name, wherever that is, to the next name."""
    written = text.strip()
    if written.startswith("```") and (end := written.rfind("```")) > len("```"):
        written = written[written.find("\n") + 1 : end].strip()
    if written.startswith("FAIL"):
        return NoPair("")
    if written.startswith("PASS"):
        line_end = written.find("\n")
        written = written[line_end:].strip() if line_end >= 0 else written.replace("PASS", "").strip()
    known = {f"{other}:": name for name, others in FIELDS.items() for other in (name, *others)}
    places = sorted((place, mark) for mark in known if (place := written.find(mark)) >= 0)
    ends = [*(place for place, _ in places[1:]), len(written)]
    values = dict.fromkeys(FIELDS, "")
    for (place, mark), end in zip(places, ends, strict=False):
        values[known[mark]] = written[place + len(mark) : end].strip()
    missing = [name for name, value in values.items() if not value]
    if missing:
        return Fault(f"missing_field:{missing[0]}", f"it lacks {', '.join(missing)}")
    return Comparison(**values)


def _without_mark(text: str) -> str:
    return text.replace(COMPLETE, "").strip()


def _is_json(text: str) -> bool:
    try:
        return bool(json.loads(text)) if text.strip().startswith(("{", "[")) else False
    except (ValueError, RecursionError):
        return False


def _has_tag(section: str, tag: str) -> bool:
    return f"{tag}<|" in section or f'"{tag}"<|' in section


def _bare(field: str) -> str:
    return field.strip().strip('"').strip(">").strip('"')


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0


def _behind_number(parts: Iterable[str]) -> Iterator[AttributeScore]:
    """Of the form `5 ## ("name"<|>"value"<|>5)`."""
    for part in parts:
        fields = [field.strip() for field in part.split("<|>")]
        if len(fields) > 2 and (score := fields[2].rstrip(")").strip('"')).isdecimal():
            yield AttributeScore(fields[0].strip("(").strip('"'), fields[1].strip('"'), int(score))


def _tagged(parts: Iterable[str]) -> Iterator[AttributeScore]:
    """Of the form `("entity_score"<|>5) ## ("attribute_score"<|>"name"<|>"value"<|>5)`."""
    for part in parts:
        fields = part.split("<|>")
        if '"attribute_score"<|>' not in part or len(fields) < 4:
            continue
        if (score := fields[3].strip().rstrip(")")).isdecimal():
            yield AttributeScore(fields[1].strip('"'), fields[2].strip('"'), int(score))


def _in_json(written: str, entity: int, scored: tuple[AttributeScore, ...]) -> Scores:
    """The scores of a JSON object, if the reply is one; those read before where it is none."""
    if written.startswith("```"):
        language, line_end, rest = written.partition("\n")
        written = (rest if line_end else language).replace("```", "").strip()
    written = written.replace("Output:", "").strip()
    found = list(scored)
    try:
        value: Any = json.loads(written) if written.startswith("{") and written.endswith("}") else {}
        entity = int(value.get("concreteness_score", entity))
        listed = value.get("attribute_scores")
        for one in listed if isinstance(listed, list) else ():
            if "attribute_name" in one and "comparability_score" in one:
                name, comparability = one["attribute_name"], int(one["comparability_score"])
                found.append(AttributeScore(name, one.get("attribute_value", ""), comparability))
    except (ValueError, TypeError, AttributeError, RecursionError):
        pass
    return Scores(entity, tuple(found))
