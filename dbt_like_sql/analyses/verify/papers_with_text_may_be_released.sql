-- The licence of every paper with text allows it, and it was not retracted, unless the settings admit it.
select papers.paper_id, papers.licence, releasable.rejection_reason
from corpus.papers
inner join releasable_papers as releasable on papers.paper_id = releasable.paper_id
where papers.has_text and not releasable.releasable
