"""Reads what a model replied to a multi-hop request, even if its XML is broken.

The prompt fixes the shape (AIM-SciQA, appendix A.2): three components with a question and an answer and one
with the verdicts, or the refusal sentence. Models rarely write well-formed XML, so this is no XML parser: it
looks for the few tags that it knows and takes the text between them. The module `validation` judges the
content.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.entities import html5
from typing import Final, Literal

from aimsciqa_resources.language_model.thinking import reply_text, without_control

REFUSAL_SENTENCE: Final = "Cannot generate inter-document multi-hop question."

Criterion = Literal["fluency", "completeness", "cross_reference_necessity", "relational_appropriateness"]
CRITERIA: Final[tuple[Criterion, ...]] = (
    "fluency",
    "completeness",
    "cross_reference_necessity",
    "relational_appropriateness",
)


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """A question and its answer, as the model wrote them, without outer white space; either may be empty."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Composition:
    """A complete reply.

    `verdicts` says for every criterion whether the model accepts the item. `decision` is the model's own
    conclusion, None when it gave none; the verdicts alone decide.
    """

    retrieval: QuestionAnswer
    inter_document: QuestionAnswer
    merged: QuestionAnswer
    verdicts: dict[Criterion, bool]
    decision: bool | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """The model found no meaningful relation between the two papers (step 0 of the prompt)."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """A reply that is neither a composition nor a refusal.

    `reason` is one word, sometimes with a part after a colon: `missing_component:qa_validation`.
    """

    reason: str


Reply = Composition | Refusal | Malformed

_PAIRS: Final = ("find_target_paper", "generate_inter_document_qa", "merge_complete_qa")
_VALIDATION: Final = "qa_validation"

_TAG = re.compile(r"<\s*(/?)\s*(outputs|component|question|answer|score)\b([^<>]*)>", re.IGNORECASE)
_TYPE = re.compile(r"""\btype\s*=\s*(?:"([^"]*)"|'([^']*)'|(.*))""", re.IGNORECASE | re.DOTALL)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|\w+);")
_VERDICT = re.compile(r"\W*(accept|reject)", re.IGNORECASE)
_REFUSED = re.compile(
    r"\b(?:cannot|can not|can t|could not|unable to) generate (?:an? |any )?"
    r"inter ?document multi ?hop (?:question|qa)"
)
_NAMED_TITLE = re.compile(r"identified\s+target\s+paper\s*[:\-–—]?\s*(.*)", re.IGNORECASE | re.DOTALL)
_QUOTED_TO_THE_END = re.compile(r"""['"‘“](.*)['"’”][\s.]*""", re.DOTALL)
_QUOTED_BEFORE_MORE = re.compile(r"""['"‘“](.*?)['"’”]\.\s""", re.DOTALL)


def read_reply(text: str) -> Reply:
    """Read the content of a reply; never raises.

    Fences, text around the XML, a model's thinking, unescaped `&` and `<`, CDATA, missing closing tags, loose
    attribute quotes and case are tolerated. If a component is repeated, the first one counts. A refusal
    counts wherever it stands, except around a complete composition that holds no refusal itself.
    """
    answered = reply_text(text)
    if not answered.strip():
        return Malformed("empty_reply")
    if "<component" not in answered.lower() and "&lt;component" in answered.lower():
        answered = html.unescape(answered)
    fields = _fields(answered)
    reply = _composition(fields)
    written_instead = " ".join(fields.values())
    if isinstance(reply, Composition) and not _refuses(written_instead):
        return reply
    if _refuses(answered):
        return Refusal()
    return reply


def identified_title(answer: str) -> str | None:
    """Read the title in `Identified target paper: '<title>'.`; None when the answer has another shape."""
    named = _NAMED_TITLE.search(answer)
    if named is None:
        return None
    rest = named.group(1).strip()
    quoted = _QUOTED_TO_THE_END.fullmatch(rest) or _QUOTED_BEFORE_MORE.match(rest)
    return (quoted.group(1) if quoted else rest).strip() or None


def _composition(fields: dict[tuple[str, str], str]) -> Composition | Malformed:
    """The composition that the fields give, or the first thing that is missing, in the prompt's order."""
    components = {component for component, _ in fields}
    if not components:
        return Malformed("no_components")
    for component in (*_PAIRS, _VALIDATION):
        if component not in components:
            return Malformed(f"missing_component:{component}")
    for component in _PAIRS:
        for name in ("question", "answer"):
            if (component, name) not in fields:
                return Malformed(f"missing_{name}:{component}")
    verdicts: dict[Criterion, bool] = {}
    for criterion in CRITERIA:
        if (_VALIDATION, criterion) not in fields:
            return Malformed(f"missing_score:{criterion}")
        verdict = _verdict(fields[_VALIDATION, criterion])
        if verdict is None:
            return Malformed(f"unreadable_score:{criterion}")
        verdicts[criterion] = verdict
    retrieval, inter_document, merged = (
        QuestionAnswer(fields[component, "question"], fields[component, "answer"]) for component in _PAIRS
    )
    decision = _verdict(fields.get((_VALIDATION, "decision"), ""))
    return Composition(retrieval, inter_document, merged, verdicts, decision)


def _fields(text: str) -> dict[tuple[str, str], str]:
    """Values by (component, field). Every component also has the entry (component, "")."""
    fields: dict[tuple[str, str], str] = {}
    seen: set[str] = set()
    component: str | None = None
    for closing, tag, attributes, value in _tags(_CDATA.sub(lambda cdata: html.escape(cdata[1]), text)):
        if tag in ("component", "outputs"):
            component = None
        if closing or tag == "outputs":
            continue
        if tag == "component":
            name = _name(attributes)
            if name not in seen:
                component = name
                seen.add(name)
                fields[name, ""] = ""
        elif component is not None:
            fields.setdefault((component, _name(attributes) if tag == "score" else tag), value)
    return fields


def _tags(text: str) -> Iterator[tuple[bool, str, str, str]]:
    """Give every tag as (closing?, name, attributes, text up to the next tag)."""
    found = list(_TAG.finditer(text))
    ends = [*(following.start() for following in found[1:]), len(text)]
    for tag, end in zip(found, ends, strict=False):
        yield bool(tag[1]), tag[2].lower(), tag[3], _unescape(text[tag.end() : end]).strip()


def _name(attributes: str) -> str:
    """`cross_reference_necessity` from `type="Cross-reference Necessity"`, however it is written."""
    written = _TYPE.search(attributes)
    value = next((group for group in written.groups() if group is not None), "") if written else ""
    name = re.sub(r"[\W_]+", "_", value.casefold()).strip("_")
    return "decision" if name == "overall_decision" else name


def _unescape(value: str) -> str:
    """Replaces entities. Unlike `html.unescape`, it leaves `&copy` without a semicolon alone."""
    plain = _ENTITY.sub(
        lambda entity: html.unescape(entity[0]) if _is_entity(entity[0]) else entity[0], value
    )
    return without_control(plain)


def _is_entity(reference: str) -> bool:
    return reference[1] == "#" or reference[1:] in html5


def _verdict(value: str) -> bool | None:
    written = _VERDICT.match(value)
    return written.group(1).lower() == "accept" if written else None


def _refuses(text: str) -> bool:
    words = re.sub(r"[\W_]+", " ", text.casefold())
    return _REFUSED.search(words) is not None
