-- One row: a retriever on the items of a variant among all papers, with measures of Table 6 of the paper. A cell is
-- the mean over the queries with its 95 % interval; it is empty where the measure would always be 1, such as
-- Hit@50 of 44 papers.
with cells as (
    select
        *,
        format('{:.2f}', value)
        || if(low < high, replace(format(' ({:.2f}-{:.2f})', low, high), '0.', '.'), '') as cell
    from benchmark.retrieval_scores
    where setting = 'full'
)

select
    retriever,
    variant,
    max(cell) filter (where measure = 'Hit@1') as "Hit@1",
    max(cell) filter (where measure = 'Hit@50') as "Hit@50",
    max(cell) filter (where measure = 'MRR@50') as "MRR@50"
from cells
group by retriever, variant
order by variant desc, retriever
