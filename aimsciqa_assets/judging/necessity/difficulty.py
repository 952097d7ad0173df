"""How hard an item is: hops, place of its worst document, overlap of words, and who solves it."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final

from aimsciqa_assets.judging.necessity.items import Item
from aimsciqa_assets.judging.necessity.rules import RULES, row
from aimsciqa_assets.judging.necessity.searching import Nearest
from aimsciqa_assets.judging.necessity.words import terms

Row = dict[str, Any]

_NEAR, _FAR = 10, 100
_THIRD: Final = 1 / 3


def difficulty_rows(
    items: Iterable[Item], nearest: Nearest, solved: Mapping[str, Sequence[bool]], seed: int
) -> list[Row]:
    """Rows of `quality.difficulty`; `solved` says of each answerer of an item whether it was right."""
    rows = [_measured(item, nearest, solved.get(item.item_id, ())) for item in items]
    # Drawn by item, so that the place of one does not change with what other cells hold.
    rows.sort(key=lambda one: Random(f"{seed} {one['item_id']}").random())
    places: dict[str, int] = {}
    for one in rows:
        of_kind = f"{one['variant']} {one['cell']}"
        one["place"] = places[of_kind] = places.get(of_kind, 0) + 1
    return sorted(rows, key=lambda one: one["item_id"])


def difficulty_verdict(item: Item, measured: Row, quota: int) -> Row:
    """The ledger's row: an item fails when its cell has no room for it; without a quota there is room."""
    full = bool(quota) and measured["place"] > quota
    said = f"{measured['cell']}; number {measured['place']} of its cell" + (
        f", which takes {quota}" if quota else ""
    )
    return row(item, "difficulty", RULES, "fail" if full else "pass", said)


def _measured(item: Item, nearest: Nearest, solved: Sequence[bool]) -> Row:
    places = {one.paper_id: one.rank for one in nearest.get(item.question, [])}
    ranks = [places.get(source.paper_id) for source in item.sources if not source.in_hand]
    known = [rank for rank in ranks if rank is not None]
    worst = max(known) if known and len(known) == len(ranks) else None
    asked = terms(item.question)
    held = terms(" ".join(quote for quotes in item.quotes.values() for quote in quotes))
    overlap = len(asked & held) / len(asked) if asked else 0.0
    rate = sum(solved) / len(solved) if solved else None
    hops = max(len(item.hops), 1)
    return {
        "item_id": item.item_id,
        "variant": item.variant,
        "hops": hops,
        "worst_rank": worst,
        "overlap": overlap,
        "pass_rate": rate,
        "cell": f"{hops} hops, {_of_rank(worst)}, overlap {_of_overlap(overlap)}, {_of_rate(rate)}",
    }


def _of_rank(rank: int | None) -> str:
    if rank is None:
        return "not searched"
    return f"found in {_NEAR}" if rank <= _NEAR else f"found in {_FAR}" if rank <= _FAR else f"below {_FAR}"


def _of_overlap(overlap: float) -> str:
    return "low" if overlap < _THIRD else "middle" if overlap < 2 * _THIRD else "high"


def _of_rate(rate: float | None) -> str:
    if rate is None:
        return "not answered"
    return "solved by none" if rate == 0 else "solved by all" if rate == 1 else "solved by some"
