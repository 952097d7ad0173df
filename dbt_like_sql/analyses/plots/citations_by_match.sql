-- plots: corpus.citation_edges
-- Citations inside the corpus by how the reference was matched, the surest way first.
select method, count(*) as rows
from corpus.citation_edges
group by method
order by list_position(['doi', 'pmid', 'pmcid', 'title', 'bibliographic'], method)
