-- One row: a reason why accepted items, or papers, are not in the release, with their number.
select 'accepted items' as what, variant, split, rejection_reason, count(*) as rows
from release.items
where not released
group by all
union all
select 'papers', null, null, rejection_reason, count(*)
from corpus.releasable_papers
where not releasable
group by all
order by all
