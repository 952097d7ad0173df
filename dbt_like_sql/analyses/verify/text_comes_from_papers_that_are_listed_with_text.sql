-- Documents of items, pairs and paragraphs belong to papers that are listed with text; papers listed without
-- text have none. The licence and title of a paper are the same wherever they stand.
with used as (
    select distinct paper_id, title, licence
    from documents
    union
    select distinct single_hop.paper_id, single_hop.title, papers.licence
    from single_hop
    left join corpus.papers on single_hop.paper_id = papers.paper_id
    union
    select distinct paragraphs.paper_id, papers.title, papers.licence
    from corpus.paragraphs
    left join corpus.papers on paragraphs.paper_id = papers.paper_id
)

select used.paper_id, used.licence
from used
left join corpus.papers on used.paper_id = papers.paper_id
where
    papers.has_text is distinct from true
    or papers.title is distinct from used.title
    or papers.licence is distinct from used.licence
union all
select paper_id, licence
from corpus.papers
where has_text = (abstract is null)
