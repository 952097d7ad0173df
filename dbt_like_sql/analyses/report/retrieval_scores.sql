-- One row: a measure of a retriever (Table 6 of the AIM-SciQA paper).
select *
from benchmark.retrieval_scores
order by
    list_position(['cluster', 'random', 'full'], setting),
    variant desc,
    regexp_extract(measure, '^[^@]+'),
    try_cast(regexp_extract(measure, '[0-9]+$') as integer) nulls first,
    value desc,
    retriever
