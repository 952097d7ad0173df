-- One row: a retriever on the items of a variant in a setting, with the measures of Table 6 of the paper.
-- A cell is the mean over the queries with its 95 % interval. Among all papers, Hit and MRR are those at 50;
-- a cell is empty where the measure would always be 1, such as Hit@50 of 44 papers.
with cells as (
    select
        *,
        format('{:.2f}', value) || coalesce(replace(format(' ({:.2f}-{:.2f})', low, high), '0.', '.'), '') as cell
    from benchmark.retrieval_scores
)

select
    retriever,
    variant || ' ' || setting as setting,
    max(cell) filter (where measure = 'Hit@1') as "Hit@1",
    max(cell) filter (where measure = if(setting = 'full', 'Hit@50', 'Hit@3')) as "Hit@3, full: 50",
    max(cell) filter (where measure = if(setting = 'full', 'MRR@50', 'MRR@5')) as "MRR@5, full: 50"
from cells
group by retriever, variant, cells.setting
order by variant desc, list_position(['cluster', 'random', 'full'], cells.setting), retriever
