-- plots: relations.candidate_relations
-- Relations of the batch by strength (eq. 4), implicit and citation-guided.
select round(floor(strength / 0.05) * 0.05, 2) as strength, count(*) as rows, variant
from relations.candidate_relations
where batch = $batch
group by all
order by variant desc, strength
