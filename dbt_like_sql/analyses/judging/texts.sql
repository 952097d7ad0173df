-- One row: a paper of $papers with its whole text, as judges may see it; the abstract where it has no paragraphs.
with written as (
    select
        paragraphs.paper_id,
        string_agg(paragraphs.text, chr(10) order by sections.position, sections.section_id, paragraphs.position) as text
    from corpus.paragraphs
    inner join corpus.sections on paragraphs.section_id = sections.section_id
    where paragraphs.kind = 'text' and paragraphs.paper_id in (select unnest($papers::varchar[]))
    group by paragraphs.paper_id
)

select papers.paper_id, coalesce(written.text, papers.abstract, '') as text
from corpus.papers
left join written on papers.paper_id = written.paper_id
where papers.paper_id in (select unnest($papers::varchar[]))
order by papers.paper_id
