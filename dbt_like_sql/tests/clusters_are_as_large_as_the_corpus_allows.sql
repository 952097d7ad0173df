-- checks: relations.clusters
-- The cluster of an implicit relation has relations.cluster_size members (30 in both presets), as its rows
-- say. It has fewer only where the corpus had no more papers: then no cluster of its batch is larger.
-- if it fails: these batches were made with another relations.cluster_size than this check was run with, or
-- rows were changed by hand. Materialize relations/clusters and what follows for all batches with the settings
-- that you want.
with sizes as (
    select
        batch,
        relation_id,
        count(distinct paper_id) as members,
        count(*) as member_rows,
        min(cluster_size) as said,
        max(cluster_size) as said_at_most
    from relations.clusters
    where variant = 'im'
    group by batch, relation_id
)

select batch, relation_id, members
from sizes
where
    members != member_rows
    or members is distinct from said
    or members is distinct from said_at_most
    or members > $relations__cluster_size
    or (
        members < $relations__cluster_size
        and members < (select max(others.members) from sizes as others where others.batch = sizes.batch)
    )
