"""What is wrong with a reply."""

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fault(Generic[T]):
    """A reply that cannot be used as it is.

    `reason` is one word for counting. `complaint` is for the model and completes the sentence "That reply
    cannot be used: ..."; it is empty where there was no reply. `partial` is what could be read nevertheless.
    """

    reason: str
    complaint: str = ""
    partial: T | None = None
