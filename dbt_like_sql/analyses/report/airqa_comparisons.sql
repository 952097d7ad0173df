-- One row: two runs of AirQA compared on the examples that both answered.
select *
from airqa.comparisons
order by
    list_position(['total', 'type'], family),
    list_position(['single', 'multiple', 'retrieval', 'comprehensive'], tag),
    p_adjusted nulls last,
    run_id,
    other
