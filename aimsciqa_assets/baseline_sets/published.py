"""Records of the published files as items: what each set calls its parts, and what must be there.

HotpotQA and 2WikiMultihopQA name supporting sentences by title and number; each sub-question of MuSiQue names
a supporting paragraph. Documents of an item stand in the order in which they support it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Literal, get_args

from aimsciqa_assets.platform.identity import row_id

SetName = Literal["hotpotqa", "2wiki", "musique"]
SETS: Final[tuple[SetName, ...]] = get_args(SetName)
TITLES: Final = {"hotpotqa": "HotpotQA", "2wiki": "2WikiMultihopQA", "musique": "MuSiQue"}
KINDS: Final[Mapping[str, Mapping[str, str]]] = {
    "hotpotqa": {"bridge": "hotpotqa_bridge", "comparison": "hotpotqa_comparison"},
    "2wiki": {"compositional": "2wiki_bridge", "comparison": "2wiki_comparison"},
    "musique": {"2hop": "musique_2hop"},
}
"""The kinds of items that are taken, by what the set calls them: those of HopWeaver's comparison."""

ROLES: Final = ("first", "second", "third", "fourth")

UNREADABLE: Final = "unreadable"
OTHER_KIND: Final = "other_kind"
UNANSWERABLE: Final = "unanswerable"
NOT_FOUND: Final = "evidence_not_found"
TOO_FEW: Final = "too_few_documents"
TOO_MANY: Final = "too_many_documents"


class RejectedRecordError(ValueError):
    """A record that becomes no item: the `reason`, a detail, and as far as known its id and kind."""

    def __init__(self, reason: str, detail: str, record_id: str = "", kind: str = "") -> None:
        super().__init__(detail)
        self.reason, self.record_id, self.kind = reason, record_id, kind


@dataclass(frozen=True, slots=True)
class SetDocument:
    """A paragraph of a set with its title."""

    title: str
    text: str

    @property
    def document_id(self) -> str:
        """The same for the same title and text, in whichever item or set it stands."""
        return f"baseline-{row_id(self.title, self.text)}"


@dataclass(frozen=True, slots=True)
class Support:
    """A stretch of a document that carries the answer."""

    document: SetDocument
    sentence: str


@dataclass(frozen=True, slots=True)
class Hop:
    """A sub-question that the document at `position`, from 1, answers; its `bridge` is an earlier answer."""

    position: int
    question: str
    answer: str
    bridge: str | None = None


@dataclass(frozen=True, slots=True)
class SetItem:
    """An item of a set: its context with the distractors, and what supports its answer, in order."""

    record_id: str
    kind: str
    question: str
    answer: str
    context: tuple[SetDocument, ...]
    supports: tuple[Support, ...]
    hops: tuple[Hop, ...] = ()

    @property
    def documents(self) -> tuple[SetDocument, ...]:
        """The documents that support the answer."""
        return tuple(dict.fromkeys(support.document for support in self.supports))


def recognised(value: Any) -> SetName | None:
    """The set that a record is of; None where that cannot be told."""
    if not isinstance(value, dict):
        return None
    if {"paragraphs", "question_decomposition"} <= value.keys():
        return "musique"
    if {"context", "supporting_facts", "evidences"} <= value.keys():
        return "2wiki"
    if {"context", "supporting_facts", "level"} <= value.keys():
        return "hotpotqa"
    return None


def item_of(set_name: SetName, value: Any) -> SetItem:
    """The item of a record. Raises `RejectedRecordError`."""
    if not isinstance(value, dict):
        raise RejectedRecordError(UNREADABLE, "the record is no object")
    record_id = value.get("id" if set_name == "musique" else "_id")
    if not isinstance(record_id, str) or not record_id.strip():
        raise RejectedRecordError(UNREADABLE, "the record has no id")
    kind = ""
    try:
        called = record_id.partition("__")[0] if set_name == "musique" else _text(value, "type")
        kind = KINDS[set_name].get(called, "")
        if not kind:
            raise RejectedRecordError(OTHER_KIND, called)
        read = _musique if set_name == "musique" else _of_sentences
        return _checked(read(record_id, kind, value))
    except RejectedRecordError as error:
        raise RejectedRecordError(error.reason, str(error), record_id, kind) from None
    except (KeyError, TypeError, ValueError, IndexError) as error:
        detail = f"not in the published form: {type(error).__name__}: {error}"
        raise RejectedRecordError(UNREADABLE, detail, record_id, kind) from None


def _checked(item: SetItem) -> SetItem:
    number = len(item.documents)
    if number < 2:
        raise RejectedRecordError(TOO_FEW, f"{number} supporting documents")
    if number > len(ROLES):
        raise RejectedRecordError(TOO_MANY, f"{number} supporting documents")
    return item


def _of_sentences(record_id: str, kind: str, value: Mapping[str, Any]) -> SetItem:
    """A record of HotpotQA or 2WikiMultihopQA."""
    context = [(str(title), [str(one) for one in sentences]) for title, sentences in value["context"]]
    documents = [SetDocument(title, joined(sentences)) for title, sentences in context]
    supports = []
    for title, number in value["supporting_facts"]:
        named = (
            (*one, document) for one, document in zip(context, documents, strict=True) if one[0] == title
        )
        held = next(((told, document) for _, told, document in named if 0 <= number < len(told)), None)
        if held is None or not held[0][number].strip():
            raise RejectedRecordError(NOT_FOUND, f"sentence {number} of {title!r} is not in the context")
        supports.append(Support(held[1], held[0][number].strip()))
    item = SetItem(
        record_id,
        kind,
        _text(value, "question"),
        _text(value, "answer"),
        tuple(one for one in dict.fromkeys(documents) if one.text),
        # By document, each with its sentences in the order in which they are named.
        tuple(_by_document(dict.fromkeys(supports))),
    )
    hops = tuple(_triples(item, value.get("evidences") or []))
    return SetItem(item.record_id, kind, item.question, item.answer, item.context, item.supports, hops)


def _by_document(supports: Mapping[Support, None]) -> Iterator[Support]:
    for document in dict.fromkeys(support.document for support in supports):
        yield from (support for support in supports if support.document == document)


def _triples(item: SetItem, triples: list[Any]) -> Iterator[Hop]:
    """The triples of 2WikiMultihopQA as sub-questions, where there is one for each document."""
    documents = item.documents
    if len(triples) != len(documents):
        return
    places = _places([str(subject) for subject, _, _ in triples], [one.title for one in documents])
    earlier = set[str]()
    for place, triple in sorted(zip(places, triples, strict=True), key=lambda one: one[0]):
        subject, relation, thing = map(str, triple)
        bridge = subject if item.kind == "2wiki_bridge" and subject in earlier else None
        yield Hop(place, f"What is the {relation} of {subject}?", thing, bridge)
        earlier.add(thing)


def _places(subjects: list[str], titles: list[str]) -> list[int]:
    """The document of each triple, from 1: the one whose title its subject is, else the one at its place."""
    plain = [title.partition(" (")[0].casefold() for title in titles]
    named = [subject.partition(" (")[0].casefold() for subject in subjects]
    if len(set(plain)) == len(plain) and sorted(plain) == sorted(named):
        return [plain.index(subject) + 1 for subject in named]
    return list(range(1, len(subjects) + 1))


def _musique(record_id: str, kind: str, value: Mapping[str, Any]) -> SetItem:
    if value.get("answerable") is False:
        raise RejectedRecordError(UNANSWERABLE, "the set calls it unanswerable")
    documents = {
        one["idx"]: SetDocument(str(one["title"]), _in_one_line(str(one["paragraph_text"])))
        for one in value["paragraphs"]
    }
    supports, answers = list[Support](), list[str]()
    steps = list[tuple[SetDocument, str, str, str | None]]()
    for step in value["question_decomposition"]:
        document = documents.get(step["paragraph_support_idx"])
        if document is None or not document.text:
            raise RejectedRecordError(NOT_FOUND, f"paragraph {step['paragraph_support_idx']} is not there")
        question, bridge = _filled(_text(step, "question"), answers)
        answers.append(_text(step, "answer"))
        supports.append(Support(document, document.text))
        steps.append((document, question, answers[-1], bridge))
    order = list(dict.fromkeys(document for document, *_ in steps))
    return SetItem(
        record_id,
        kind,
        _text(value, "question"),
        _text(value, "answer"),
        tuple(one for one in dict.fromkeys(documents.values()) if one.text),
        tuple(dict.fromkeys(supports)),
        tuple(Hop(order.index(document) + 1, asked, told, bridge) for document, asked, told, bridge in steps),
    )


def _filled(question: str, answers: list[str]) -> tuple[str, str | None]:
    """A sub-question with earlier answers in place of `#1`, ..., and the last of these."""
    bridge = None
    for number, answer in reversed(list(enumerate(answers, start=1))):
        if f"#{number}" in question:
            question, bridge = question.replace(f"#{number}", answer), bridge or answer
    return question, bridge


def joined(sentences: list[str]) -> str:
    """Sentences as a paragraph: HotpotQA's bring their blanks, those of 2WikiMultihopQA have none."""
    with_blanks = any(one[-1:].isspace() or other[:1].isspace() for one, other in pairwise(sentences))
    return _in_one_line(("" if with_blanks else " ").join(sentences))


def _in_one_line(text: str) -> str:
    """A paragraph without line ends, which would make several of it."""
    return " ".join(filter(None, map(str.strip, text.splitlines())))


def _text(value: Mapping[str, Any], name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str) or not text.strip():
        raise RejectedRecordError(UNREADABLE, f"{name} is missing")
    return text.strip()
