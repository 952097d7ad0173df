-- One row: two retrievers compared on the same queries by one measure.
select *
from benchmark.retrieval_comparisons
order by
    list_position(['cluster', 'random', 'full'], setting),
    variant desc,
    regexp_extract(measure, '^[^@]+'),
    try_cast(regexp_extract(measure, '[0-9]+$') as integer) nulls first,
    p_adjusted nulls last,
    retriever,
    other
