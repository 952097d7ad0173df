-- One row: a paper of the cluster among which the target of an accepted item is looked for.
select items.item_id, clusters.paper_id, clusters.position
from multi_hop.items
inner join relations.clusters on items.relation_id = clusters.relation_id
where items.status = 'accepted'
