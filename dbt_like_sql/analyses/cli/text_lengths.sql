-- One row: the mean length of an admitted paper and of a paragraph of one, in characters; 0 where there is none.
with papers as (
    select paper_id, sum(length(text)) as characters, count(*) as paragraphs
    from corpus.paragraphs
    where paper_id in (select paper_id from corpus.admitted_papers)
    group by paper_id
)

select
    coalesce(avg(characters), 0)::double as paper,
    coalesce(sum(characters) / sum(paragraphs), 0)::double as paragraph
from papers
