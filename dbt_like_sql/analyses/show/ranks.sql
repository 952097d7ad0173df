-- One row: the place of the gold paper of an item in the ranking of a retriever.
select retriever, setting, rank, candidates
from benchmark.rankings
where item_id = $id
order by list_position(['cluster', 'random', 'full'], setting), rank, retriever
