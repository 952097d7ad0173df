-- checks: relations.clusters
-- Every relation has a cluster with exactly one target, and it is the relation's.
-- if it fails: the relations of a batch are newer than its clusters. Materialize relations/clusters and
-- what follows for that batch, or `aimsciqa run`, which does that wherever it is needed.
select relations.relation_id, count(clusters.paper_id) as targets
from relations.candidate_relations as relations
left join relations.clusters
    on
        relations.relation_id = clusters.relation_id
        and relations.target_paper_id = clusters.paper_id
        and clusters.role = 'target'
group by relations.relation_id
having count(clusters.paper_id) != 1
