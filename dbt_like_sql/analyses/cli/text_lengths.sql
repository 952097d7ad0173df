-- One row: the mean length of an admitted paper and of a paragraph of one, then of a manuscript and of a paragraph of
-- one, in characters; 0 where there is none.
with papers as (
    select
        paper_id,
        paper_id in (select paper_id from scidqa.manuscripts) as is_manuscript,
        sum(length(text)) as characters,
        count(*) filter (where kind = 'text') as paragraphs,
        sum(length(text)) filter (where kind = 'text') as running
    from corpus.paragraphs
    where
        paper_id in (select paper_id from corpus.admitted_papers)
        or paper_id in (select paper_id from scidqa.manuscripts)
    group by paper_id
),

lengths as (
    select is_manuscript, avg(characters) as paper, sum(running) / sum(paragraphs) as paragraph
    from papers
    group by is_manuscript
)

select
    coalesce(max(paper) filter (where not is_manuscript), 0)::double as paper,
    coalesce(max(paragraph) filter (where not is_manuscript), 0)::double as paragraph,
    coalesce(max(paper) filter (where is_manuscript), 0)::double as manuscript,
    coalesce(max(paragraph) filter (where is_manuscript), 0)::double as manuscript_paragraph
from lengths
