-- One row: a kind of look at PubMed Central, and when the last one that succeeded began, in Unix seconds.
select
    kind,
    max(epoch(started_at::timestamptz)) as began
from ops.pmc_looks
group by all
order by all
