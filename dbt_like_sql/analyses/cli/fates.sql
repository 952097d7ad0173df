-- One row: a fate of files, papers, pairs, items or accepted items, with the reason where there is one.
select 'files' as what, 'read' as fate, '' as reason, count(*) as rows
from corpus.papers
union all
select 'files', 'rejected', rejection_reason, count(*)
from corpus.rejected_files
group by all
union all
select
    'papers as sources',
    case when eligible then 'eligible' else 'left out' end,
    coalesce(rejection_reason, ''),
    count(*)
from corpus.source_papers
group by all
union all
select 'QA pairs', status, coalesce(rejection_reason, ''), count(*)
from single_hop.qa_pairs
group by all
union all
select 'items (' || variant || ')', status, coalesce(rejection_reason, ''), count(*)
from multi_hop.items
group by all
union all
select 'items (' || kind || ')', status, coalesce(rejection_reason, ''), count(*)
from hopweaver.items
group by all
union all
select 'accepted items', if(released, 'released', 'not released'), coalesce(rejection_reason, ''), count(*)
from release.items
group by all
order by what, fate, rows desc, reason
