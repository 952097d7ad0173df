-- One row: a score of an answering model in a setting as tables show it, by the judge that counts: all models
-- together, then a model, then rules.
select
    *,
    format('{:.2f}', value) as mean,
    mean || coalesce(replace(format(' ({:.2f}-{:.2f})', low, high), '0.', '.'), '') as with_interval
from benchmark.answering_scores
qualify row_number() over (
    partition by answerer, variant, setting, measure
    order by case when judge = 'mean of judges' then 1 when judge in ('lexical', 'rules') then 3 else 2 end, judge
) = 1
