-- checks: release.items
-- All documents of every released item are papers that may be released, the licences of the texts that it was made
-- from allow it, too, and an item that is not released says why.
-- if it fails: somebody's text would be published against its licence. The rows are older than the licences
-- or the settings: materialize release/items and release/files, and withdraw a release that was published.
with refused as (
    select distinct documents.item_id
    from item_documents as documents
    left join corpus.releasable_papers as papers on documents.paper_id = papers.paper_id
    where not coalesce(papers.releasable, false)
    union
    select texts.item_id
    from item_texts as texts
    left join shared_licences as known on texts.licence = known.licence
    where
        not texts.readable
        or (not $release__any_licence and (known.licence is null or known.rejection_reason is not null))
)

select items.item_id, items.variant, items.rejection_reason
from release.items
left join refused on items.item_id = refused.item_id
where
    items.released = (items.rejection_reason is not null)
    or (items.released and refused.item_id is not null)
    or (items.place_only and (items.released or refused.item_id is null))
