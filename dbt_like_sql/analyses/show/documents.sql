-- One row: a paper that an item rests on.
with used as (
    select position, role, paper_id from item_documents where item_id = $id
    union
    select 1, 'source', source_paper_id from multi_hop.items where item_id = $id
    union
    select 2, 'target', target_paper_id from multi_hop.items where item_id = $id
)

select used.role, papers.paper_id, papers.title, papers.journal, papers.year, papers.doi, papers.pmcid, papers.licence
from used
left join corpus.papers on used.paper_id = papers.paper_id
order by used.position
