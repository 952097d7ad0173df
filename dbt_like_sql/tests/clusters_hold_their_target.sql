-- checks: relations.clusters
-- Every relation has a cluster with exactly one target, and it is the relation's.
select relations.relation_id, count(clusters.paper_id) as targets
from relations.candidate_relations as relations
left join relations.clusters
    on
        relations.relation_id = clusters.relation_id
        and relations.target_paper_id = clusters.paper_id
        and clusters.role = 'target'
group by relations.relation_id
having count(clusters.paper_id) != 1
