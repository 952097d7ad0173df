-- One row: a variant and split with the figures of Table 3 of the AIM-SciQA paper.
select *
from multi_hop.statistics
order by variant desc, split
