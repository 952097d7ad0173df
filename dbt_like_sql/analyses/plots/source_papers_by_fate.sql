-- plots: corpus.source_papers
-- Papers that may be sources, and why the others may not.
select coalesce(rejection_reason, 'eligible') as paper, count(*) as rows
from corpus.source_papers
group by rejection_reason
order by rejection_reason is not null, rows desc, paper
