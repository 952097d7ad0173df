-- Batches with a paper cluster that holds a paper which no longer exists, was retracted, or is not admitted any
-- more.
select distinct clusters.batch
from relations.clusters
anti join (
    select papers.paper_id
    from corpus.papers
    semi join corpus.admitted_papers as admitted on papers.paper_id = admitted.paper_id
    where not papers.retracted
) as usable using (paper_id)
