-- plots: corpus.papers
-- Papers of the batch by licence, the ten most frequent.
select coalesce(nullif(licence, ''), 'unknown') as licence, count(*) as rows
from corpus.papers
where batch = $batch
group by all
order by rows desc, licence
limit 10
