-- One row: a figure of Table 2 of the AIM-SciQA paper, over the whole corpus.
select item, value, unit
from single_hop.statistics
order by rowid
