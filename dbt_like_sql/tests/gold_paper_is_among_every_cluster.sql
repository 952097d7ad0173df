-- checks: benchmark.queries
-- Both clusters of a query hold its target and not its source, name no paper twice, and the random one is no
-- larger than the other. Queries over all papers only have no clusters.
-- if it fails: the queries are older than the clusters, or were changed by hand: materialize
-- benchmark/queries and what follows, or `aimsciqa run`.
select item_id, target_paper_id, cluster, random_cluster
from benchmark.queries
where
    not list_contains(cluster, target_paper_id)
    or not list_contains(random_cluster, target_paper_id)
    or list_contains(cluster, source_paper_id)
    or list_contains(random_cluster, source_paper_id)
    or len(list_distinct(cluster)) != len(cluster)
    or len(list_distinct(random_cluster)) != len(random_cluster)
    or len(random_cluster) > len(cluster)
