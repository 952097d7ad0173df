-- One row: a measure of a retriever.
select *
from benchmark.retrieval_scores
order by retriever, variant, setting, measure
