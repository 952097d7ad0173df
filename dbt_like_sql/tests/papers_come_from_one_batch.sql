-- checks: corpus.papers
-- A paper is in the corpus once, whatever number of files and batches brought it.
select paper_id, count(*) as times
from corpus.papers
group by paper_id
having count(*) > 1
