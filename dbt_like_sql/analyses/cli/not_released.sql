-- One row: a reason why accepted items may not be released, with their number.
select rejection_reason, count(*) as items
from release.items
where not released
group by rejection_reason
order by items desc, rejection_reason
