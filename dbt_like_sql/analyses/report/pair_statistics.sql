-- One row: a figure of Table 2 of the AIM-SciQA paper, in the order in which they were written.
select item, value, unit
from single_hop.statistics
order by rowid
