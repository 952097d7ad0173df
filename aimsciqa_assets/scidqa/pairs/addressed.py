"""Which reviews the authors answer in a reply that they post below the submission, by the reviewers it names.

A reply names reviewers in its title ("Response to Reviewer 2"), else where its lines begin ("Dear Reviewer
2", "R2:"). Reviewers that it mentions elsewhere are not addressed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal

Reason = Literal["names_no_reviewer", "names_unknown_reviewer", "names_several_reviews"]

_SIGNATURE: Final = re.compile(r"reviewer_?(\w+)\Z", re.IGNORECASE)
_NAMES: Final = (
    r"(?:(?:anon)?reviewers?[ _#]*(?P<first>\w+)|R(?P<short>\d)\b)"
    r"(?P<others>(?:(?: ?(?:,|&|and) ?)+(?:(?:anon)?reviewer[ _#]*|R)?\d{1,2}\b)*)"
)
_MENTION: Final = re.compile(rf"\b{_NAMES}", re.IGNORECASE)
_BEGINS: Final = re.compile(
    r"^\W*(?:(?:dear|hi|hello|to|(?:our )?(?:response|reply|answer|rebuttal)s? (?:to|for)) )?(?:the )?"
    rf"{_NAMES}",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"\d+")


def reviewer_of(signature: str) -> str | None:
    """The number or code of a reviewer: 2 of AnonReviewer2, aB3d of Reviewer_aB3d; None for others."""
    found = _SIGNATURE.search(signature)
    return found[1] if found else None


def addressed(
    title: str | None, text: str, reviews: Mapping[str, Sequence[str]]
) -> tuple[list[str], Reason | None]:
    """The reviews that a reply answers, or the reason why it is not known; `reviews` are ids by reviewer."""
    named = _known_or_number(_MENTION.finditer(title or ""), reviews)
    named = named or _known_or_number(_beginnings(text), reviews)
    if not named:
        return [], "names_no_reviewer"
    found = [reviews[one] for one in named if one in reviews]
    if not found:
        return [], "names_unknown_reviewer"
    sure = [ids[0] for ids in found if len(ids) == 1]
    return sure, None if sure else "names_several_reviews"


def _beginnings(text: str) -> Iterator[re.Match[str]]:
    return (found for line in text.splitlines() if (found := _BEGINS.match(line)))


def _known_or_number(mentions: Iterable[re.Match[str]], reviews: Mapping[str, Sequence[str]]) -> list[str]:
    """Each reviewer once. A word behind "reviewer" is a name only if somebody is called so."""
    named = [
        name
        for found in mentions
        for name in (found["first"] or found["short"], *_NUMBER.findall(found["others"]))
        if name in reviews or name.isdigit()
    ]
    return list(dict.fromkeys(named))
