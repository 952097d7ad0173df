-- checks: release.items
-- All documents of every released item are papers that may be released, and an item that is not released says
-- why.
-- if it fails: somebody's text would be published against its licence. The rows are older than the licences
-- or the settings: materialize release/items and release/files, and withdraw a release that was published.
with refused as (
    select distinct documents.item_id
    from item_documents as documents
    left join corpus.releasable_papers as papers on documents.paper_id = papers.paper_id
    where not coalesce(papers.releasable, false)
)

select items.item_id, items.variant, items.rejection_reason
from release.items
left join refused on items.item_id = refused.item_id
where
    items.released = (items.rejection_reason is not null)
    or (items.released and refused.item_id is not null)
