-- checks: release.items
-- Source and target of every released item are papers that may be released, and an item that is not released
-- says why.
-- if it fails: somebody's text would be published against its licence. The rows are older than the licences
-- or the settings: materialize release/items and release/files, and withdraw a release that was published.
select items.item_id, items.source_paper_id, items.target_paper_id, items.rejection_reason
from release.items
left join corpus.releasable_papers as sources on items.source_paper_id = sources.paper_id
left join corpus.releasable_papers as targets on items.target_paper_id = targets.paper_id
where
    items.released = (items.rejection_reason is not null)
    or (items.released and not coalesce(sources.releasable and targets.releasable, false))
