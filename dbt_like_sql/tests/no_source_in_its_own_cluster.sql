-- checks: relations.clusters
-- The source of a relation is not a member of its cluster.
-- if it fails: the item gives its source away; do not use it. A cluster was changed after it was built: run
-- `aimsciqa reset --from relations --yes`, then `aimsciqa run`.
select relation_id, source_paper_id
from relations.clusters
where paper_id = source_paper_id
