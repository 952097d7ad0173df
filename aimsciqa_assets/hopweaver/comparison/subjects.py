"""Step 1: the subject of a document and the attributes that it can be compared by."""

from dataclasses import dataclass
from typing import Final

from aimsciqa_assets.asking.faults import Fault
from aimsciqa_assets.hopweaver.delimited import records, without_marks

NO_SUBJECT: Final = "no_subject"
NO_ATTRIBUTES: Final = "no_attributes"
AMBIGUOUS: Final = "ambiguous_subject"


@dataclass(frozen=True, slots=True)
class Attribute:
    """A fact about the subject: what it is called, and the value that the document states."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Subject:
    """The one entity that a document treats."""

    name: str
    type: str
    attributes: tuple[Attribute, ...]


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """The document has no clear subject; `why` is the model's word, perhaps empty."""

    why: str


Found = Subject | Ambiguous


def read_subject(text: str) -> Found | Fault[Found]:
    """Read the reply to the first step; the last subject counts, and every attribute that has a value."""
    found = records(text, ("subject_entity", "attribute", AMBIGUOUS))
    attributes = [
        Attribute(*one.fields[:2]) for one in found if one.tag == "attribute" and all_given(one.fields)
    ]
    for one in reversed(found):
        if one.tag == "subject_entity" and all_given(one.fields):
            subject = Subject(one.fields[0], one.fields[1], tuple(attributes))
            if attributes:
                return subject
            return Fault(NO_ATTRIBUTES, "it gives the subject no attribute with a value", partial=subject)
    for one in found:
        if one.tag == AMBIGUOUS:
            return Ambiguous(one.fields[0])
    if "ambiguous" in without_marks(text).casefold():
        return Ambiguous("")
    return Fault(NO_SUBJECT, 'it has no record ("subject_entity"<|>"name"<|>"type")')


def all_given(fields: tuple[str, ...]) -> bool:
    """Whether a record has its first two fields."""
    return len(fields) > 1 and bool(fields[0]) and bool(fields[1])
