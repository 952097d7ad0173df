-- plots: relations.section_pairs
-- Section pairs of the batch by similarity (eq. 5), implicit and citation-guided.
with widest as (
    select greatest(0.25, ceil(max(similarity)) / 20) as bin
    from relations.section_pairs
    where batch = $batch
)

select round(floor(similarity / bin) * bin, 3) as similarity, count(*) as rows, variant
from relations.section_pairs
cross join widest
where batch = $batch
group by all
order by variant desc, similarity
