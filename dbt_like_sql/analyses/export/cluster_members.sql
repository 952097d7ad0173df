-- One row: a released item with the papers among which its own are looked for.
select
    release_items.split || '/' || release_items.item_id as key,
    list(pools.paper_id order by pools.paper_id) as papers
from release.items as release_items
inner join item_pools as pools on release_items.item_id = pools.item_id
where release_items.released and key >= $first and key < $before
group by key
order by key
