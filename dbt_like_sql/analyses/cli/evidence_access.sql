-- One row: a retriever on the items of a kind among all papers, with measures of evidence accessibility. A cell is the
-- mean over the queries with its 95 % interval.
with cells as (
    select
        *,
        format('{:.2f}', value)
        || if(low < high, replace(format(' ({:.2f}-{:.2f})', low, high), '0.', '.'), '') as cell
    from benchmark.evidence_access
)

select
    retriever,
    variant,
    max(cell) filter (where measure = 'MAP') as "MAP",
    max(cell) filter (where measure = 'Recall@10') as "Recall@10",
    max(cell) filter (where measure = 'Support F1') as "Support F1",
    max(without_gold + without_ranking) as missing
from cells
group by retriever, variant
order by variant desc, retriever
