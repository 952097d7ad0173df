-- One row: how many clusters of variant im hold fewer papers than relations.cluster_size asks for.
with sizes as (
    select distinct relation_id, cluster_size
    from relations.clusters
    where variant = 'im'
)

select
    count(*) as clusters,
    count(*) filter (where cluster_size < $relations__cluster_size) as small,
    min(cluster_size) as smallest
from sizes
