-- One row: a paper that the method works on, that an item rests on, or among which one is looked for. Those that
-- may be released come with their abstract; the others with what identifies them and no text, for the case that
-- they are in the cluster of a released item. Documents that are there for evaluation only are left out.
select
    papers.paper_id,
    papers.pmcid,
    papers.pmid,
    papers.doi,
    papers.title,
    case when releasable.releasable then papers.abstract end as abstract,
    papers.first_author,
    papers.journal,
    papers.year,
    papers.published,
    papers.licence,
    papers.licence_url,
    papers.retracted,
    papers.retraction,
    papers.source as read_from,
    papers.content_hash,
    releasable.releasable as has_text
from corpus.papers
inner join corpus.releasable_papers as releasable on papers.paper_id = releasable.paper_id
semi join (
    select paper_id from corpus.admitted_papers
    union all
    select paper_id from item_documents
    union all
    select paper_id from item_pools
) as used on papers.paper_id = used.paper_id
where papers.article_type <> 'evaluation' and papers.paper_id >= $first and papers.paper_id < $before
order by papers.paper_id
