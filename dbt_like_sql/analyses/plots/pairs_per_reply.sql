-- plots: single_hop.extractions
-- Replies of the batch by the number of question-answer pairs in them.
select pairs, count(*) as rows
from single_hop.extractions
where batch = $batch and status = 'answered'
group by pairs
order by pairs
