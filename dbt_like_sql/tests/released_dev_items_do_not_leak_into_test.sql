-- checks: release.items
-- No released dev item shares its source, its two papers or a QA pair with a released test item, of either
-- variant.
-- if it fails: whoever trains on dev has seen test. The rows are older than the items or their splits:
-- materialize release/items and release/files.
with released as (
    select
        release_items.item_id,
        release_items.split,
        release_items.source_paper_id,
        least(release_items.source_paper_id, release_items.target_paper_id) as one,
        greatest(release_items.source_paper_id, release_items.target_paper_id) as other,
        unnest([items.core_source_qa_id, items.core_target_qa_id, items.retrieval_qa_id]) as qa_id
    from release.items as release_items
    inner join multi_hop.items on release_items.item_id = items.item_id
    where release_items.released
),

test as (
    select * from released where split = 'test'
)

select distinct item_id
from released
where
    split = 'dev'
    and (
        source_paper_id in (select source_paper_id from test)
        or (one, other) in (select (one, other) from test)
        or qa_id in (select qa_id from test)
    )
