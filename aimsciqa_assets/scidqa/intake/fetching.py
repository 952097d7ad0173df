"""The threads of venues fetched from OpenReview: what is new, what changed, and what is there no more."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from aimsciqa_resources.openreview import OpenReviewClient, OpenReviewError, threads_of
from aimsciqa_resources.warehouse import Warehouse

from aimsciqa_assets.platform.progress import progress
from aimsciqa_assets.scidqa.intake.listing import Listed, Listing
from aimsciqa_assets.scidqa.intake.news import VenueFetch, last_fetch, list_news
from aimsciqa_assets.scidqa.intake.writing import Written, room_for_notes, write_notes

_FEW: Final = 20
_MOST_GONE: Final = 0.05

# Of the forums that were served, and those of the venue that were fetched before.
_GONE: Final = """
with looked_at as (
    select forum_id from read_parquet($came)
    union
    select forums.forum_id
    from scidqa.forums as forums
    inner join scidqa.notes as roots on forums.forum_id = roots.note_id
    where forums.source = 'server' and list_contains($invitations, roots.invitation)
)

select
    known.* replace (
        null as title,
        '' as text,
        '{}' as fields,
        known.stamp + 1 as stamp,
        'gone' as raw_hash,
        true as deleted,
        'rejected' as status,
        'deleted' as rejection_reason
    ),
    $first + row_number() over (order by known.note_id) as seq
from scidqa.notes as known
where
    known.raw_hash <> 'gone'
    and known.forum_id in (select forum_id from looked_at)
    and known.note_id not in (select note_id from read_parquet($came))
"""


class TooManyGoneError(RuntimeError):
    """So many notes do not disappear at once: rather the listing is broken."""


@dataclass(frozen=True, slots=True)
class FetchedVenue:
    """What became of the threads of a venue, or why it could not be fetched; `whole`: all were read."""

    venue: str
    written: Written | None = None
    failure: str = ""
    whole: bool = True


def fetch_venue(
    client: OpenReviewClient,
    venue: str,
    warehouse: Warehouse,
    forums_per_batch: int,
    *,
    news: bool = False,
    now: datetime | None = None,
) -> FetchedVenue:
    """Fetch all threads of a venue and write what changed; a venue that fails changes nothing.

    With `news` only what changed since the last fetch is asked for, unless all threads were last read more
    than `whole_days` ago.
    """
    started = now or datetime.now(UTC)
    whole = True
    try:
        with room_for_notes(warehouse, "server") as folder:
            last = last_fetch(warehouse, venue)
            due = last is None or started - last.whole > timedelta(client.settings.whole_days)
            whole = due or not news
            with Listing(folder) as listing:
                if last is None or whole:
                    _list_all(listing, client, venue)
                else:
                    list_news(listing, client, venue, warehouse, last.until)
            if whole:
                _list_gone(listing.listed, client, venue, warehouse)
            fetch = VenueFetch(venue, started, started if last is None or whole else last.whole)
            written = write_notes(listing.listed, warehouse, "server", forums_per_batch, [fetch.write])
            return FetchedVenue(venue, written, whole=whole)
    except (OpenReviewError, TooManyGoneError) as error:
        return FetchedVenue(venue, failure=str(error), whole=whole)


def _list_all(listing: Listing, client: OpenReviewClient, venue: str) -> None:
    with progress(f"fetching {venue}, forums") as advance:
        for forum in threads_of(client, venue):
            listing.add_forum(forum.forum_id, forum.notes)
            advance(1)


def _list_gone(listed: Listed, client: OpenReviewClient, venue: str, warehouse: Warehouse) -> None:
    """List the known notes that were not served; raises `TooManyGoneError`."""
    invitations = client.settings.invitations_of(venue)
    values = {"came": str(listed.parquet), "invitations": invitations, "first": listed.notes}
    with warehouse.exporting(listed.folder) as tables:
        tables.export(_GONE, values, listed.gone)
        query = "select count(*) from read_parquet($gone) where rejection_reason = 'deleted'"
        gone = tables.read(query, {"gone": str(listed.gone)})[0][0]
    if gone > max(_FEW, _MOST_GONE * listed.notes):
        raise TooManyGoneError(
            f"{gone:,} notes of {venue} are not served any more, and {listed.notes:,} are. They were left as "
            "they are: look whether OpenReview answers in full."
        )
