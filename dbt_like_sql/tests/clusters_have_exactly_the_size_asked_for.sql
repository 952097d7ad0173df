-- checks: relations.clusters
-- The cluster of an implicit relation has exactly relations.cluster_size members (30 in both presets).
-- if it fails: these batches were made with another relations.cluster_size than this check was run with.
-- Materialize relations/clusters and what follows for all batches with the settings that you want.
select relation_id, count(distinct paper_id) as members
from relations.clusters
where variant = 'im'
group by relation_id
having count(distinct paper_id) != $relations__cluster_size or count(*) != $relations__cluster_size
