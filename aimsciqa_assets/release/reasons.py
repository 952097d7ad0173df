"""Why accepted items are not in a release, in sentences: for the report and the dataset card.

`release.items` has the reasons. An item with several has the first of them: a paper, a gate, a review, a
leak.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

GATES: Final = {
    "single_document": ("was answered right", "were answered right", "from one paper alone"),
    "closed_book": ("was answered right", "were answered right", "without any paper"),
    "unique_retrieval": (
        "has a target",
        "have a target",
        "that fewer than two retrievers rank first in its cluster",
    ),
    "no_duplicate": ("asks", "ask", "nearly the same as an earlier item"),
    "necessity": ("does", "do", "not need all documents or hops, by the necessity ledger"),
}
"""What items that fail a gate have in common: the verb for one item, that for several, and the rest."""

_ITEMS: Final = {f"failed_{gate}": said for gate, said in GATES.items()} | {
    "rejected_in_review": ("was", "were", "rejected in review"),
    "disputed_in_review": ("is", "are", "disputed among reviewers"),
    "not_accepted_in_review": ("was", "were", "not accepted by a reviewer"),
    "leaks_into_test": ("is a dev item", "are dev items", "that would give away parts of the test split"),
    "not_considered": ("is", "are", "not decided on yet"),
}
_PAPERS: Final = {
    "no_derivatives": "whose licence forbids derivatives",
    "text_mining_only": "whose licence allows text mining only",
    "licence_unknown": "whose licence is not known",
    "retracted": "that was retracted",
    "gone": "that is not in the corpus any more",
}


def said(counts: Iterable[tuple[str, int]]) -> list[str]:
    """A sentence for each reason with its number of items, the most frequent first.

    "2 ask nearly the same as an earlier item". The reasons that concern a paper are one, whatever the paper's
    role in the item.
    """
    items: Counter[str] = Counter()
    for reason, number in counts:
        items[_without_role(reason)] += number
    listed = sorted(items.items(), key=lambda item: (-item[1], item[0]))
    return [_sentence(reason, number) for reason, number in listed]


def left_out_by_gates(gates: str, counts: Mapping[str, int]) -> str:
    """Which gates a release applies, and how many items each left out."""
    if not gates.split():
        return "No quality gate was applied: items that fail one are in the release."
    numbers = "; ".join(f"`{gate}` left out {counts.get(f'failed_{gate}', 0):,}" for gate in gates.split())
    return (
        f"Quality gates that no item here failed, with the accepted items that each left out: {numbers}. "
        "What a gate could not decide passed."
    )


def _without_role(reason: str) -> str:
    """A paper's reason without its role: `source_retracted` is `retracted`."""
    of_paper = (about for about in _PAPERS if reason.endswith(f"_{about}"))
    return reason if reason in _ITEMS else next(of_paper, reason)


def _sentence(reason: str, number: int) -> str:
    if reason in _PAPERS:
        return f"{number:,} {_verb(number, 'rests', 'rest')} on a paper {_PAPERS[reason]}"
    if reason in _ITEMS:
        one, several, rest = _ITEMS[reason]
        return f"{number:,} {_verb(number, one, several)} {rest}"
    return f"{number:,}: {reason.replace('_', ' ')}"


def _verb(number: int, one: str, several: str) -> str:
    return one if number == 1 else several
