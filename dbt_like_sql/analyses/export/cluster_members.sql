-- One row: a paper among which those of a released item are looked for.
select release_items.split || '/' || release_items.item_id as key, pools.paper_id
from release.items as release_items
inner join item_pools as pools on release_items.item_id = pools.item_id
where release_items.released and key >= $first and key < $before
order by key, pools.paper_id
