-- checks: relations.clusters
-- The source of a relation is no member of its cluster.
select relation_id, source_paper_id
from relations.clusters
where paper_id = source_paper_id
