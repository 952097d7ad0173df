-- plots: relations.clusters
-- Cluster members of the batch by how they came in, implicit and citation-guided.
select origin, count(*) as rows, variant
from relations.clusters
where batch = $batch
group by all
order by variant desc, rows desc, origin
