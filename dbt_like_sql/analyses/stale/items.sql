-- Batches with an item of a relation that is the mirror of another now, or with a relation without an item that
-- is no mirror any more.
select items.batch
from multi_hop.items
semi join relations.mirrors on items.relation_id = mirrors.relation_id
union
select relations.batch
from relations.candidate_relations as relations
anti join relations.mirrors on relations.relation_id = mirrors.relation_id
anti join multi_hop.items on relations.relation_id = items.relation_id
