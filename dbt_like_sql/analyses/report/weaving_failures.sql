-- One row: what failed (attempts; documents that were found for them), the kind, and one of its reasons.
select 'attempts' as what, kind, rejection_reason as reason, count(*) as rows
from hopweaver.items
where status = 'rejected'
group by all
union all
select 'candidates', kind, rejection_reason, count(*)
from hopweaver.candidates
where outcome = 'rejected'
group by all
order by what, kind, rows desc, reason
