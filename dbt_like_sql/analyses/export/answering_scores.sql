-- One row: a measure of an answering model.
select *
from benchmark.answering_scores
order by answerer, variant, setting, measure, judge
