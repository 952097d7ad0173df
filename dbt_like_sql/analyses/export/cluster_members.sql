-- One row: a paper among which a released item's target is looked for.
select release_items.split || '/' || release_items.item_id as key, clusters.paper_id
from release.items as release_items
inner join multi_hop.items on release_items.item_id = items.item_id
inner join relations.clusters on items.relation_id = clusters.relation_id
where release_items.released and key >= $first and key < $before
order by key, clusters.paper_id
