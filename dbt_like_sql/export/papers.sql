-- One row: a paper of the release. Those that may be released come with their abstract; the others, members
-- of clusters, with what identifies them and no text.
with members as (
    select distinct clusters.paper_id
    from release.items as release_items
    inner join multi_hop.items on release_items.item_id = items.item_id
    inner join relations.clusters on items.relation_id = clusters.relation_id
    where release_items.released
)

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
    papers.source as read_from,
    papers.content_hash,
    releasable.releasable as has_text
from corpus.papers
inner join corpus.releasable_papers as releasable on papers.paper_id = releasable.paper_id
where releasable.releasable or papers.paper_id in (select members.paper_id from members)
order by papers.paper_id
