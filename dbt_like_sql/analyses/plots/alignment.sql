-- plots: single_hop.qa_pairs
-- Pairs of the batch by alignment, Sim(Q,A) - Sim(Q,E): the lowest are removed.
select round(floor(alignment / 0.02) * 0.02, 2) as alignment, count(*) as rows, status
from single_hop.qa_pairs
where batch = $batch and alignment is not null
group by all
order by status, alignment
