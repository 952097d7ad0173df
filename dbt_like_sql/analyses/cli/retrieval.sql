-- One row: a retriever on the items of a variant in a cluster, or among as many random papers, with measures of
-- Table 6 of the paper. A cell is the mean over the queries with its 95 % interval.
with cells as (
    select
        *,
        format('{:.2f}', value)
        || if(low < high, replace(format(' ({:.2f}-{:.2f})', low, high), '0.', '.'), '') as cell
    from benchmark.retrieval_scores
    where setting in ('cluster', 'random')
)

select
    retriever,
    variant || ' ' || setting as setting,
    max(cell) filter (where measure = 'Hit@1') as "Hit@1",
    max(cell) filter (where measure = 'Hit@3') as "Hit@3",
    max(cell) filter (where measure = 'MRR@5') as "MRR@5"
from cells
group by retriever, variant, cells.setting
order by variant desc, list_position(['cluster', 'random'], cells.setting), retriever
