-- One row: a released item with the papers among which its own are looked for. Retracted papers are no
-- candidates, as in the benchmark; nor are papers that the reader has.
with documents as (
    select item_id, list(paper_id) filter (where gold) as gold, list(paper_id) filter (where in_hand) as in_hand
    from item_documents
    group by item_id
)

select
    release_items.split || '/' || release_items.item_id as key,
    list(pools.paper_id order by pools.paper_id) as papers
from release.items as release_items
inner join item_pools as pools on release_items.item_id = pools.item_id
inner join documents on release_items.item_id = documents.item_id
inner join corpus.papers on pools.paper_id = papers.paper_id
where
    release_items.released
    and key >= $first
    and key < $before
    and (not papers.retracted or coalesce(list_contains(documents.gold, pools.paper_id), false))
    and not coalesce(list_contains(documents.in_hand, pools.paper_id), false)
group by key
order by key
