-- Batches with a paper cluster that holds a paper which no longer exists or was retracted.
select distinct clusters.batch
from relations.clusters
anti join (select paper_id from corpus.papers where not retracted) as usable using (paper_id)
