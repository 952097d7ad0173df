-- plots: corpus.papers
-- Papers of the batch by year of first publication.
select year, count(*) as rows
from corpus.papers
where batch = $batch and year is not null
group by year
order by year
