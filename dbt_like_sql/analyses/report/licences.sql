-- One row: a licence with its papers, and whether what was made from them may be passed on.
select
    coalesce(nullif(licence, ''), 'unknown') as licence,
    count(*) as papers,
    count(*) filter (where releasable) as releasable,
    coalesce(string_agg(distinct rejection_reason, ', ' order by rejection_reason), '') as reasons
from corpus.releasable_papers
group by licence
order by papers desc, licence
