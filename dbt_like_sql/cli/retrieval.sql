-- One row: a retriever on the items of a variant in a setting, with the measures of Table 6 of the paper.
-- A cell is the mean over the queries with its 95 % interval; it is empty where the measure says nothing, as
-- Hit@50 of 30 papers.
with cells as (
    select
        *,
        format('{:.2f}', value)
        || coalesce(format(' ({:.2f}-{:.2f})', low, high), '') as cell
    from benchmark.retrieval_scores
)

select
    retriever,
    variant,
    setting,
    max(queries) as queries,
    max(cell) filter (where measure = 'Hit@1') as "Hit@1",
    max(cell) filter (where measure = 'Hit@3' and setting != 'full') as "Hit@3",
    max(cell) filter (where measure = 'MRR@5' and setting != 'full') as "MRR@5",
    max(cell) filter (where measure = 'Hit@50' and setting = 'full') as "Hit@50",
    max(cell) filter (where measure = 'MRR@50' and setting = 'full') as "MRR@50"
from cells
group by retriever, variant, setting
order by variant desc, list_position(['cluster', 'random', 'full'], setting), retriever
